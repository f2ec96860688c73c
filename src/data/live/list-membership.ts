// List membership: decides which posts belong to a list in the query cache.

import type { Post } from '../../../contract/post.ts';
import { showsMedia } from '../../../contract/shown-media.ts';
import type { DataContext } from '../context.ts';
import { DEFAULT_LINEUP, feedChannelIds } from '../lineup/selectors.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { CacheEntry, QueryParameters } from '../queries/query-cache.ts';

/** A list of posts in the query cache. */
export type CachedList = CacheEntry<'feed'> | CacheEntry<'channelPosts'> | CacheEntry<'search'>;

/** Returns true if a list fetched now would contain a post. */
export type BelongsToList = (entry: CachedList, post: Post) => boolean;

/** Creates the test. It is false for a search, and for posts around one or around a date. */
export function createListMembership({ channelIndex: { idOf }, userState: { lineup, readMarkers } }: DataContext): BelongsToList {
  function isInFeed({ channelIds, show }: QueryParameters['feed'], { channelId, id, media }: Post): boolean {
    if (show === 'starred' || (show === 'media' && !showsMedia(media))) return false;
    if (show === 'unread' && id <= (readMarkers.get().get(channelId) ?? 0)) return false;
    const ids = channelIds?.map(idOf) ?? feedChannelIds(lineup.get() ?? DEFAULT_LINEUP, Date.now() / 1000);
    return ids === undefined || ids.includes(channelId);
  }
  function isOfChannel({ idOrUsername, q, media, around, date }: QueryParameters['channelPosts'], post: Post): boolean {
    if ((q ?? around ?? date) !== undefined) return false;
    return idOf(idOrUsername) === post.channelId && (media !== true || showsMedia(post.media));
  }
  return (entry, post) => {
    switch (entry.kind) {
      case 'feed':
        return isInFeed(entry.parameters, post);
      case 'channelPosts':
        return isOfChannel(entry.parameters, post);
      case 'search':
        return false;
    }
  };
}

/** Returns the posts of `recent` that belong to a list, and that it does not contain. */
export function missingPosts(entry: CachedList, recent: readonly Post[], belongs: BelongsToList): readonly Post[] {
  const state = entry.value.get();
  if (state.type !== 'loaded') return [];
  const keys = new Set(state.posts.map(postKey));
  const last = state.older === 'end' ? undefined : state.posts.at(-1);
  // A list whose loaded part does not reach the newest posts only lacks posts newer than the newest one it knows.
  const newest = state.newer === 'end' ? null : entry.value.newest();
  return recent
    .filter((post) => !keys.has(postKey(post)) && belongs(entry, post) && (last === undefined || newestFirst(post, last) < 0))
    .filter((post) => newest === null || newestFirst(post, newest) < 0);
}

/**
 * Replaces a post in a list. A post within the list's range that the list does not contain was unhidden; it is inserted.
 */
export function replacePost(entry: CachedList, post: Post, belongs: BelongsToList): void {
  const key = postKey(post);
  const isUnfiltered =
    entry.kind === 'feed' ? entry.parameters.show === 'all' : !(entry.kind === 'channelPosts' && entry.parameters.media);
  entry.value.edit(({ items }) => {
    if (items.some((other) => postKey(other) === key))
      return { items: items.map((other) => (postKey(other) === key ? post : other)) };
    const [first, last] = [items[0], items.at(-1)];
    const isWithin = first && last && newestFirst(first, post) < 0 && newestFirst(post, last) < 0;
    return isWithin && isUnfiltered && belongs(entry, post) ? { items: [...items, post].sort(newestFirst) } : {};
  });
}

/** Returns true if the loaded part of a list does not reach the newest posts. */
export const isDetached = ({ value }: CachedList): boolean => {
  const state = value.get();
  return state.type === 'loaded' && state.newer !== 'end';
};
