// Values of the user state in memory, and how a change applies to them.

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
  readonly lineup: WritableSignal<LineupContents | null>;
  /** Version of the line-up that the server last returned. */
  version: number;
  readonly readMarkers: WritableSignal<ReadonlyMap<string, number>>;
  readonly stars: WritableSignal<ReadonlyMap<string, number>>;
  readonly keptUnread: WritableSignal<ReadonlySet<string>>;
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

export function applyChange({ lineup, readMarkers, stars, keptUnread }: UserStateValues, change: Change): void {
  if (change.type === 'lineup') lineup.set(contentsOf(change));
  else if (change.type === 'mark') {
    const next = new Map(readMarkers.get());
    const messageId = Math.max(change.messageId, change.exact ? 0 : (next.get(change.channelId) ?? 0));
    readMarkers.set(next.set(change.channelId, messageId));
  } else if ('post' in change) {
    const next = new Set(keptUnread.get());
    next[change.kept ? 'add' : 'delete'](change.post);
    keptUnread.set(next);
  } else {
    const next = new Map(stars.get());
    if (change.starred) next.set(starKey(change), change.at);
    else next.delete(starKey(change));
    stars.set(next);
  }
}
