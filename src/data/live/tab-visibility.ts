import type { LeaderElection } from './leader-election.ts';
import { isTabVisible, TAB_CHECK_INTERVAL_MS, type TabState } from './tab-state.ts';

/** Time without a message from the leader tab after which it counts as suspended and another tab takes over, ms. */
const LEADER_TIMEOUT_MS = 45_000;
/** Maximum time in which an active leader replies to another tab, ms. */
const REPLY_TIMEOUT_MS = 3000;

/**
 * Tab visibility: watches if this tab is visible and, until the signal aborts, takes the leadership from a suspended tab.
 * `refresh` refetches the page's data.
 */
export function watchTabVisibility(tab: TabState, election: LeaderElection, refresh: () => void, signal: AbortSignal): void {
  let hiddenAt = Date.now();

  function takeOver(): void {
    if (tab.follower !== null || tab.streamSupported === false || signal.aborted) return;
    tab.leaderSeenAt = Date.now();
    election.takeOver();
  }
  /**
   * Announces that this tab is visible and has received all events until `since`. A leader that does not reply is suspended.
   */
  function announce(since: number): void {
    const announcedAt = Date.now();
    tab.broadcast({ type: 'here', tab: tab.tabId, since });
    setTimeout(() => tab.leaderSeenAt < announcedAt && isTabVisible() && takeOver(), REPLY_TIMEOUT_MS);
  }
  function handleVisibility(): void {
    if (!isTabVisible()) {
      hiddenAt = Date.now();
      return;
    }
    tab.visibleAt = Date.now();
    if (tab.follower === null) announce(hiddenAt);
    else tab.follower.reconnectNow();
    // Without a stream, the page is refetched when the reader returns to it.
    if (!tab.streamSupported) refresh();
  }
  function checkLeader(): void {
    if (!isTabVisible()) return;
    tab.visibleAt = Date.now();
    if (Date.now() - tab.leaderSeenAt > LEADER_TIMEOUT_MS) takeOver();
  }

  announce(tab.since);
  document.addEventListener('visibilitychange', handleVisibility, { signal });
  window.addEventListener('online', () => tab.follower?.reconnectNow(), { signal });
  const timer = setInterval(checkLeader, TAB_CHECK_INTERVAL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
