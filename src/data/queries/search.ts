// Full-text search: the server's results, or an offline search of stored posts where no server responds.

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
import { RECENT_SEARCHES_KEY } from '../offline/keys.ts';
import { tryParse } from '../offline/offline-store.ts';
import { offlineHashtags, preloadSearchablePosts, searchOffline, searchOfflineOlder } from './offline-search.ts';
import type { PostSource } from './post-list/types.ts';
import type { QueryKey } from './query-cache.ts';
import type { PostSearch, SearchList, SearchQuery } from './search-types.ts';

const PAGE_POSTS = 20;
const MAX_RECENT_SEARCHES = 8;
/** Number of cached result lists, so that Back finds them. Each pause in typing creates one. */
const MAX_CACHED_LISTS = 12;
/** After this time without a response, offline results are shown. The response replaces them when it arrives. */
const ANSWER_TIMEOUT_MS = 3000;

const searches = new WeakMap<DataContext, PostSearch>();

/**
 * Returns the search of a data layer; null while the data layer itself loads. It is loaded with the pages that search, and
 * uses the data layer's internals, so that the first load contains no search code.
 */
export function searchOf({ context: inside }: DataClient): PostSearch | null {
  if (inside === undefined) return null;
  const search = searches.get(inside) ?? createSearch(inside);
  searches.set(inside, search);
  return search;
}

function createSearch(inside: DataContext): PostSearch {
  const lists = new Map<string, CachedSearchList>();
  const recent = createSignal<readonly string[]>([]);
  const shelf = async () => (await inside.offline.storage).reader;
  const read = (raw: unknown): readonly string[] => tryParse(listOf(string), raw) ?? [];
  void shelf().then(async (own) => recent.set(read(await own.get(RECENT_SEARCHES_KEY))));

  return {
    list(query) {
      const key = JSON.stringify(query);
      const list = lists.get(key) ?? createSearchList(inside, query, key);
      // Moves the list to the end: the least recently used one is first.
      lists.delete(key);
      lists.set(key, list);
      for (const [other, { hasSubscribers: isWatched, release: forget }] of lists) {
        if (lists.size <= MAX_CACHED_LISTS) break;
        if (other === key || isWatched()) continue;
        lists.delete(other);
        forget();
      }
      return list;
    },
    recent,
    saveRecent(words) {
      const noted = (before: readonly string[]) =>
        [words, ...before.filter((one) => one !== words)].slice(0, MAX_RECENT_SEARCHES);
      recent.set(noted(recent.get()));
      void shelf().then((own) => own.update([RECENT_SEARCHES_KEY, (raw) => noted(read(raw))]));
    },
    clearRecent() {
      recent.set([]);
      void shelf().then((own) => own.deletePrefix(RECENT_SEARCHES_KEY));
    },
    hashtags() {
      if (inside.connection.connectivity.get() !== 'online') void preloadSearchablePosts(inside.offline);
      return offlineHashtags(inside.offline);
    },
  };
}

interface CachedSearchList extends SearchList {
  hasSubscribers(): boolean;
  /** Evicts the list from the query cache. It must have no subscribers. */
  release(): void;
}

function createSearchList(inside: DataContext, query: SearchQuery, key: string): CachedSearchList {
  const { source, highlightsOf, giveUp } = createSearchSource(inside, query);
  // The query has the name and form of a channel search, as new-posts.ts expects it. So edited and hidden posts change here
  // too, and no new post is inserted.
  const name: QueryKey = ['posts', null, key, true];
  const list = inside.cache.getList(name, () => source);
  let watchers = 0;
  return {
    ...list,
    subscribe(listener) {
      const stop = list.subscribe(listener);
      watchers++;
      return () => {
        stop();
        if (--watchers === 0) giveUp();
      };
    },
    highlightsOf,
    reset: () => list.reset(() => true),
    hasSubscribers: () => watchers > 0,
    release: () => void inside.cache.entries.delete(JSON.stringify(name)),
  };
}

/** Creates the source: the server's search, and the offline search where no server responds. */
function createSearchSource(
  { api, offline: device, channelIndex: known, unreadCounts: unread }: DataContext,
  query: SearchQuery,
) {
  const { channelIds, kinds, limit = PAGE_POSTS, q, from, to } = query;
  const request = { q, channels: channelIds?.join(), media: kinds?.join(), from, to, limit };
  const hits = new Map<string, readonly number[]>();
  let told = false;
  let asking: AbortController | null = null;
  let tell = (_unheard: boolean): void => {};
  const unheard = new Promise<boolean>((resolve) => {
    tell = resolve;
  });

  function learnt(page: PagedPosts): PagedPosts {
    known.add(page.channels);
    unread?.addPosts(page.items);
    void device.writePosts(page);
    if (page.hits === undefined) return page;
    told = true;
    for (const post of page.items) hits.set(post.text, page.hits[postKey(post)] ?? []);
    return page;
  }
  async function ask(how: RequestOptions): Promise<PagedPosts> {
    const mine = new AbortController();
    asking = mine;
    how.signal?.addEventListener('abort', () => mine.abort(), { once: true });
    try {
      return learnt(await api.search(request, { ...how, signal: mine.signal }));
    } catch (thrown) {
      // The same search, sent again at once, may receive the cancellation of the previous request.
      if (thrown instanceof ApiError && thrown.cancelled && !mine.signal.aborted) return await ask(how);
      throw thrown;
    } finally {
      if (asking === mine) asking = null;
    }
  }
  const source: PostSource = {
    async first(how) {
      try {
        const page = await ask(how);
        tell(false);
        return page;
      } catch (thrown) {
        if (!(thrown instanceof ApiError && thrown.cancelled)) tell(toRequestFailure(thrown).unreachable);
        throw thrown;
      }
    },
    page: async (cursor, how) => learnt(await api.search({ ...request, ...cursor }, how)),
    async readOffline() {
      const isUnanswered = new Promise<boolean>((resolve) => setTimeout(resolve, ANSWER_TIMEOUT_MS, true));
      return (await Promise.race([unheard, isUnanswered])) ? searchOffline(device, query) : null;
    },
    loadOfflineList: async () => offlineList({ older: (last) => searchOfflineOlder(device, query, last) }),
  };
  return {
    source,
    highlightsOf: (text: string) => (told ? hits.get(text) : undefined),
    giveUp: () => asking?.abort(),
  };
}
