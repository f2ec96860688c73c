import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/** The posts of each list that its reader marked as unread from there on: they are not read again by being seen. */
export const markedUnread = new WeakMap<PostList, Set<string>>();

export const isMarkedUnread = (list: PostList, post: Pick<Post, 'channelId' | 'id'>): boolean =>
  markedUnread.get(list)?.has(postKey(post)) === true;
