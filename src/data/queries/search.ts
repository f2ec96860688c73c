// Full-text search: the server's results, or an offline search of stored posts if no server responds.

import type { PagedPosts } from '../../../contract/api.ts';
import { list as listOf, string } from '../../../contract/shape.ts';
import { ApiError } from '../../api/api-error.ts';
import type { RequestOptions } from '../../api/channels-api.ts';
import { createSignal } from '../../lib/signal.ts';
import { toRequestFailure } from '../connection/connection.ts';
import type { DataContext } from '../context.ts';
import type { DataClient } from '../model/client.ts';
import { postKey } from '../model/post-key.ts';
import { offlineList } from '../offline/cached-posts.ts';
import { tryParse } from '../offline/offline-store.ts';
import { offlineHashtags, preloadSearchablePosts, searchOffline, searchOfflineOlder } from './offline-search.ts';
import type { PostSource } from './post-list/types.ts';
import type { PostSearch, SearchList, SearchQuery } from './search-types.ts';

export const RECENT_SEARCHES_KEY = 'searches';
const PAGE_POSTS = 20;
const MAX_RECENT_SEARCHES = 8;
/** Maximum number of cached result lists, so that Back finds them. Each pause in typing creates one. */
const MAX_CACHED_LISTS = 12;
/** After this time without a response, offline results are shown. The response replaces them when it arrives. */
const RESPONSE_TIMEOUT_MS = 3000;

const searches = new WeakMap<DataContext, PostSearch>();

/**
 * Returns the search of a data layer; null while the data layer itself loads. It is loaded with the pages that search, and
 * uses the data layer's internals, so that the first load contains no search code.
 */
export function searchOf({ context }: DataClient): PostSearch | null {
  if (context === undefined) return null;
  const search = searches.get(context) ?? createSearch(context);
  searches.set(context, search);
  return search;
}

function createSearch(context: DataContext): PostSearch {
  const lists = new Map<string, CachedSearchList>();
  const recent = createSignal<readonly string[]>([]);
  const openStore = async () => (await context.offline.storage).reader;
  const parseRecent = (raw: unknown): readonly string[] => tryParse(listOf(string), raw) ?? [];
  void openStore().then(async (store) => recent.set(parseRecent(await store.get(RECENT_SEARCHES_KEY))));

  return {
    list(query) {
      const key = JSON.stringify(query);
      const list = lists.get(key) ?? createSearchList(context, query);
      // Moves the list to the end: the least recently used one is first.
      lists.delete(key);
      lists.set(key, list);
      for (const [otherKey, { hasSubscribers, release }] of lists) {
        if (lists.size <= MAX_CACHED_LISTS) break;
        if (otherKey === key || hasSubscribers()) continue;
        lists.delete(otherKey);
        release();
      }
      return list;
    },
    recent,
    saveRecent(text) {
      const withText = (previous: readonly string[]) =>
        [text, ...previous.filter((other) => other !== text)].slice(0, MAX_RECENT_SEARCHES);
      recent.set(withText(recent.get()));
      void openStore().then((store) => store.update([RECENT_SEARCHES_KEY, (raw) => withText(parseRecent(raw))]));
    },
    clearRecent() {
      recent.set([]);
      void openStore().then((store) => store.deletePrefix(RECENT_SEARCHES_KEY));
    },
    hashtags() {
      if (context.connection.connectivity.get() !== 'online') void preloadSearchablePosts(context.offline);
      return offlineHashtags(context.offline);
    },
  };
}

interface CachedSearchList extends SearchList {
  hasSubscribers(): boolean;
  /** Evicts the list from the query cache. It must have no subscribers. */
  release(): void;
}

function createSearchList(context: DataContext, query: SearchQuery): CachedSearchList {
  const { source, highlightsOf, cancel } = createSearchSource(context, query);
  const list = context.cache.getOrCreate('search', query, (factory) => factory.list(source));
  let subscriberCount = 0;
  return {
    ...list,
    subscribe(listener) {
      const unsubscribe = list.subscribe(listener);
      subscriberCount++;
      return () => {
        unsubscribe();
        if (--subscriberCount === 0) cancel();
      };
    },
    highlightsOf,
    reset: () => list.reset(() => true),
    hasSubscribers: () => subscriberCount > 0,
    release: () => context.cache.delete('search', query),
  };
}

/** Creates the source: the server's search, and the offline search if no server responds. */
function createSearchSource({ api, offline, channelIndex, unreadCounts }: DataContext, query: SearchQuery) {
  const { channelIds, kinds, limit = PAGE_POSTS, q, from, to } = query;
  const request = { q, channels: channelIds?.join(), media: kinds?.join(), from, to, limit };
  const highlights = new Map<string, readonly number[]>();
  let hasHighlights = false;
  let runningRequest: AbortController | null = null;
  let resolveUnreachable = (_isUnreachable: boolean): void => {};
  const unreachable = new Promise<boolean>((resolve) => {
    resolveUnreachable = resolve;
  });

  function storePage(page: PagedPosts): PagedPosts {
    channelIndex.add(page.channels);
    unreadCounts?.addPosts(page.items);
    void offline.writePosts(page);
    if (page.hits === undefined) return page;
    hasHighlights = true;
    for (const post of page.items) highlights.set(post.text, page.hits[postKey(post)] ?? []);
    return page;
  }
  async function search(options: RequestOptions): Promise<PagedPosts> {
    const controller = new AbortController();
    runningRequest = controller;
    const abort = () => controller.abort();
    options.signal?.addEventListener('abort', abort);
    try {
      return storePage(await api.search(request, { ...options, signal: controller.signal }));
    } catch (thrown) {
      // The same search, sent again at once, may receive the cancellation of the previous request.
      if (thrown instanceof ApiError && thrown.cancelled && !controller.signal.aborted) return await search(options);
      throw thrown;
    } finally {
      options.signal?.removeEventListener('abort', abort);
      if (runningRequest === controller) runningRequest = null;
    }
  }
  const source: PostSource = {
    async first(options) {
      try {
        const page = await search(options);
        resolveUnreachable(false);
        return page;
      } catch (thrown) {
        if (!(thrown instanceof ApiError && thrown.cancelled)) resolveUnreachable(toRequestFailure(thrown).unreachable);
        throw thrown;
      }
    },
    page: async (cursor, options) => storePage(await api.search({ ...request, ...cursor }, options)),
    async readOffline() {
      const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, RESPONSE_TIMEOUT_MS, true));
      return (await Promise.race([unreachable, timeout])) ? searchOffline(offline, query) : null;
    },
    loadOfflineList: async () => offlineList({ older: (last) => searchOfflineOlder(offline, query, last) }),
  };
  return {
    source,
    highlightsOf: (text: string) => (hasHighlights ? highlights.get(text) : undefined),
    cancel: () => runningRequest?.abort(),
  };
}
