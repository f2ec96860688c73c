import type { LiveEvent } from '../../../contract/events.ts';
import type { EventMessage, TabMessage } from './leader-election.ts';
import type { StreamFollower } from './stream-follower.ts';

/** State of the event stream in one tab, for one identity of the reader. Times are unix ms. */
export interface TabState {
  /** Id of this tab in messages to other tabs. */
  readonly tabId: string;
  /** Time when the page began to load data. Its first responses are not older. */
  readonly since: number;
  /** The stream, while this tab is the leader. */
  follower: StreamFollower | null;
  /** True if the stream works, here or in the leader tab; false if it does not; null while unknown. */
  streamSupported: boolean | null;
  /** Id of the event to resume after. */
  lastEventId: string | null;
  /** Events that this tab received as the leader, for tabs that open later; oldest first. */
  readonly recentEvents: { readonly at: number; readonly word: EventMessage }[];
  /** Time when a tab was last visible. */
  visibleAt: number;
  /** Time of the last message from the leader tab. */
  leaderSeenAt: number;
  /** Sends a message to the other tabs. */
  broadcast(message: TabMessage): void;
  /** Applies an event to what the tab shows, and returns it; null if the data is no known event. */
  applyEvent(data: string | null): LiveEvent | null;
}

/** Interval at which tabs check each other, ms. */
export const TAB_CHECK_INTERVAL_MS = 15_000;
/** Maximum age of events that the server can replay, ms. */
export const MAX_REPLAY_AGE_MS = 600_000;

/** Creates the state of a tab that has received nothing yet. */
export function createTabState(actions: Pick<TabState, 'broadcast' | 'applyEvent'>, since: number): TabState {
  const now = Date.now();
  const tabId = String(Math.random());
  return {
    ...actions,
    tabId,
    since,
    follower: null,
    streamSupported: null,
    lastEventId: null,
    recentEvents: [],
    visibleAt: now,
    leaderSeenAt: now,
  };
}

/** Records that the stream works, and the last event id. */
export function advanceStream(tab: TabState, id: string | null): void {
  // A stream that was found to be unsupported (false) remains so.
  tab.streamSupported ??= true;
  tab.lastEventId = id ?? tab.lastEventId;
}

/** Returns true if this tab is visible. */
export const isTabVisible = (): boolean => document.visibilityState === 'visible';
