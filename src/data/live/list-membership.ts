// List membership: decides which posts belong to a list in the query cache.

import type { Post } from '../../../contract/post.ts';
import { showsMedia } from '../../../contract/shown-media.ts';
import type { DataContext } from '../context.ts';
import { DEFAULT_LINEUP, feedChannelIds } from '../lineup/selectors.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { InfinitePostList } from '../queries/post-list/types.ts';
import type { QueryKey } from '../queries/query-cache.ts';

/** A list in the query cache, with its query. */
export interface ShownList {
  readonly key: QueryKey;
  readonly list: InfinitePostList;
}

/** Returns true if a list fetched now would contain a post. */
export type BelongsToList = (shown: ShownList, post: Post) => boolean;

/** Creates the test. It is false for a search, and for posts around one or around a date. */
export function createListMembership({ channelIndex, userState: { lineup, readMarkers } }: DataContext): BelongsToList {
  const idOf = (name: unknown): unknown => (typeof name === 'string' ? (channelIndex.get(name)?.id ?? name) : name);
  function isOfFeed(channelId: string, names: unknown): boolean {
    const ids = Array.isArray(names) ? names.map(idOf) : feedChannelIds(lineup.get() ?? DEFAULT_LINEUP, Date.now() / 1000);
    return ids === undefined || ids.includes(channelId);
  }
  return ({ key: [name, channel, ...parameters] }, post) => {
    if (name === 'feed') {
      const [show] = parameters;
      if (show === 'starred' || (show === 'media' && !showsMedia(post.media))) return false;
      return isOfFeed(post.channelId, channel) && (show !== 'unread' || post.id > (readMarkers.get().get(post.channelId) ?? 0));
    }
    const [q, media, around, , date] = parameters;
    return (q ?? around ?? date) === undefined && idOf(channel) === post.channelId && (media !== true || showsMedia(post.media));
  };
}

/** Returns the posts of `recent` that belong to a list, and that it does not contain. */
export function missingPosts(shown: ShownList, recent: readonly Post[], belongs: BelongsToList): readonly Post[] {
  const state = shown.list.get();
  if (state.type !== 'loaded') return [];
  const keys = new Set(state.posts.map(postKey));
  const last = state.older === 'end' ? undefined : state.posts.at(-1);
  // A list whose loaded part does not reach the newest posts only lacks posts newer than the newest one it knows.
  const newest = state.newer === 'end' ? null : shown.list.newest();
  return recent
    .filter((post) => !keys.has(postKey(post)) && belongs(shown, post) && (last === undefined || newestFirst(post, last) < 0))
    .filter((post) => newest === null || newestFirst(post, newest) < 0);
}

/**
 * Replaces a post in a list. A post within the list's range that the list does not contain was unhidden; it is inserted.
 */
export function replacePost(shown: ShownList, post: Post, belongs: BelongsToList): void {
  const key = postKey(post);
  const isUnfiltered = shown.key[0] === 'feed' ? shown.key[2] === 'all' : shown.key[3] !== true;
  shown.list.edit(({ items }) => {
    if (items.some((other) => postKey(other) === key))
      return { items: items.map((other) => (postKey(other) === key ? post : other)) };
    const [first, last] = [items[0], items.at(-1)];
    const isWithin = first && last && newestFirst(first, post) < 0 && newestFirst(post, last) < 0;
    return isWithin && isUnfiltered && belongs(shown, post) ? { items: [...items, post].sort(newestFirst) } : {};
  });
}

/** Returns true if the loaded part of a list does not reach the newest posts. */
export const isDetached = ({ list }: ShownList): boolean => {
  const state = list.get();
  return state.type === 'loaded' && state.newer !== 'end';
};
