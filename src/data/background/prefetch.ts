/*
 * Prefetch for offline use: fetches the latest posts of each followed channel, one page after the other, after the first
 * posts are rendered. The progress is stored next to the posts. The next run fetches only posts that are newer.
 */
import type { PagedPosts } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import { boolean, number, optional, shape, string } from '../../../contract/shape.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { isTransientFailure, toRequestFailure } from '../connection/connection.ts';
import type { DataContext } from '../context.ts';
import { isStorageFull } from '../offline/eviction.ts';
import { channelPageKey } from '../offline/keys.ts';
import { isPublicChannel, type OfflineStore, tryParse } from '../offline/offline-store.ts';

/**
 * Prefetch progress of a channel: its posts are stored from the newest one back to the cursor `before`, which is absent when
 * the channel's first post is stored.
 */
interface PrefetchProgress {
  /** Message id of the newest stored post. */
  readonly newest: number;
  /** Number of stored posts. */
  readonly posts: number;
  readonly before?: string | undefined;
  /** Number of posts that the last run requested. */
  readonly wanted: number;
  /** True if these posts are stored, or if there are no more. */
  readonly whole: boolean;
}

/** Key prefix of the progress of a channel. */
export const PREFETCH_PREFIX = 'ahead/';
const PAGE_POSTS = 100;
/**
 * Maximum number of prefetched posts in total, divided equally between the channels. A reader who follows thousands of
 * channels does not need all of their posts.
 */
const MAX_PREFETCHED_POSTS = 20_000;
/** Maximum age of a stored first page that is not requested again, ms. */
const MAX_FIRST_PAGE_AGE_MS = 600_000;

const parsePrefetchProgress = shape<PrefetchProgress>({
  newest: number,
  posts: number,
  before: optional(string),
  wanted: number,
  whole: boolean,
});

/** Prefetches `wanted` posts of each channel. Stops early when the device is full; rejects when the network or the server fails. */
export async function prefetchPosts(
  context: DataContext,
  channelIds: readonly string[],
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  const postsPerChannel = Math.min(wanted, Math.ceil(MAX_PREFETCHED_POSTS / channelIds.length));
  for (const id of channelIds) {
    signal.throwIfAborted();
    if (await isStorageFull()) return;
    try {
      await prefetchChannel(context, id, postsPerChannel);
    } catch (thrown) {
      const failure = toRequestFailure(thrown);
      if (failure.status === null || isTransientFailure(failure)) throw thrown;
      // The channel was deleted, or is not accessible to this reader: there is nothing to prefetch.
    }
  }
}

async function prefetchChannel(
  { api, connection, offline, channelIndex }: DataContext,
  id: string,
  wanted: number,
): Promise<void> {
  const channel = channelIndex.get(id);
  if (channel === undefined) return;
  const { reader, public: publicStore } = await offline.storage;
  const store: KeyValueStore = isPublicChannel(channel) ? publicStore : reader;
  const fetchPage = async (before?: string) => {
    const page = await connection.request(
      (options) => api.posts(id, { limit: PAGE_POSTS, before }, options),
      before === undefined,
    );
    await offline.writePosts(page);
    return page;
  };
  const stored = tryParse(parsePrefetchProgress, await store.get(PREFETCH_PREFIX + id));
  let progress = stored?.wanted === wanted ? stored : null;
  const saveProgress = async (next: Omit<PrefetchProgress, 'wanted' | 'whole'>): Promise<PrefetchProgress> => {
    const whole = next.before === undefined || next.posts >= wanted;
    progress = { ...next, wanted, whole };
    await store.put([[PREFETCH_PREFIX + id, progress]]);
    return progress;
  };

  if (progress === null || (channel.latest?.id ?? 0) > progress.newest) {
    const previous = progress;
    let page = (stored === null && (await readFirstPage(offline, channel))) || (await fetchPage());
    let posts = page.items.length;
    const newest = page.items[0]?.id ?? 0;
    const hasReachedStored = () => previous !== null && page.items.some((post) => post.id <= previous.newest);
    while (previous !== null && !hasReachedStored() && page.next !== null && posts < wanted) {
      page = await fetchPage(page.next);
      posts += page.items.length;
    }
    // If so many posts are new, the previously fetched older posts are not needed any more.
    progress = await saveProgress(
      previous !== null && hasReachedStored() ? { ...previous, newest } : { newest, posts, before: page.next ?? undefined },
    );
  }
  while (!progress.whole) {
    const page = await fetchPage(progress.before);
    progress = await saveProgress({
      newest: progress.newest,
      posts: progress.posts + page.items.length,
      before: page.next ?? undefined,
    });
  }
}

/** Returns a channel's first page if the app has just shown and stored it, and no newer post is known. */
async function readFirstPage(offline: OfflineStore, { id, username = id, latest }: Channel): Promise<PagedPosts | null> {
  for (const name of new Set([id, username])) {
    const stored = await offline.read(channelPageKey(name, false), parse.pagedPosts);
    if (stored === null || Date.now() - stored.at > MAX_FIRST_PAGE_AGE_MS) continue;
    if (latest !== undefined && stored.value.items[0]?.id === latest.id) return stored.value;
  }
  return null;
}
