import type { Happening } from '../../../contract/events.ts';
import type { Told, Word } from './leader-election.ts';
import type { Following } from './stream-follower.ts';

/** What one tab knows of the stream, for as long as who the reader is stays the same. Times are unix ms. */
export interface LiveTab {
  /** What other tabs call it. */
  readonly name: string;
  /** When the page began to read: its first answers are not from before. */
  readonly since: number;
  /** The stream, while this tab leads. */
  following: Following | null;
  /** Whether the stream comes through at all, here or to the tab that leads; null before anyone knows. */
  works: boolean | null;
  /** The event to resume after. */
  place: string | null;
  /** What this tab heard while it led, for tabs that open; oldest first. */
  readonly recent: { readonly at: number; readonly word: Told }[];
  /** When somebody last looked at a tab. */
  seenAt: number;
  /** When the tab that leads gave its last sign of life. */
  heardAt: number;
  /** Tells the other tabs. */
  tell(word: Word): void;
  /** Does to what the tab shows what an event says, and gives it; null where it says nothing that is understood. */
  effect(data: string | null): Happening | null;
}

/** How often tabs look after each other, ms. */
export const TICK = 15_000;
/** The server remembers no longer when things happened, ms. */
export const LONGEST_AGO = 600_000;

/** Makes a tab that has heard nothing yet. */
export function createLiveTab(acts: Pick<LiveTab, 'tell' | 'effect'>, since: number): LiveTab {
  const now = Date.now();
  const name = String(Math.random());
  return { ...acts, name, since, following: null, works: null, place: null, recent: [], seenAt: now, heardAt: now };
}

/** Notes that the stream came through, and where it is. */
export function advance(tab: LiveTab, id: string | null): void {
  // Once given up, it stays so.
  tab.works ??= true;
  tab.place = id ?? tab.place;
}

/** Whether somebody can see this tab. */
export const isSeen = (): boolean => document.visibilityState === 'visible';
