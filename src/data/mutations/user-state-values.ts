// User state in memory: the reader's line-up, read markers, stars and posts kept unread, and how a change applies to
// them.

import type { LineupContents } from '../../../contract/lineup.ts';
import { createSignal, type WritableSignal } from '../../lib/signal.ts';
import type { Change } from './change.ts';
import { contentsOf, starKey } from './user-state-storage.ts';

/** A line-up before and after another device's changes were merged into it. */
export interface LineupMerge {
  readonly before: LineupContents;
  readonly after: LineupContents;
}

export interface UserStateValues {
  /** Null while it is unknown. */
  readonly lineup: WritableSignal<LineupContents | null>;
  /** Version of the line-up that the server last returned. */
  version: number;
  /** Id of the last read post, by channel id. */
  readonly readMarkers: WritableSignal<ReadonlyMap<string, number>>;
  /** Time of each star, by post key. */
  readonly stars: WritableSignal<ReadonlyMap<string, number>>;
  /** Post keys. */
  readonly keptUnread: WritableSignal<ReadonlySet<string>>;
  /** The last merge, until the reader undoes or dismisses it. */
  readonly lastMerge: WritableSignal<LineupMerge | null>;
}

export const createUserStateValues = (): UserStateValues => ({
  lineup: createSignal<LineupContents | null>(null),
  version: 0,
  readMarkers: createSignal<ReadonlyMap<string, number>>(new Map()),
  stars: createSignal<ReadonlyMap<string, number>>(new Map()),
  keptUnread: createSignal<ReadonlySet<string>>(new Set()),
  lastMerge: createSignal<LineupMerge | null>(null),
});

/** Applies a change. A read marker moves backwards only if the change is `exact`. */
export function applyChange({ lineup, readMarkers, stars, keptUnread }: UserStateValues, change: Change): void {
  if (change.type === 'lineup') lineup.set(contentsOf(change));
  else if (change.type === 'mark') {
    const next = new Map(readMarkers.get());
    const messageId = Math.max(change.messageId, change.exact ? 0 : (next.get(change.channelId) ?? 0));
    readMarkers.set(next.set(change.channelId, messageId));
  } else if (change.type === 'kept-unread') {
    const next = new Set(keptUnread.get());
    if (change.kept) next.add(change.post);
    else next.delete(change.post);
    keptUnread.set(next);
  } else {
    const next = new Map(stars.get());
    if (change.starred) next.set(starKey(change), change.at);
    else next.delete(starKey(change));
    stars.set(next);
  }
}
