/*
 * Cache eviction: keeps the offline data within its limits. A separate chunk, loaded after the first posts are rendered, and
 * when the device is full. Posts that a reader starred, kept unread or saved are exempt. Only posts, pictures and first pages
 * are evicted; the other data is small, and belongs to the reader.
 */
import { number, shape } from '../../../contract/shape.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { SNAPSHOT_PREFIX } from '../../storage/page-snapshots.ts';
import { CHANNEL_POSTS_PREFIX, FEED_PREFIX, KEPT_UNREAD_PREFIX, POST_PREFIX, postStorageKey, STAR_PREFIX } from './keys.ts';
import { tryParse } from './offline-store.ts';
import { listCachedPictures, postKeyOfPicture } from './picture-keys.ts';
import { RETENTION_LEVELS, readRetentionLevel } from './retention.ts';

export interface StorageLimits {
  /** Maximum number of stored posts per channel. */
  readonly posts: number;
  /** Maximum number of first pages of feeds and channels. Each contains about twenty posts. */
  readonly pages: number;
  /** With fewer posts than this, the total size is not computed. */
  readonly minWeighedPosts: number;
  /** Maximum total size of posts, in characters of their JSON. */
  readonly weight: number;
}

const storageLimits = (): StorageLimits => ({
  posts: RETENTION_LEVELS[readRetentionLevel()].posts,
  pages: 100,
  minWeighedPosts: 5000,
  weight: 100_000_000,
});

/** Key prefix of the progress of channels that the reader saved for offline use. */
export const SAVED_PREFIX = 'saved/';

const PAGE_PREFIXES = [FEED_PREFIX, CHANNEL_POSTS_PREFIX];

/** Share of the storage quota above which posts are evicted. */
const FULL_RATIO = 0.8;
/** If the evicted pictures have fewer bytes than this, posts are evicted too. */
const MIN_FREED_BYTES = 5_000_000;

/**
 * Returns true if a key is exempt from eviction. The argument is the key of a post, or the key prefix of a channel's posts.
 */
export type IsProtected = (key: string) => boolean;

/** Evicts the data above the limits, oldest first. */
export async function evict(storage: DeviceStorage, { posts, pages, ...weights } = storageLimits()): Promise<void> {
  const isProtected = await readProtected(storage.reader);
  for (const store of [storage.reader, storage.public]) {
    for (const keys of (await groupPostKeys(store)).values()) await deleteUnprotected(store, keys.slice(0, -posts), isProtected);
    await evictPages(store, pages);
  }
  if (await isStorageFull()) await evictForSpace(storage);
  else await evictByWeight(storage, isProtected, weights);
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
export function evictForSpace(storage: DeviceStorage): Promise<void> {
  const running = runningEvictions.get(storage) ?? evictHalf(storage).finally(() => runningEvictions.delete(storage));
  runningEvictions.set(storage, running);
  return running;
}

/**
 * Evicts the page snapshots and the pictures. If that frees too little, also evicts the first pages and the older half of the
 * posts.
 */
async function evictHalf({ reader, public: publicStore }: DeviceStorage): Promise<void> {
  await reader.deletePrefix(SNAPSHOT_PREFIX);
  const isProtected = await readProtected(reader);
  if ((await evictPictures([reader, publicStore], isProtected)) > MIN_FREED_BYTES) return;
  for (const store of [reader, publicStore]) {
    for (const prefix of PAGE_PREFIXES) await store.deletePrefix(prefix);
    for (const keys of (await groupPostKeys(store)).values())
      await deleteUnprotected(store, keys.slice(0, Math.ceil(keys.length / 2)), isProtected);
  }
}

/** Evicts the pictures of posts that are not exempt. Returns their size in bytes. */
async function evictPictures(stores: readonly KeyValueStore[], isProtected: IsProtected): Promise<number> {
  let freedBytes = 0;
  for (const store of stores) {
    const evicted = (await listCachedPictures(store)).filter(({ key }) => !isProtected(postKeyOfPicture(key)));
    await store.deleteMany(evicted.map(({ key }) => key));
    freedBytes += evicted.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return freedBytes;
}

/** Returns the exemptions: posts that the reader starred or kept unread, and the posts of saved channels. */
export async function readProtected(reader: KeyValueStore): Promise<IsProtected> {
  const savedChannelIds = new Set((await reader.keys(SAVED_PREFIX)).map((key) => key.slice(SAVED_PREFIX.length)));
  const keys = (await Promise.all([reader.keys(STAR_PREFIX), reader.keys(KEPT_UNREAD_PREFIX)])).flat();
  const protectedKeys = new Set(
    keys.map((key) => key.split('/')).map(([, channelId = '', id]) => postStorageKey(channelId, Number(id))),
  );
  return (key) => protectedKeys.has(key) || savedChannelIds.has(key.split('/')[1] ?? '');
}

/** Returns the keys of stored posts, grouped by the key prefix of their channel, oldest first. */
export async function groupPostKeys(store: KeyValueStore): Promise<Map<string, string[]>> {
  const keysByPrefix = new Map<string, string[]>();
  for (const key of await store.keys(POST_PREFIX)) {
    const prefix = key.slice(0, key.lastIndexOf('/') + 1);
    const keys = keysByPrefix.get(prefix);
    if (keys === undefined) keysByPrefix.set(prefix, [key]);
    else keys.push(key);
  }
  return keysByPrefix;
}

/** Returns the channels without the saved ones, whose posts are all exempt. Map keys are key prefixes of posts. */
export const withoutProtected = (channels: ReadonlyMap<string, string[]>, isProtected: IsProtected): Map<string, string[]> =>
  new Map([...channels].filter(([prefix]) => !isProtected(prefix)));

async function deleteUnprotected(store: KeyValueStore, keys: readonly string[], isProtected: IsProtected): Promise<void> {
  const evicted = keys.filter((key) => !isProtected(key));
  if (evicted.length > 0) await store.deleteMany(evicted);
}

const parseCachedAt = shape<{ at: number }>({ at: number });

/** Evicts the oldest first pages above the limit. */
async function evictPages(store: KeyValueStore, maxPages: number): Promise<void> {
  const keys = (await Promise.all(PAGE_PREFIXES.map((prefix) => store.keys(prefix)))).flat();
  if (keys.length <= maxPages) return;
  const pages = await Promise.all(keys.map(async (key) => ({ key, at: tryParse(parseCachedAt, await store.get(key))?.at ?? 0 })));
  const newestFirst = pages.sort((one, other) => other.at - one.at);
  await store.deleteMany(newestFirst.slice(maxPages).map(({ key }) => key));
}

const parsePostDate = shape<{ value: { date: number } }>({ value: shape<{ date: number }>({ date: number }) });

/** Evicts the oldest posts of all channels together, until the total size is below the limit. */
async function evictByWeight(
  { reader, public: publicStore }: DeviceStorage,
  isProtected: IsProtected,
  limits: Pick<StorageLimits, 'minWeighedPosts' | 'weight'>,
): Promise<void> {
  const stores = [reader, publicStore] as const;
  const prefixes = await Promise.all(stores.map(async (store) => withoutProtected(await groupPostKeys(store), isProtected)));
  const count = prefixes.flatMap((channels) => [...channels.values()]).reduce((sum, keys) => sum + keys.length, 0);
  if (count < limits.minWeighedPosts) return;
  const posts: { store: KeyValueStore; key: string; date: number; weight: number }[] = [];
  // Reads one channel at a time, so that the page remains responsive.
  for (const [index, store] of stores.entries())
    for (const prefix of prefixes[index]?.keys() ?? [])
      for (const [key, raw] of await store.list(prefix))
        posts.push({
          store,
          key,
          date: tryParse(parsePostDate, raw)?.value.date ?? 0,
          weight: JSON.stringify(raw).length,
        });
  let weight = posts.reduce((sum, post) => sum + post.weight, 0);
  const evicted = posts
    .sort((one, other) => one.date - other.date)
    .filter((post) => {
      if (weight <= limits.weight || isProtected(post.key)) return false;
      weight -= post.weight;
      return true;
    });
  for (const store of stores)
    await deleteUnprotected(
      store,
      evicted.filter((post) => post.store === store).map(({ key }) => key),
      isProtected,
    );
}
