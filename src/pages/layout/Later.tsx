import type { Saving } from '../../channels/channels.ts';
import { createCell, type Readable } from '../../readable.ts';
import { NotAccepted } from '../NotAccepted.tsx';
import { useServices } from '../services.ts';
import { useLazy } from '../use-lazy.ts';
import { useReadable } from '../use-readable.ts';
import { useUnsaved } from '../use-unsaved.ts';
import { Forgetful } from './Forgetful.tsx';
import { HomeScreenHint } from './HomeScreenHint.tsx';
import { NewVersion } from './NewVersion.tsx';
import { placeOf } from './places.ts';
import { UnreadInTitle } from './UnreadInTitle.tsx';

const NEVER: Readable<boolean> = createCell(false);

const loadSessionEnded = () => import('../account/SessionEnded.tsx').then((part) => part.SessionEnded);

/**
 * What the frame does besides framing, once the page stands: it has the container ask before the reader's own unsaved changes
 * (reading places are none) are closed away, counts unread posts in the document's title, and says one thing at a time, the
 * weightiest first: a change that the server does not accept, that the session has ended, a new version, that nothing can be kept,
 * the home screen. The dial says the first by itself, and wants its room.
 */
export function Later({ path }: { readonly path: string }) {
  const { channels, site } = useServices();
  const saving = useReadable(channels.saving);
  useUnsaved(isOwnUnsaved(saving));
  const isDial = placeOf(path) === 'dial';
  const isEnded = useReadable(site.sessionEnded ?? NEVER);
  const SessionEnded = useLazy(loadSessionEnded, isEnded);
  return (
    <>
      {site.setUnread !== undefined && <UnreadInTitle set={site.setUnread} />}
      {saving.type === 'refused' && !isDial ? (
        <NotAccepted className="home-screen" refused={saving} />
      ) : isEnded ? (
        SessionEnded !== null && <SessionEnded />
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
