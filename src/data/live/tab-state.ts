import type { Happening } from '../../../contract/events.ts';
import type { Told, Word } from './leader-election.ts';
import type { Following } from './stream-follower.ts';

/** State of the event stream in one tab, for one identity of the reader. Times are unix ms. */
export interface LiveTab {
  /** Id of this tab in messages to other tabs. */
  readonly name: string;
  /** Time when the page began to load data. Its first responses are not older. */
  readonly since: number;
  /** The stream, while this tab is the leader. */
  following: Following | null;
  /** True if the stream works, here or in the leader tab; false if it does not; null while unknown. */
  works: boolean | null;
  /** Id of the event to resume after. */
  place: string | null;
  /** Events that this tab received as the leader, for tabs that open later; oldest first. */
  readonly recent: { readonly at: number; readonly word: Told }[];
  /** Time when a tab was last visible. */
  seenAt: number;
  /** Time of the last message from the leader tab. */
  heardAt: number;
  /** Sends a message to the other tabs. */
  tell(word: Word): void;
  /** Applies an event to what the tab shows, and returns it; null where the data is no known event. */
  effect(data: string | null): Happening | null;
}

/** Interval at which tabs check each other, ms. */
export const TICK = 15_000;
/** Maximum age of events that the server can replay, ms. */
export const MAX_REPLAY_AGE_MS = 600_000;

/** Creates the state of a tab that has received nothing yet. */
export function createLiveTab(acts: Pick<LiveTab, 'tell' | 'effect'>, since: number): LiveTab {
  const now = Date.now();
  const name = String(Math.random());
  return { ...acts, name, since, following: null, works: null, place: null, recent: [], seenAt: now, heardAt: now };
}

/** Records that the stream works, and the last event id. */
export function advance(tab: LiveTab, id: string | null): void {
  // A stream that was given up remains so.
  tab.works ??= true;
  tab.place = id ?? tab.place;
}

/** Returns true if this tab is visible. */
export const isSeen = (): boolean => document.visibilityState === 'visible';
