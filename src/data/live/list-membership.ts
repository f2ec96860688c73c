// List membership: decides which posts belong to a list in the query cache.

import type { LiveEvent } from '../../../contract/events.ts';
import type { Post } from '../../../contract/post.ts';
import { showsMedia } from '../../../contract/shown-media.ts';
import type { DataContext } from '../context.ts';
import { DEFAULT_LINEUP, feedChannelIds } from '../lineup/selectors.ts';
import { newestFirst } from '../model/post-key.ts';
import type { CacheEntry, QueryParameters } from '../queries/query-cache.ts';

/** A list of posts in the query cache. */
export type CachedList = CacheEntry<'feed'> | CacheEntry<'channelPosts'> | CacheEntry<'search'>;

/** A post; without an id, a channel. */
export type PostOrChannel = Pick<Extract<LiveEvent, { type: 'hidden' }>, 'channelId' | 'id'>;

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

/** Returns a function that returns true for one post; without an id, for each post of the channel. */
export const isPost =
  ({ channelId, id }: PostOrChannel) =>
  (post: Pick<Post, 'channelId' | 'id'>): boolean =>
    post.channelId === channelId && (id === undefined || post.id === id);

/** Returns the posts of `recent` that belong to a list, and that it does not contain. */
export function missingPosts(entry: CachedList, recent: readonly Post[], belongs: BelongsToList): readonly Post[] {
  const state = entry.value.get();
  if (state.type !== 'loaded') return [];
  const isBefore = (post: Post, other: Post | null | undefined) => !other || newestFirst(post, other) < 0;
  const last = state.older === 'end' ? null : state.posts.at(-1);
  // A list whose loaded part does not reach the newest posts only lacks posts newer than the newest one it knows.
  const newest = state.newer === 'end' ? null : entry.value.newest();
  // The search through the list is last, because few recent posts get that far.
  return recent.filter(
    (post) => isBefore(post, last) && isBefore(post, newest) && belongs(entry, post) && !state.posts.some(isPost(post)),
  );
}

/**
 * Replaces a post in a list. A post within the list's range that the list does not contain was unhidden; it is inserted.
 * `wasHidden` is true if the list may have contained the post before it was hidden: then it may also be the newest one.
 */
export function replacePost(entry: CachedList, post: Post, belongs: BelongsToList, wasHidden: boolean): void {
  const isSame = isPost(post);
  const isUnfiltered =
    entry.kind === 'feed' ? entry.parameters.show === 'all' : !(entry.kind === 'channelPosts' && entry.parameters.media);
  entry.value.edit(({ items, previous }) => {
    if (items.some(isSame)) return { items: items.map((other) => (isSame(other) ? post : other)) };
    const [first = post] = items;
    const last = items.at(-1) ?? post;
    const isWithin = ((wasHidden && previous === null) || newestFirst(first, post) < 0) && newestFirst(post, last) < 0;
    return isWithin && isUnfiltered && belongs(entry, post) ? { items: [...items, post].sort(newestFirst) } : {};
  });
}

/** Returns true if the loaded part of a list does not reach the newest posts. */
export const isDetached = ({ value }: CachedList): boolean => {
  const state = value.get();
  return state.type === 'loaded' && state.newer !== 'end';
};
