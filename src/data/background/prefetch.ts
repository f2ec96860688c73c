/*
 * Prefetch for offline use: fetches the latest posts of each followed channel, one page after the other, after the first
 * posts are rendered. The progress is stored next to the posts. The next run fetches only posts that are newer.
 */
import { boolean, number, optional, shape, string } from '../../../contract/shape.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { toRequestFailure } from '../connection/connection.ts';
import type { DataContext } from '../context.ts';
import { isStorageFull } from '../offline/eviction.ts';
import { PREFETCH_PREFIX } from '../offline/keys.ts';
import { isPublicChannel, tryParse } from '../offline/offline-store.ts';

/**
 * Prefetch progress of a channel: covers its newest post back to the cursor `before`, which is absent when the channel's
 * first post is reached.
 */
interface PrefetchProgress {
  readonly newest: number;
  readonly posts: number;
  readonly before?: string | undefined;
  /** Number of posts that was requested then. */
  readonly wanted: number;
  /** True if these posts are stored, or if there are no more. */
  readonly whole: boolean;
}

const PAGE_POSTS = 100;
/**
 * Maximum number of prefetched posts in total, divided equally between the channels. A reader who follows thousands of
 * channels does not need all of their posts.
 */
const MAX_PREFETCHED_POSTS = 20_000;

const parsePrefetchProgress = shape<PrefetchProgress>({
  newest: number,
  posts: number,
  before: optional(string),
  wanted: number,
  whole: boolean,
});

/** Prefetches `wanted` posts of each channel. Stops early when the device is full; rejects when the network fails. */
export async function prefetchPosts(
  inside: DataContext,
  channelIds: readonly string[],
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  const share = Math.min(wanted, Math.ceil(MAX_PREFETCHED_POSTS / channelIds.length));
  for (const id of channelIds) {
    signal.throwIfAborted();
    if (await isStorageFull()) return;
    try {
      await prefetchChannel(inside, id, share);
    } catch (thrown) {
      // The channel was deleted, or is not accessible to this reader: there is nothing to prefetch.
      if (toRequestFailure(thrown).status === null) throw thrown;
    }
  }
}

async function prefetchChannel(
  { api, connection: link, offline: device, channelIndex: known }: DataContext,
  id: string,
  wanted: number,
): Promise<void> {
  const channel = known.get(id);
  if (channel === undefined) return;
  const { reader, public: common } = await device.storage;
  const shelf: KeyValueStore = isPublicChannel(channel) ? common : reader;
  const read = async (before?: string) => {
    const page = await link.request((how) => api.posts(id, { limit: PAGE_POSTS, before }, how), before === undefined);
    await device.writePosts(page);
    return page;
  };
  const noted = tryParse(parsePrefetchProgress, await shelf.get(PREFETCH_PREFIX + id));
  let now = noted?.wanted === wanted ? noted : null;
  const note = async (next: Omit<PrefetchProgress, 'wanted' | 'whole'>): Promise<PrefetchProgress> => {
    const whole = next.before === undefined || next.posts >= wanted;
    now = { ...next, wanted, whole };
    await shelf.put([[PREFETCH_PREFIX + id, now]]);
    return now;
  };

  if (now === null || (channel.latest?.id ?? 0) > now.newest) {
    const former = now;
    let page = await read();
    let posts = page.items.length;
    const newest = page.items[0]?.id ?? 0;
    const isJoined = () => former !== null && page.items.some((post) => post.id <= former.newest);
    while (former !== null && !isJoined() && page.next !== null && posts < wanted) {
      page = await read(page.next);
      posts += page.items.length;
    }
    // If so many posts are new, the previously fetched older posts are not needed any more.
    now = await note(former !== null && isJoined() ? { ...former, newest } : { newest, posts, before: page.next ?? undefined });
  }
  while (!now.whole) {
    const page = await read(now.before);
    now = await note({ newest: now.newest, posts: now.posts + page.items.length, before: page.next ?? undefined });
  }
}
