// Keys and sort order of posts.
import type { Post } from '../../../contract/post.ts';

/** Returns the key of a post in lists, stars and scroll positions: `channelId/id`. */
export const postKey = (post: { readonly channelId: string; readonly id: number }): string => `${post.channelId}/${post.id}`;

/** Compares posts for the order newest first: by date, then channel id, then message id, all descending, as the server does. */
export const newestFirst = (
  one: Pick<Post, 'channelId' | 'id' | 'date'>,
  other: Pick<Post, 'channelId' | 'id' | 'date'>,
): number => {
  if (one.date !== other.date) return other.date - one.date;
  if (one.channelId !== other.channelId) return one.channelId < other.channelId ? 1 : -1;
  return other.id - one.id;
};
