import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';

type Marks = ReadonlyMap<string, number>;

/** Whether a post is newer than its channel's mark; at a channel's first sight nothing is, as in the counts. */
export const isUnread = (post: Pick<Post, 'channelId' | 'id'>, marks: Marks): boolean =>
  post.id > (marks.get(post.channelId) ?? Number.POSITIVE_INFINITY);

/** What the reader had read on arrival, and the channels that the list is made of. */
export interface Arrival {
  readonly marks: Marks;
  readonly channels: readonly Pick<Channel, 'id' | 'latest'>[];
}

/** Whether anything came since the reader was last here. */
export const hasNew = ({ marks, channels }: Arrival): boolean =>
  channels.some(({ id, latest }) => latest !== undefined && isUnread({ channelId: id, id: latest.id }, marks));

/**
 * Where "You left off here" stands: before the post of this index, under the last new one. Null when nothing is new, and
 * while some channel's new posts may go on below what is loaded, so that it never moves once it stands.
 */
export function dividerIndex(posts: readonly Post[], { marks, channels }: Arrival, atEnd: boolean): number | null {
  // What came since the list was read waits above it.
  const newest = posts[0]?.date ?? 0;
  const goesOn = channels.some(
    ({ id, latest }) =>
      latest !== undefined &&
      latest.date <= newest &&
      isUnread({ channelId: id, id: latest.id }, marks) &&
      !posts.some((post) => post.channelId === id && !isUnread(post, marks)),
  );
  if (goesOn && !atEnd) return null;
  const last = posts.findLastIndex((post) => isUnread(post, marks));
  return last === -1 ? null : last + 1;
}
