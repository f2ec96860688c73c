import type { Post } from '../../../contract/post.ts';
import { type Channels, type PostList, postKey } from '../../channels/channels.ts';
import { isUnread } from './reading.ts';

/** The posts of each list that its reader marked unread: they are not read again by being seen. */
const keptUnread = new WeakMap<PostList, Set<string>>();

export const isKeptUnread = (list: PostList, post: Pick<Post, 'channelId' | 'id'>): boolean =>
  keptUnread.get(list)?.has(postKey(post)) === true;

/** Marks a channel as read up to a post. Returns what takes it back. */
export function markUpTo(channels: Channels, list: PostList, { channelId, id }: Post): () => void {
  const takeBack = restoring(channels, list, channelId);
  const kept = keptUnread.get(list);
  for (const post of loadedOf(list, channelId)) if (post.id <= id) kept?.delete(postKey(post));
  channels.markRead(channelId, id);
  return takeBack;
}

/** Moves the read marker to just before a post. Returns what takes it back, null where the marker cannot go back. */
export function markFrom(channels: Channels, list: PostList, post: Post): (() => void) | null {
  if (channels.inside === undefined) return null;
  const takeBack = restoring(channels, list, post.channelId);
  keptUnread.set(list, (keptUnread.get(list) ?? new Set()).add(postKey(post)));
  setBack(channels, list, post.channelId, post.id - 1);
  return takeBack;
}

/** Returns what moves the marker, and the posts that are kept unread, to where they are now. */
function restoring(channels: Channels, list: PostList, channelId: string): () => void {
  const from = channels.marks.get().get(channelId) ?? 0;
  const kept = new Set(keptUnread.get(list));
  return () => {
    keptUnread.set(list, kept);
    const now = channels.marks.get().get(channelId) ?? 0;
    if (now < from) channels.markRead(channelId, from);
    else setBack(channels, list, channelId, from);
  };
}

/** Moves the marker back. The count grows by the posts that are loaded, until the server has counted. */
function setBack({ inside, marks }: Channels, list: PostList, channelId: string, to: number): void {
  if (inside === undefined) return;
  const before = marks.get();
  inside.state.setMark(channelId, to, true);
  const passed = loadedOf(list, channelId).filter((post) => isUnread(post, marks.get()) && !isUnread(post, before));
  inside.unread?.restore(channelId, passed.length);
  void inside.unread?.read([channelId], marks.get()).catch(() => {});
}

function loadedOf(list: PostList, channelId: string): readonly Post[] {
  const state = list.get();
  return state.type === 'loaded' ? state.posts.filter((post) => post.channelId === channelId) : [];
}
