import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { SyncStatus } from '../../data/model/types.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { RejectedChangeNotice } from '../sync-status/RejectedChange.tsx';
import { HomeScreenPrompt } from './HomeScreenPrompt.tsx';
import { navItemOf } from './nav-items.ts';
import { StorageWarning } from './StorageWarning.tsx';
import { UnreadInTitle } from './UnreadInTitle.tsx';
import { UpdatePrompt } from './UpdatePrompt.tsx';

const NEVER: Signal<boolean> = createSignal(false);

const loadSessionEnded = () => import('../account/SessionEnded.tsx').then((part) => part.SessionEnded);

/**
 * Deferred parts of the layout, which load after the page. While changes are unsaved (except read markers), the container asks
 * before it closes. The document's title shows the number of unread posts. One notice shows at a time, the most important
 * first: a change that the server rejected, an ended session, a new version, storage that is not persistent, the home screen
 * prompt. The dial shows the first notice itself, and leaves no space for the last.
 */
export function DeferredNotices({ path }: { readonly path: string }) {
  const { dataClient, environment } = useServices();
  const saving = useSignalValue(dataClient.syncStatus);
  useUnsavedWarning(hasUnsavedChanges(saving));
  const isDial = navItemOf(path) === 'dial';
  const isEnded = useSignalValue(environment.sessionEnded ?? NEVER);
  const [isDismissed, setDismissed] = useState(false);
  // A session that ends later shows the notice again.
  useEffect(() => {
    if (!isEnded) setDismissed(false);
  }, [isEnded]);
  const SessionEnded = useLazyComponent(loadSessionEnded, isEnded);
  return (
    <>
      {environment.setUnreadLabel !== undefined && <UnreadInTitle set={environment.setUnreadLabel} />}
      {saving.type === 'refused' && !isDial ? (
        <RejectedChangeNotice className="home-screen" rejected={saving} />
      ) : isEnded && !isDismissed ? (
        SessionEnded !== null && <SessionEnded onDismiss={() => setDismissed(true)} />
      ) : (
        <UpdatePrompt>
          <StorageWarning path={path}>{!isDial && <HomeScreenPrompt />}</StorageWarning>
        </UpdatePrompt>
      )}
    </>
  );
}

/** Returns true if a change other than a read marker has not reached the server. */
function hasUnsavedChanges(saving: SyncStatus): boolean {
  if (saving.type === 'refused') return saving.changeType !== 'mark';
  return saving.type === 'waiting' && saving.onlyReadMarkers !== true;
}
