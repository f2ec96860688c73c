import type { LineupChange, LineupContents } from '../../contract/lineup.ts';
import { mergeLineups } from '../../contract/merge-lineup.ts';

/** A change as it was sent: `key` is its Idempotency-Key. */
export interface SentChange {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What a server holds of a reader that makes each change once. */
export interface Account {
  readonly lineup: LineupContents & { readonly version: number };
  /** By channel. */
  readonly marks: Readonly<Record<string, number>>;
  /** `channel/post`, sorted. */
  readonly stars: readonly string[];
}

interface World extends Account {
  /** The changes' names, sorted. */
  readonly heard: readonly string[];
}

/** Reckons what a server must hold that was sent changes in order, some of which it may not have heard. */
export interface MadeOnce {
  sent(change: SentChange, isHeard: 'yes' | 'perhaps'): void;
  /** The names under which changes were sent. */
  readonly named: ReadonlySet<string>;
  /** Everything that may be: one for each way in which it was or was not heard what perhaps was. */
  accounts(): Account[];
}

export function createMadeOnce(): MadeOnce {
  let worlds: World[] = [{ lineup: { entries: [], version: 0 }, marks: {}, stars: [], heard: [] }];
  const named = new Set<string>();
  return {
    named,
    sent(change, isHeard) {
      named.add(change.key);
      const made = worlds.map((world) => make(world, change));
      const all = isHeard === 'yes' ? made : [...made, ...worlds];
      // What was sent again and again until it was heard came to the same, whenever that was.
      worlds = [...new Map(all.map((world) => [JSON.stringify(world), world])).values()];
    },
    accounts: () => worlds.map(({ heard: _, ...account }) => account),
  };
}

function make(world: World, { key, method, path, body }: SentChange): World {
  if (world.heard.includes(key)) return world;
  const next = { ...world, heard: [...world.heard, key].toSorted() };
  const [, , room, channelId = '', post] = path.split('/').map(decodeURIComponent);
  if (room === 'lineup') return { ...next, lineup: saved(world.lineup, JSON.parse(body)) };
  if (room === 'channels') return { ...next, marks: moved(world.marks, channelId, JSON.parse(body)) };
  const name = `${channelId}/${post}`;
  const others = world.stars.filter((star) => star !== name);
  return { ...next, stars: (method === 'PUT' ? [...others, name] : others).toSorted() };
}

function saved({ version, ...held }: Account['lineup'], { version: from, ...sent }: LineupChange): Account['lineup'] {
  return { ...(from !== version ? mergeLineups(held, sent) : sent), version: version + 1 };
}

function moved(marks: Account['marks'], channelId: string, { messageId, exact }: { messageId: number; exact: boolean }) {
  const to = exact ? messageId : Math.max(messageId, marks[channelId] ?? 0);
  return Object.fromEntries([...Object.entries({ ...marks, [channelId]: to })].filter(([, id]) => id > 0));
}
