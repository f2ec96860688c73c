import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/** Posts of each list that its reader marked as unread from there on: being visible does not mark them as read again. */
export const markedUnread = new WeakMap<PostList, Set<string>>();

export const isMarkedUnread = (list: PostList, post: Pick<Post, 'channelId' | 'id'>): boolean =>
  markedUnread.get(list)?.has(postKey(post)) === true;
