import type { Post } from '../../../contract/post.ts';

/**
 * How far a channel is read: up to the newest post below which everything unread was seen. Feeds are newest first, so the
 * mark waits for the oldest unread post; a mark at the newest seen one would call read what nobody saw. `posts` newest
 * first; null when the mark does not move or has yet to
 * come, or posts between it and these are not loaded.
 */
export function readUpTo(
  posts: readonly Post[],
  channelId: string,
  marks: ReadonlyMap<string, number>,
  seen: ReadonlySet<number>,
  atEnd: boolean,
): number | null {
  const mark = marks.get(channelId);
  const own = posts.filter((post) => post.channelId === channelId);
  if (mark === undefined) return null;
  if (!atEnd && !own.some((post) => post.id <= mark)) return null;
  const unread = own.filter((post) => post.id > mark).sort((a, b) => a.id - b.id);
  const stop = unread.findIndex((post) => !seen.has(post.id));
  const read = stop === -1 ? unread : unread.slice(0, stop);
  return read.at(-1)?.id ?? null;
}
