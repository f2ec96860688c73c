import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { Saving } from '../../data/model/types.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useUnsaved } from '../../hooks/use-unsaved-warning.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import { NotAccepted } from '../sync-status/RejectedChange.tsx';
import { HomeScreenHint } from './HomeScreenPrompt.tsx';
import { placeOf } from './nav-items.ts';
import { Forgetful } from './StorageWarning.tsx';
import { UnreadInTitle } from './UnreadInTitle.tsx';
import { NewVersion } from './UpdatePrompt.tsx';

const NEVER: Readable<boolean> = createCell(false);

const loadSessionEnded = () => import('../account/SessionEnded.tsx').then((part) => part.SessionEnded);

/**
 * Deferred parts of the layout, which load after the page. While changes are unsaved (except read markers), the container asks
 * before it closes. The document's title shows the number of unread posts. One notice shows at a time, the most important
 * first: a change that the server rejected, an ended session, a new version, storage that is not persistent, the home screen
 * prompt. The dial shows the first notice itself, and leaves no space for the last.
 */
export function Later({ path }: { readonly path: string }) {
  const { channels, site } = useServices();
  const saving = useReadable(channels.saving);
  useUnsaved(hasUnsavedChanges(saving));
  const isDial = placeOf(path) === 'dial';
  const isEnded = useReadable(site.sessionEnded ?? NEVER);
  const [isDismissed, setDismissed] = useState(false);
  // A session that ends later shows the notice again.
  useEffect(() => {
    if (!isEnded) setDismissed(false);
  }, [isEnded]);
  const SessionEnded = useLazy(loadSessionEnded, isEnded);
  return (
    <>
      {site.setUnread !== undefined && <UnreadInTitle set={site.setUnread} />}
      {saving.type === 'refused' && !isDial ? (
        <NotAccepted className="home-screen" refused={saving} />
      ) : isEnded && !isDismissed ? (
        SessionEnded !== null && <SessionEnded onDismiss={() => setDismissed(true)} />
      ) : (
        <NewVersion>
          <Forgetful path={path}>{!isDial && <HomeScreenHint />}</Forgetful>
        </NewVersion>
      )}
    </>
  );
}

/** Returns true if a change other than a read marker has not reached the server. */
function hasUnsavedChanges(saving: Saving): boolean {
  if (saving.type === 'refused') return saving.what !== 'mark';
  return saving.type === 'waiting' && saving.onlyReadMarkers !== true;
}
