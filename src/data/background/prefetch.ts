/*
 * Prefetch for offline use: fetches the latest posts of each followed channel, one page after the other, after the first
 * posts are rendered. The progress is stored next to the posts. The next run fetches only posts that are newer.
 */
import { boolean, number, optional, shape, string } from '../../../contract/shape.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { failureOf } from '../connection/connection.ts';
import type { Inside } from '../context.ts';
import { isFull } from '../offline/eviction.ts';
import { fit, isOpen } from '../offline/offline-store.ts';

/**
 * Prefetch progress of a channel: covers its newest post back to the cursor `before`, which is absent when the channel's
 * first post is reached.
 */
interface AheadNote {
  readonly newest: number;
  readonly posts: number;
  readonly before?: string | undefined;
  /** Number of posts that was requested then. */
  readonly wanted: number;
  /** True if these posts are stored, or if there are no more. */
  readonly whole: boolean;
}

const AHEAD = 'ahead/';
const PAGE = 100;
/**
 * Maximum number of prefetched posts in total, divided equally between the channels. A reader who follows thousands of
 * channels does not need all of their posts.
 */
const MAX_PREFETCHED_POSTS = 20_000;

const aheadNote = shape<AheadNote>({ newest: number, posts: number, before: optional(string), wanted: number, whole: boolean });

/** Prefetches `wanted` posts of each channel. Stops early when the device is full; rejects when the network fails. */
export async function readAhead(
  inside: Inside,
  channelIds: readonly string[],
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  const share = Math.min(wanted, Math.ceil(MAX_PREFETCHED_POSTS / channelIds.length));
  for (const id of channelIds) {
    signal.throwIfAborted();
    if (await isFull()) return;
    try {
      await readChannel(inside, id, share);
    } catch (thrown) {
      // The channel was deleted, or is not accessible to this reader: there is nothing to prefetch.
      if (failureOf(thrown).status === null) throw thrown;
    }
  }
}

async function readChannel({ api, link, device, known }: Inside, id: string, wanted: number): Promise<void> {
  const channel = known.find(id);
  if (channel === undefined) return;
  const { reader, public: common } = await device.kept;
  const shelf: Shelf = isOpen(channel) ? common : reader;
  const read = async (before?: string) => {
    const page = await link.call((how) => api.posts(id, { limit: PAGE, before }, how), before === undefined);
    await device.keepPosts(page);
    return page;
  };
  const noted = fit(aheadNote, await shelf.get(AHEAD + id));
  let now = noted?.wanted === wanted ? noted : null;
  const note = async (next: Omit<AheadNote, 'wanted' | 'whole'>): Promise<AheadNote> => {
    const whole = next.before === undefined || next.posts >= wanted;
    now = { ...next, wanted, whole };
    await shelf.put([[AHEAD + id, now]]);
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
