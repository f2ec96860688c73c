import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';

/** Id of the last read post, by channel id. */
type ReadMarkers = ReadonlyMap<string, number>;

/**
 * Read progress: returns true if a post is newer than its channel's read marker. At the first visit of a channel, no
 * post is unread, as in the unread counts.
 */
export const isUnread = (post: Pick<Post, 'channelId' | 'id'>, readMarkers: ReadMarkers): boolean =>
  post.id > (readMarkers.get(post.channelId) ?? Number.POSITIVE_INFINITY);

/** Read progress at the reader's arrival: the read markers, and the channels of the list. */
export interface VisitReadMarkers {
  readonly readMarkers: ReadMarkers;
  readonly channels: readonly Pick<Channel, 'id' | 'latest'>[];
}

/** Returns true if a post was published since the reader's last visit. */
export const hasNewPosts = ({ readMarkers, channels }: VisitReadMarkers): boolean =>
  channels.some(({ id, latest }) => latest !== undefined && isUnread({ channelId: id, id: latest.id }, readMarkers));

/**
 * Returns the index of the post below the divider "You left off here", which is under the last new post. Null if no
 * post is new. Also null while more new posts of a channel may follow below the loaded ones, so that a displayed
 * divider never moves. `isComplete` is true if no older posts are left to load.
 */
export function dividerIndex(
  posts: readonly Post[],
  { readMarkers, channels }: VisitReadMarkers,
  isComplete: boolean,
): number | null {
  // Newer posts arrived after the list was loaded, and are not in it yet.
  const newest = posts[0]?.date ?? 0;
  const mayContinue = channels.some(
    ({ id, latest }) =>
      latest !== undefined &&
      latest.date <= newest &&
      isUnread({ channelId: id, id: latest.id }, readMarkers) &&
      !posts.some((post) => post.channelId === id && !isUnread(post, readMarkers)),
  );
  if (mayContinue && !isComplete) return null;
  const lastNew = posts.findLastIndex((post) => isUnread(post, readMarkers));
  return lastNew === -1 ? null : lastNew + 1;
}
