import { NotAccepted } from '../NotAccepted.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { useUnsaved } from '../use-unsaved.ts';
import { Forgetful } from './Forgetful.tsx';
import { HomeScreenHint } from './HomeScreenHint.tsx';
import { NewVersion } from './NewVersion.tsx';
import { placeOf } from './places.ts';

/**
 * What the frame does besides framing, once the page stands: it has the container ask before unsaved changes are closed away,
 * and says one thing at a time, the weightiest first: a change that the server does not accept, a new version, that nothing can
 * be kept, the home screen. The dial says the first by itself, and wants its room.
 */
export function Later({ path }: { readonly path: string }) {
  const { channels } = useServices();
  const saving = useReadable(channels.saving);
  useUnsaved(saving.type !== 'saved');
  const isDial = placeOf(path) === 'dial';
  return (
    <>
      {saving.type === 'refused' && !isDial ? (
        <NotAccepted className="home-screen" refused={saving} />
      ) : (
        <NewVersion>
          <Forgetful path={path}>{!isDial && <HomeScreenHint />}</Forgetful>
        </NewVersion>
      )}
    </>
  );
}
