// Sources of post lists: the feed, one channel, unread and starred posts.

import type { PostsRequest } from '../../api/channels-api.ts';
import type { ChannelPostsQuery, FeedFilter } from '../model/types.ts';
import type { CachedPages } from '../offline/cached-posts.ts';
import { channelPageKey, feedPageKey } from '../offline/keys.ts';
import { createPageSource, EMPTY_PAGE, type PostSourceContext, type ReadPage } from './page-source.ts';
import type { OfflineList, PostSource } from './post-list/types.ts';

/** Default number of posts per page. */
const DEFAULT_PAGE_POSTS = 20;

/** Returns the source of the feed over the line-up, or over the given channels. */
export function feedSource(sources: PostSourceContext, filter: FeedFilter): PostSource {
  const { api } = sources;
  const show = filter.show ?? 'all';
  const read: ReadPage = async (cursor, options) => {
    const channels = filter.channelIds ?? (await sources.feedChannelIds());
    if (channels?.length === 0) return EMPTY_PAGE;
    return api.feed({ ...cursor, limit: filter.limit ?? DEFAULT_PAGE_POSTS, media: show === 'media', channels }, options);
  };
  if (show === 'starred' && filter.channelIds?.length !== 0)
    return lazyStarredSource(sources, filter.limit ?? DEFAULT_PAGE_POSTS, filter.channelIds);
  const cacheKey = feedPageKey(show, filter.channelIds);
  const source = createPageSource(
    sources,
    cacheKey,
    show === 'unread' ? lazyUnreadPages(sources, read, filter.channelIds) : read,
  );
  return {
    ...source,
    async readOffline() {
      // Loads the line-up first: it contains the muted keywords.
      await sources.stars();
      return source.readOffline();
    },
    loadOfflineList: lazyOfflineList((module) => module.cachedFeed(sources, filter, DEFAULT_PAGE_POSTS)),
  };
}

/** Defined by the build: false in the bundle of the tags, which store nothing. */
declare const __APP__: boolean;

/** Returns a loader of cached posts. Their code is loaded on first use. */
function lazyOfflineList(
  createPages: (module: typeof import('../offline/cached-posts.ts')) => CachedPages,
): PostSource['loadOfflineList'] {
  let loading: Promise<OfflineList> | undefined;
  if (!__APP__) return undefined;
  return () => {
    loading ??= import('../offline/cached-posts.ts').then((module) => module.offlineList(createPages(module)));
    // A failed load is tried again at the next use.
    loading.catch(() => (loading = undefined));
    return loading;
  };
}

/** Returns a function that fetches pages of unread posts only. Its code is loaded on first use. */
function lazyUnreadPages(...args: Parameters<typeof import('./unread-posts.ts').filterUnreadPages>): ReadPage {
  let unread: Promise<ReadPage> | undefined;
  return async (cursor, options) => {
    unread ??= import('./unread-posts.ts').then((module) => module.filterUnreadPages(...args));
    // A failed load is tried again at the next use.
    unread.catch(() => (unread = undefined));
    return (await unread)(cursor, options);
  };
}

/** Returns the source of starred posts. Its code is loaded on first use. */
function lazyStarredSource(sources: PostSourceContext, limit: number, channelIds: readonly string[] | undefined): PostSource {
  const source = async () => (await import('./starred-posts.ts')).starredSource(sources, limit, channelIds);
  return {
    first: async (options) => (await source()).first(options),
    page: async (cursor, options) => (await source()).page(cursor, options),
    readOffline: async () => (await source().catch(() => null))?.readOffline() ?? null,
    loadOfflineList: async () => (await source()).offline,
  };
}

/** Returns the source of one channel's posts. */
export function channelSource(sources: PostSourceContext, idOrUsername: string, query: ChannelPostsQuery): PostSource {
  const { api, offline } = sources;
  const { q, media = false, around, date, limit = DEFAULT_PAGE_POSTS } = query;
  const request: PostsRequest = { limit, media, q };
  const isPlain = (q ?? around ?? date) === undefined;
  const source = createPageSource(sources, isPlain ? channelPageKey(idOrUsername, media) : null, (cursor, options) => {
    const start = (cursor.before ?? cursor.after) === undefined ? { around, date } : cursor;
    return api.posts(idOrUsername, { ...request, ...start }, options);
  });
  if (q !== undefined) return source;
  const loadOfflineList = lazyOfflineList((module) => module.cachedChannel(sources, idOrUsername, query, limit));
  if (!isPlain || media) return { ...source, loadOfflineList };
  return {
    ...source,
    async readOffline() {
      const page = await source.readOffline();
      if (page !== null) return page;
      const { value: items, at } = await offline.posts(sources.idOf(idOrUsername), limit);
      return items.length === 0 ? null : { value: { items: [...items], next: undefined, previous: null, channels: [] }, at };
    },
    loadOfflineList,
  };
}
