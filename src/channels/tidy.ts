/*
 * Keeps what is kept within bounds. A chunk of its own: it comes when the first posts stand, and when the device is full. What a
 * reader starred stays, and so does all but posts and first pages: it is small, and the reader's own.
 */
import { number, shape } from '../../contract/shape.ts';
import type { Kept } from '../kept/kept.ts';
import type { Shelf } from '../kept/shelf.ts';
import { fit, slot } from './device.ts';

export interface Bounds {
  /** Posts kept of one channel. */
  readonly posts: number;
  /** First pages of feeds and channels; each holds some twenty posts. */
  readonly pages: number;
  /** As long as there are fewer posts they are not weighed. */
  readonly few: number;
  /** What posts may weigh, in characters of their JSON. */
  readonly weight: number;
}
const BOUNDS: Bounds = { posts: 500, pages: 100, few: 5000, weight: 100_000_000 };

/** The share of its room that a browser may have given away before posts leave. */
const FULL = 0.8;
const OFTEN = 300_000;

/** Tidies now, and from time to time until `signal` ends it. */
export function stayTidy(kept: Promise<Kept>, signal: AbortSignal): void {
  const run = async () => tidy(await kept);
  void run();
  const timer = setInterval(run, OFTEN);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Takes away what is over the bounds, the oldest first. */
export async function tidy(kept: Kept, bounds = BOUNDS): Promise<void> {
  const spared = await starredIn(kept.reader);
  for (const shelf of [kept.reader, kept.public]) {
    for (const keys of (await byChannel(shelf)).values()) await leave(shelf, keys.slice(0, -bounds.posts), spared);
    await boundPages(shelf, bounds.pages);
  }
  const { usage = 0, quota = Number.POSITIVE_INFINITY } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  if (usage > quota * FULL) await makeRoom(kept);
  else await boundWeight(kept, spared, bounds);
}

const making = new WeakMap<Kept, Promise<void>>();

/** Takes away the older half of the posts, and the pages that repeat them: once for all writes that wait for it. */
export function makeRoom(kept: Kept): Promise<void> {
  const done = making.get(kept) ?? halve(kept).finally(() => making.delete(kept));
  making.set(kept, done);
  return done;
}

async function halve({ reader, public: common }: Kept): Promise<void> {
  const spared = await starredIn(reader);
  for (const shelf of [reader, common]) {
    for (const prefix of ['feed/', 'posts/']) await shelf.drop(prefix);
    for (const keys of (await byChannel(shelf)).values()) await leave(shelf, keys.slice(0, Math.ceil(keys.length / 2)), spared);
  }
}

/** The names of the posts that the reader starred. */
async function starredIn(reader: Shelf): Promise<ReadonlySet<string>> {
  const keys = await reader.keys('star/');
  return new Set(keys.map((key) => key.split('/')).map(([, channelId = '', id]) => slot(channelId, Number(id))));
}

/** The names of kept posts by how those of a channel begin, the oldest first. */
async function byChannel(shelf: Shelf): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const key of await shelf.keys('post/')) {
    const prefix = key.slice(0, key.lastIndexOf('/') + 1);
    const keys = found.get(prefix);
    if (keys === undefined) found.set(prefix, [key]);
    else keys.push(key);
  }
  return found;
}

async function leave(shelf: Shelf, keys: readonly string[], spared: ReadonlySet<string>): Promise<void> {
  const left = keys.filter((key) => !spared.has(key));
  if (left.length > 0) await shelf.remove(left);
}

const since = shape<{ at: number }>({ at: number });

async function boundPages(shelf: Shelf, most: number): Promise<void> {
  const keys = (await Promise.all(['feed/', 'posts/'].map((prefix) => shelf.keys(prefix)))).flat();
  if (keys.length <= most) return;
  const pages = await Promise.all(keys.map(async (key) => ({ key, at: fit(since, await shelf.get(key))?.at ?? 0 })));
  const newestFirst = pages.sort((one, other) => other.at - one.at);
  await shelf.remove(newestFirst.slice(most).map(({ key }) => key));
}

const dated = shape<{ value: { date: number } }>({ value: shape<{ date: number }>({ date: number }) });

/** Of all channels together the oldest posts leave until the rest is light enough. */
async function boundWeight({ reader, public: common }: Kept, spared: ReadonlySet<string>, bounds: Bounds): Promise<void> {
  const shelves = [reader, common] as const;
  const prefixes = await Promise.all(shelves.map(byChannel));
  const count = prefixes.flatMap((channels) => [...channels.values()]).reduce((sum, keys) => sum + keys.length, 0);
  if (count < bounds.few) return;
  const posts: { shelf: Shelf; key: string; date: number; weight: number }[] = [];
  // A channel at a time, so that the page stays quick.
  for (const [at, shelf] of shelves.entries())
    for (const prefix of prefixes[at]?.keys() ?? [])
      for (const [key, raw] of await shelf.list(prefix))
        posts.push({ shelf, key, date: fit(dated, raw)?.value.date ?? 0, weight: JSON.stringify(raw).length });
  let weight = posts.reduce((sum, post) => sum + post.weight, 0);
  const left = posts
    .sort((one, other) => one.date - other.date)
    .filter((post) => {
      if (weight <= bounds.weight || spared.has(post.key)) return false;
      weight -= post.weight;
      return true;
    });
  for (const shelf of shelves)
    await leave(
      shelf,
      left.filter((post) => post.shelf === shelf).map(({ key }) => key),
      spared,
    );
}
