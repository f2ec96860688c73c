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
import { placeOf } from './places.ts';

/**
 * What the frame does besides framing, once the page stands: it has the container ask before unsaved changes are closed away,
 * says where nothing can be kept and what the server does not accept, tells the page's keys at the press of `?`, and offers the
 * home screen. The dial answers `?` and says the other by itself, and wants its room.
 */
export function Later({ path }: { readonly path: string }) {
  const { channels } = useServices();
  const saving = useReadable(channels.saving);
  useUnsaved(saving.type !== 'saved');
  const [shown, setShown] = useState(false);
  const isOurs = placeOf(path) !== 'dial' || isOperating(path);
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
      <Forgetful path={path} />
      {shown && <KeysSheet path={path} onClose={() => setShown(false)} />}
      {placeOf(path) !== 'dial' &&
        (saving.type === 'refused' ? <NotAccepted className="home-screen" refused={saving} /> : <HomeScreenHint />)}
    </>
  );
}
