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
import { useNotificationSync } from './use-notification-sync.ts';

const ALWAYS_FALSE: Signal<boolean> = createSignal(false);

const loadSessionEnded = () => import('../account/SessionEnded.tsx').then((module) => module.SessionEnded);

/**
 * Deferred notices of the layout, which load after the page. While changes are unsaved (except read markers), the
 * container asks before it closes. The document's title shows the number of unread posts. Shown notifications of read
 * posts are closed. Only one notice is visible.
 * In order of priority: a change that the server rejected, an ended session, a new version, storage that is not
 * persistent, the home screen prompt. The dial shows rejected changes itself, and has no space for the home screen
 * prompt.
 */
export function DeferredNotices({ path }: { readonly path: string }) {
  const { dataClient, environment } = useServices();
  const syncStatus = useSignalValue(dataClient.syncStatus);
  useUnsavedWarning(hasUnsavedChanges(syncStatus));
  useNotificationSync();
  const isDial = navItemOf(path) === 'dial';
  const isSessionEnded = useSignalValue(environment.sessionEnded ?? ALWAYS_FALSE);
  const [isDismissed, setDismissed] = useState(false);
  // A session that ends later shows the notice again.
  useEffect(() => {
    if (!isSessionEnded) setDismissed(false);
  }, [isSessionEnded]);
  const SessionEnded = useLazyComponent(loadSessionEnded, isSessionEnded);
  return (
    <>
      {environment.setUnreadLabel !== undefined && <UnreadInTitle set={environment.setUnreadLabel} />}
      {syncStatus.type === 'rejected' && !isDial ? (
        <RejectedChangeNotice className="home-screen" rejected={syncStatus} />
      ) : isSessionEnded && !isDismissed ? (
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
function hasUnsavedChanges(syncStatus: SyncStatus): boolean {
  if (syncStatus.type === 'rejected') return syncStatus.changeType !== 'mark';
  return syncStatus.type === 'waiting' && syncStatus.onlyReadMarkers !== true;
}
