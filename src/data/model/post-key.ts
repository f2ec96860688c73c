// Keys and sort order of posts.
import type { Post } from '../../../contract/post.ts';

/** Returns the key of a post in lists, stars and scroll positions: `channelId/id`. */
export const postKey = (post: { readonly channelId: string; readonly id: number }): string => `${post.channelId}/${post.id}`;

/** Compares posts for the order newest first: by date, then channel, then message id, as the server does. */
export const newestFirst = (
  one: Pick<Post, 'channelId' | 'id' | 'date'>,
  other: Pick<Post, 'channelId' | 'id' | 'date'>,
): number =>
  other.date - one.date || (one.channelId < other.channelId ? 1 : one.channelId > other.channelId ? -1 : other.id - one.id);
