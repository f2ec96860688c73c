// Full-text search: the server's results, or an offline search of stored posts where no server responds.

import type { PostPage } from '../../../contract/api.ts';
import { list as listOf, string } from '../../../contract/shape.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Read } from '../../api/channels-api.ts';
import { createCell } from '../../lib/signal.ts';
import { failureOf } from '../connection/connection.ts';
import type { Inside } from '../context.ts';
import type { Channels } from '../model/client.ts';
import { postKey } from '../model/post-key.ts';
import { offlineList } from '../offline/cached-posts.ts';
import { fit } from '../offline/offline-store.ts';
import { olderKept, prepareKept, searchKept, tagsKept } from './offline-search.ts';
import type { PostSource } from './post-list/post-list.ts';
import type { Query } from './query-cache.ts';
import type { Search, SearchList, SearchQuery } from './search-types.ts';

const LIMIT = 20;
const RECENT = 8;
/** Number of cached result lists, so that Back finds them. Each pause in typing creates one. */
const HELD = 12;
const SLOT = 'searches';
/** After this time without a response, offline results are shown. The response replaces them when it arrives. */
const ANSWER_TIMEOUT_MS = 3000;

const searches = new WeakMap<Inside, Search>();

/**
 * Returns the search of a data layer; null while the data layer itself loads. It is loaded with the pages that search, and
 * uses the data layer's internals, so that the first load contains no search code.
 */
export function searchOf({ inside }: Channels): Search | null {
  if (inside === undefined) return null;
  const search = searches.get(inside) ?? createSearch(inside);
  searches.set(inside, search);
  return search;
}

function createSearch(inside: Inside): Search {
  const lists = new Map<string, HeldList>();
  const recent = createCell<readonly string[]>([]);
  const shelf = async () => (await inside.device.kept).reader;
  const read = (raw: unknown): readonly string[] => fit(listOf(string), raw) ?? [];
  void shelf().then(async (own) => recent.set(read(await own.get(SLOT))));

  return {
    list(query) {
      const key = JSON.stringify(query);
      const list = lists.get(key) ?? createList(inside, query, key);
      // Moves the list to the end: the least recently used one is first.
      lists.delete(key);
      lists.set(key, list);
      for (const [other, { isWatched, forget }] of lists) {
        if (lists.size <= HELD) break;
        if (other === key || isWatched()) continue;
        lists.delete(other);
        forget();
      }
      return list;
    },
    recent,
    note(words) {
      const noted = (before: readonly string[]) => [words, ...before.filter((one) => one !== words)].slice(0, RECENT);
      recent.set(noted(recent.get()));
      void shelf().then((own) => own.change([SLOT, (raw) => noted(read(raw))]));
    },
    forget() {
      recent.set([]);
      void shelf().then((own) => own.drop(SLOT));
    },
    tags() {
      if (inside.link.connection.get() !== 'online') void prepareKept(inside.device);
      return tagsKept(inside.device);
    },
  };
}

interface HeldList extends SearchList {
  isWatched(): boolean;
  /** Evicts the list from the query cache. It must have no subscribers. */
  forget(): void;
}

function createList(inside: Inside, query: SearchQuery, key: string): HeldList {
  const { source, hitsOf, giveUp } = createSource(inside, query);
  // The query has the name and form of a channel search, as new-posts.ts expects it. So edited and hidden posts change here
  // too, and no new post is inserted.
  const name: Query = ['posts', null, key, true];
  const list = inside.things.list(name, () => source);
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
    hitsOf,
    again: () => list.restart(() => true),
    isWatched: () => watchers > 0,
    forget: () => void inside.things.all.delete(JSON.stringify(name)),
  };
}

/** Creates the source: the server's search, and the offline search where no server responds. */
function createSource({ api, device, known, unread }: Inside, query: SearchQuery) {
  const { channelIds, kinds, limit = LIMIT, q, from, to } = query;
  const request = { q, channels: channelIds?.join(), media: kinds?.join(), from, to, limit };
  const hits = new Map<string, readonly number[]>();
  let told = false;
  let asking: AbortController | null = null;
  let tell = (_unheard: boolean): void => {};
  const unheard = new Promise<boolean>((resolve) => {
    tell = resolve;
  });

  function learnt(page: PostPage): PostPage {
    known.meet(page.channels);
    unread?.learn(page.items);
    void device.keepPosts(page);
    if (page.hits === undefined) return page;
    told = true;
    for (const post of page.items) hits.set(post.text, page.hits[postKey(post)] ?? []);
    return page;
  }
  async function ask(how: Read): Promise<PostPage> {
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
        if (!(thrown instanceof ApiError && thrown.cancelled)) tell(failureOf(thrown).unheard);
        throw thrown;
      }
    },
    page: async (cursor, how) => learnt(await api.search({ ...request, ...cursor }, how)),
    async held() {
      const isUnanswered = new Promise<boolean>((resolve) => setTimeout(resolve, ANSWER_TIMEOUT_MS, true));
      return (await Promise.race([unheard, isUnanswered])) ? searchKept(device, query) : null;
    },
    offline: async () => offlineList({ older: (last) => olderKept(device, query, last) }),
  };
  return {
    source,
    hitsOf: (text: string) => (told ? hits.get(text) : undefined),
    giveUp: () => asking?.abort(),
  };
}
