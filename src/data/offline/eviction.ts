/*
 * Cache eviction: keeps the offline data within its limits. A separate chunk, loaded after the first posts are rendered, and
 * when the device is full. Posts that a reader starred, kept unread or saved are exempt. Only posts, pictures and first pages
 * are evicted; the other data is small, and belongs to the reader.
 */
import { number, shape } from '../../../contract/shape.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import {
  KEPT_UNREAD_PREFIX,
  PAGE_PREFIXES,
  POST_PREFIX,
  postKeyOfPicture,
  postStorageKey,
  SAVED_PREFIX,
  STAR_PREFIX,
} from './keys.ts';
import { tryParse } from './offline-store.ts';
import { listCachedPictures } from './picture-keys.ts';
import { RETENTION_LEVELS, readRetentionLevel } from './retention.ts';

export interface StorageLimits {
  /** Maximum number of stored posts per channel. */
  readonly posts: number;
  /** Maximum number of first pages of feeds and channels. Each contains about twenty posts. */
  readonly pages: number;
  /** With fewer posts than this, the total size is not computed. */
  readonly few: number;
  /** Maximum total size of posts, in characters of their JSON. */
  readonly weight: number;
}
const storageLimits = (): StorageLimits => ({
  posts: RETENTION_LEVELS[readRetentionLevel()].posts,
  pages: 100,
  few: 5000,
  weight: 100_000_000,
});

/** Share of the storage quota above which posts are evicted. */
const FULL_RATIO = 0.8;
/** If the evicted pictures have fewer bytes than this, posts are evicted too. */
const MIN_FREED_BYTES = 5_000_000;

/**
 * Returns true if a key is exempt from eviction. The argument is the key of a post, or the key prefix of a channel's posts.
 */
export type IsProtected = (postName: string) => boolean;

/** Evicts the data above the limits, oldest first. */
export async function evict(kept: DeviceStorage, { posts, pages, ...weights } = storageLimits()): Promise<void> {
  const spared = await readProtected(kept.reader);
  for (const shelf of [kept.reader, kept.public]) {
    for (const keys of (await groupPostKeys(shelf)).values()) await deleteUnprotected(shelf, keys.slice(0, -posts), spared);
    await evictPages(shelf, pages);
  }
  if (await isStorageFull()) await evictForSpace(kept);
  else await evictByWeight(kept, spared, weights);
}

/** Returns true if the storage quota is nearly used up, as far as the browser reports it. */
export async function isStorageFull(): Promise<boolean> {
  const { usage = 0, quota = Number.POSITIVE_INFINITY } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return usage > quota * FULL_RATIO;
}

const runningEvictions = new WeakMap<DeviceStorage, Promise<void>>();

/**
 * Frees space: evicts the pictures. If they are small in total, also evicts the older half of the posts, and the pages that
 * repeat them. Concurrent callers share one run.
 */
export function evictForSpace(kept: DeviceStorage): Promise<void> {
  const done = runningEvictions.get(kept) ?? evictHalf(kept).finally(() => runningEvictions.delete(kept));
  runningEvictions.set(kept, done);
  return done;
}

async function evictHalf({ reader, public: common }: DeviceStorage): Promise<void> {
  const spared = await readProtected(reader);
  if ((await evictPictures([reader, common], spared)) > MIN_FREED_BYTES) return;
  for (const shelf of [reader, common]) {
    for (const prefix of PAGE_PREFIXES) await shelf.deletePrefix(prefix);
    for (const keys of (await groupPostKeys(shelf)).values())
      await deleteUnprotected(shelf, keys.slice(0, Math.ceil(keys.length / 2)), spared);
  }
}

/** Evicts the pictures of posts that are not exempt. Returns their size in bytes. */
async function evictPictures(shelves: readonly KeyValueStore[], spared: IsProtected): Promise<number> {
  let dropped = 0;
  for (const shelf of shelves) {
    const left = (await listCachedPictures(shelf)).filter(({ key }) => !spared(postKeyOfPicture(key)));
    await shelf.deleteMany(left.map(({ key }) => key));
    dropped += left.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return dropped;
}

/** Returns the exemptions: posts that the reader starred or kept unread, and the posts of saved channels. */
export async function readProtected(reader: KeyValueStore): Promise<IsProtected> {
  const saved = new Set((await reader.keys(SAVED_PREFIX)).map((key) => key.slice(SAVED_PREFIX.length)));
  const keys = (await Promise.all([reader.keys(STAR_PREFIX), reader.keys(KEPT_UNREAD_PREFIX)])).flat();
  const wanted = new Set(
    keys.map((key) => key.split('/')).map(([, channelId = '', id]) => postStorageKey(channelId, Number(id))),
  );
  return (name) => wanted.has(name) || saved.has(name.split('/')[1] ?? '');
}

/** Returns the keys of stored posts, grouped by the key prefix of their channel, oldest first. */
export async function groupPostKeys(shelf: KeyValueStore): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const key of await shelf.keys(POST_PREFIX)) {
    const prefix = key.slice(0, key.lastIndexOf('/') + 1);
    const keys = found.get(prefix);
    if (keys === undefined) found.set(prefix, [key]);
    else keys.push(key);
  }
  return found;
}

/** Returns the channels that are not exempt as a whole. */
export const withoutProtected = (channels: ReadonlyMap<string, string[]>, spared: IsProtected): Map<string, string[]> =>
  new Map([...channels].filter(([prefix]) => !spared(prefix)));

async function deleteUnprotected(shelf: KeyValueStore, keys: readonly string[], spared: IsProtected): Promise<void> {
  const left = keys.filter((key) => !spared(key));
  if (left.length > 0) await shelf.deleteMany(left);
}

const parseCachedAt = shape<{ at: number }>({ at: number });

async function evictPages(shelf: KeyValueStore, most: number): Promise<void> {
  const keys = (await Promise.all(PAGE_PREFIXES.map((prefix) => shelf.keys(prefix)))).flat();
  if (keys.length <= most) return;
  const pages = await Promise.all(keys.map(async (key) => ({ key, at: tryParse(parseCachedAt, await shelf.get(key))?.at ?? 0 })));
  const newestFirst = pages.sort((one, other) => other.at - one.at);
  await shelf.deleteMany(newestFirst.slice(most).map(({ key }) => key));
}

const parsePostDate = shape<{ value: { date: number } }>({ value: shape<{ date: number }>({ date: number }) });

/** Evicts the oldest posts of all channels together, until the total size is below the limit. */
async function evictByWeight(
  { reader, public: common }: DeviceStorage,
  spared: IsProtected,
  bounds: Pick<StorageLimits, 'few' | 'weight'>,
): Promise<void> {
  const shelves = [reader, common] as const;
  const prefixes = await Promise.all(shelves.map(async (shelf) => withoutProtected(await groupPostKeys(shelf), spared)));
  const count = prefixes.flatMap((channels) => [...channels.values()]).reduce((sum, keys) => sum + keys.length, 0);
  if (count < bounds.few) return;
  const posts: { shelf: KeyValueStore; key: string; date: number; weight: number }[] = [];
  // Reads one channel at a time, so that the page remains responsive.
  for (const [at, shelf] of shelves.entries())
    for (const prefix of prefixes[at]?.keys() ?? [])
      for (const [key, raw] of await shelf.list(prefix))
        posts.push({ shelf, key, date: tryParse(parsePostDate, raw)?.value.date ?? 0, weight: JSON.stringify(raw).length });
  let weight = posts.reduce((sum, post) => sum + post.weight, 0);
  const left = posts
    .sort((one, other) => one.date - other.date)
    .filter((post) => {
      if (weight <= bounds.weight || spared(post.key)) return false;
      weight -= post.weight;
      return true;
    });
  for (const shelf of shelves)
    await deleteUnprotected(
      shelf,
      left.filter((post) => post.shelf === shelf).map(({ key }) => key),
      spared,
    );
}
