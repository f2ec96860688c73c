import type { Tabs } from './leader-election.ts';
import { isSeen, type LiveTab, TICK } from './tab-state.ts';

/** Without a sign of life from the leading tab for so long it sleeps, and another takes its place, ms. */
const LOST = 45_000;
/** A tab that is awake answers another sooner, ms. */
const ANSWER = 3000;

/** Watches whether this tab is seen, and until the signal takes the lead from one that sleeps; `refresh` reads the page anew. */
export function watchTabs(tab: LiveTab, tabs: Tabs, refresh: () => void, signal: AbortSignal): void {
  let leftAt = Date.now();

  function takeOver(): void {
    if (tab.following !== null || tab.works === false || signal.aborted) return;
    tab.heardAt = Date.now();
    tabs.takeOver();
  }
  /** Says that this tab is seen and heard what came until `since`; a tab that leads and does not answer sleeps. */
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
    // Without a stream the page is read anew when the reader returns to it.
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
