import type { Tabs } from './leader-election.ts';
import { isSeen, type LiveTab, TICK } from './tab-state.ts';

/** Time without a message from the leader tab after which it counts as suspended and another tab takes over, ms. */
const LOST = 45_000;
/** Maximum time in which an active leader replies to another tab, ms. */
const ANSWER = 3000;

/**
 * Tab visibility: watches if this tab is visible and, until the signal aborts, takes the leadership from a suspended tab.
 * `refresh` refetches the page's data.
 */
export function watchTabs(tab: LiveTab, tabs: Tabs, refresh: () => void, signal: AbortSignal): void {
  let leftAt = Date.now();

  function takeOver(): void {
    if (tab.following !== null || tab.works === false || signal.aborted) return;
    tab.heardAt = Date.now();
    tabs.takeOver();
  }
  /**
   * Announces that this tab is visible and has received all events until `since`. A leader that does not reply is suspended.
   */
  function join(since: number): void {
    const asked = Date.now();
    tab.tell({ type: 'here', tab: tab.name, since });
    setTimeout(() => tab.heardAt < asked && isSeen() && takeOver(), ANSWER);
  }
  function look(): void {
    if (!isSeen()) {
      leftAt = Date.now();
      return;
    }
    tab.seenAt = Date.now();
    if (tab.following === null) join(leftAt);
    else tab.following.wake();
    // Without a stream, the page is refetched when the reader returns to it.
    if (!tab.works) refresh();
  }
  function tick(): void {
    if (!isSeen()) return;
    tab.seenAt = Date.now();
    if (Date.now() - tab.heardAt > LOST) takeOver();
  }

  join(tab.since);
  document.addEventListener('visibilitychange', look, { signal });
  window.addEventListener('online', () => tab.following?.wake(), { signal });
  const ticking = setInterval(tick, TICK);
  signal.addEventListener('abort', () => clearInterval(ticking));
}
