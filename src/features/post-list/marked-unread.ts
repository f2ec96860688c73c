import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/**
 * Keys of the posts that the reader marked as "unread from here on", by list. They do not become read again by being
 * visible.
 */
export const markedUnread = new WeakMap<PostList, Set<string>>();

export const isMarkedUnread = (list: PostList, post: Pick<Post, 'channelId' | 'id'>): boolean =>
  markedUnread.get(list)?.has(postKey(post)) === true;
