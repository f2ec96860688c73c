// Model of idempotent writes: computes the account that a server must have after a sequence of changes.

import type { LineupChange, LineupContents } from '../../contract/lineup.ts';
import { mergeLineups } from '../../contract/merge-lineup.ts';

/** A sent change. `key` is its Idempotency-Key. */
export interface SentChange {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The data of a reader on a server that applies each change once. */
export interface Account {
  readonly lineup: LineupContents & { readonly version: number };
  /** By channel. */
  readonly marks: Readonly<Record<string, number>>;
  /** `channel/post`, sorted. */
  readonly stars: readonly string[];
}

interface World extends Account {
  /** The ids of the applied changes, sorted. */
  readonly appliedKeys: readonly string[];
}

/** Computes the possible states of a server that received changes in order, if some of them may not have arrived. */
export interface IdempotencyModel {
  sent(change: SentChange, arrived: 'yes' | 'perhaps'): void;
  /** The ids of the sent changes. */
  readonly changeIds: ReadonlySet<string>;
  /** Returns every possible state: for each change that may not have arrived, one with it and one without it. */
  accounts(): Account[];
}

export function createIdempotencyModel(): IdempotencyModel {
  let worlds: World[] = [{ lineup: { entries: [], version: 0 }, marks: {}, stars: [], appliedKeys: [] }];
  const changeIds = new Set<string>();
  return {
    changeIds,
    sent(change, arrived) {
      changeIds.add(change.key);
      const updated = worlds.map((world) => apply(world, change));
      const all = arrived === 'yes' ? updated : [...updated, ...worlds];
      // A change that was repeated until it arrived leads to the same state, regardless of the attempt that arrived. So equal
      // states are merged.
      worlds = [...new Map(all.map((world) => [JSON.stringify(world), world])).values()];
    },
    accounts: () => worlds.map(({ appliedKeys: _, ...account }) => account),
  };
}

function apply(world: World, { key, method, path, body }: SentChange): World {
  if (world.appliedKeys.includes(key)) return world;
  const next = { ...world, appliedKeys: [...world.appliedKeys, key].toSorted() };
  const [, , resource, channelId = '', post] = path.split('/').map(decodeURIComponent);
  if (resource === 'lineup') return { ...next, lineup: mergeLineup(world.lineup, JSON.parse(body)) };
  if (resource === 'channels') return { ...next, marks: moveMarker(world.marks, channelId, JSON.parse(body)) };
  const name = `${channelId}/${post}`;
  const others = world.stars.filter((star) => star !== name);
  return { ...next, stars: (method === 'PUT' ? [...others, name] : others).toSorted() };
}

function mergeLineup({ version, ...current }: Account['lineup'], { version: from, ...sent }: LineupChange): Account['lineup'] {
  return { ...(from !== version ? mergeLineups(current, sent) : sent), version: version + 1 };
}

function moveMarker(marks: Account['marks'], channelId: string, { messageId, exact }: { messageId: number; exact: boolean }) {
  const to = exact ? messageId : Math.max(messageId, marks[channelId] ?? 0);
  return Object.fromEntries([...Object.entries({ ...marks, [channelId]: to })].filter(([, id]) => id > 0));
}
