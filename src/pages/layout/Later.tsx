import { useEffect, useState } from 'react';
import { isFree } from '../free-key.ts';
import { NotAccepted } from '../NotAccepted.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { readSingleKeys } from '../use-single-keys.ts';
import { useUnsaved } from '../use-unsaved.ts';
import { Forgetful } from './Forgetful.tsx';
import { HomeScreenHint } from './HomeScreenHint.tsx';
import { isOperating, KeysSheet } from './KeysSheet.tsx';
import { NewVersion } from './NewVersion.tsx';
import { placeOf } from './places.ts';

/**
 * What the frame does besides framing, once the page stands: it has the container ask before unsaved changes are closed away,
 * tells the page's keys at the press of `?`, and says one thing at a time, the weightiest first: a change that the server does
 * not accept, a new version, that nothing can be kept, the home screen. The dial answers `?` and says the first by itself, and
 * wants its room.
 */
export function Later({ path }: { readonly path: string }) {
  const { channels } = useServices();
  const saving = useReadable(channels.saving);
  useUnsaved(saving.type !== 'saved');
  const [shown, setShown] = useState(false);
  const isDial = placeOf(path) === 'dial';
  const isOurs = !isDial || isOperating(path);
  useEffect(() => {
    if (!isOurs) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '?' || !isFree(event) || !readSingleKeys()) return;
      event.preventDefault();
      setShown(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOurs]);
  return (
    <>
      {shown && <KeysSheet path={path} onClose={() => setShown(false)} />}
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
