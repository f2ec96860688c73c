// Query cache: one entry per query, shared by all pages; and a registry of the channels seen so far.

import type { Channel } from '../../../contract/channel.ts';
import type { Signal } from '../../lib/signal.ts';
import type { Connection } from '../connection/connection.ts';
import { createPostList } from './post-list/post-list.ts';
import type { InfinitePostList, PostSource } from './post-list/types.ts';
import { createDataQuery, type DataQuery, type DataQueryOptions, type Refetchable } from './query.ts';

/** A query: the name of its kind, and its parameters. */
export type QueryKey = readonly [name: string, ...unknown[]];

/** A cached value: fetched from the server, or derived from one that is. */
type CacheableQuery = Signal<unknown> & Partial<Refetchable>;

/** A cache entry: the value and its query. */
export interface CacheEntry {
  readonly key: QueryKey;
  readonly query: CacheableQuery;
}

/** The query cache of a data layer. The same query returns the same object for the lifetime of the data layer. */
export interface QueryCache {
  getOrCreate<Own extends CacheableQuery>(key: QueryKey, make: () => Own): Own;
  getQuery<Value>(key: QueryKey, options: () => DataQueryOptions<Value>): DataQuery<Value>;
  getList(key: QueryKey, source: () => PostSource): InfinitePostList;
  /** All entries, by the query's JSON. Deleting an entry evicts it. */
  readonly entries: Map<string, CacheEntry>;
  /** Refetches displayed entries; the others are refetched when they are displayed again. */
  refetchAll(): Promise<void>;
}

export function createQueryCache(link: Connection, now: () => number): QueryCache {
  const all = new Map<string, CacheEntry>();

  function once<Own extends CacheableQuery>(key: QueryKey, make: () => Own): Own {
    const json = JSON.stringify(key);
    if (!all.has(json)) all.set(json, { key, query: make() });
    // Sound: the name in a query determines the type of its value.
    return all.get(json)?.query as Own;
  }
  return {
    entries: all,
    getOrCreate: once,
    getQuery: (key, options) => once(key, () => createDataQuery(link, now, options())),
    getList: (key, source) => once(key, () => createPostList(link, source(), now)),
    async refetchAll() {
      await Promise.all([...all.values()].map(({ query }) => query.refetch?.()));
    },
  };
}

/** Registry of the channels seen so far, by id and by username. */
export interface ChannelIndex {
  add(channels: readonly Channel[]): void;
  get(idOrUsername: string): Channel | undefined;
}

export function createChannelIndex(): ChannelIndex {
  const known = new Map<string, Channel>();
  return {
    add(channels) {
      for (const channel of channels) {
        if (channel.username !== undefined) known.set(channel.username.toLowerCase(), channel);
        known.set(channel.id, channel);
      }
    },
    get: (idOrUsername) => known.get(idOrUsername) ?? known.get(idOrUsername.toLowerCase()),
  };
}
