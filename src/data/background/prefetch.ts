/*
 * Reads the last posts of each followed channel ahead, so that a reader has them without a network: one page after the other,
 * when the first posts stand. How far it came is noted beside the posts; the next time only what was posted since is read.
 */
import { boolean, number, optional, shape, string } from '../../../contract/shape.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { failureOf } from '../connection/connection.ts';
import type { Inside } from '../context.ts';
import { isFull } from '../offline/eviction.ts';
import { fit, isOpen } from '../offline/offline-store.ts';

/** How far a channel was read: from its newest post back to `before`, which is absent at its first. */
interface AheadNote {
  readonly newest: number;
  readonly posts: number;
  readonly before?: string | undefined;
  /** The posts that were wanted then. */
  readonly wanted: number;
  /** They are here, or there are no more. */
  readonly whole: boolean;
}

const AHEAD = 'ahead/';
const PAGE = 100;
/** Read ahead in all, of which each channel has an equal share: who follows thousands does not want them all. */
const MOST = 20_000;

const aheadNote = shape<AheadNote>({ newest: number, posts: number, before: optional(string), wanted: number, whole: boolean });

/** Reads `wanted` posts of each channel. Ends early where the device is full; rejects when the network has gone. */
export async function readAhead(
  inside: Inside,
  channelIds: readonly string[],
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  const share = Math.min(wanted, Math.ceil(MOST / channelIds.length));
  for (const id of channelIds) {
    signal.throwIfAborted();
    if (await isFull()) return;
    try {
      await readChannel(inside, id, share);
    } catch (thrown) {
      // One that has gone, or is closed to this reader, has nothing to read.
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
    // Where so much came since, what was read before is not wanted any more.
    now = await note(former !== null && isJoined() ? { ...former, newest } : { newest, posts, before: page.next ?? undefined });
  }
  while (!now.whole) {
    const page = await read(now.before);
    now = await note({ newest: now.newest, posts: now.posts + page.items.length, before: page.next ?? undefined });
  }
}
