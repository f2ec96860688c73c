import type { Saving } from '../../channels/channels.ts';
import { NotAccepted } from '../NotAccepted.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { useUnsaved } from '../use-unsaved.ts';
import { Forgetful } from './Forgetful.tsx';
import { HomeScreenHint } from './HomeScreenHint.tsx';
import { NewVersion } from './NewVersion.tsx';
import { placeOf } from './places.ts';

/**
 * What the frame does besides framing, once the page stands: it has the container ask before the reader's own unsaved changes are
 * closed away, which reading places are not,
 * and says one thing at a time, the weightiest first: a change that the server does not accept, a new version, that nothing can
 * be kept, the home screen. The dial says the first by itself, and wants its room.
 */
export function Later({ path }: { readonly path: string }) {
  const { channels } = useServices();
  const saving = useReadable(channels.saving);
  useUnsaved(isOwnUnsaved(saving));
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

/** Returns whether something that the reader made has not reached the server; reading moves places, and makes nothing. */
function isOwnUnsaved(saving: Saving): boolean {
  if (saving.type === 'refused') return saving.what !== 'mark';
  return saving.type === 'waiting' && saving.reading !== true;
}
