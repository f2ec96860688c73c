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
  getOrCreate<Query extends CacheableQuery>(key: QueryKey, create: () => Query): Query;
  getQuery<Value>(key: QueryKey, options: () => DataQueryOptions<Value>): DataQuery<Value>;
  getList(key: QueryKey, source: () => PostSource): InfinitePostList;
  /** All entries, by the query's JSON. Deleting an entry evicts it. */
  readonly entries: Map<string, CacheEntry>;
  /** Refetches displayed entries; the others are refetched when they are displayed again. */
  refetchAll(): Promise<void>;
}

export function createQueryCache(connection: Connection, now: () => number): QueryCache {
  const entries = new Map<string, CacheEntry>();

  function getOrCreate<Query extends CacheableQuery>(key: QueryKey, create: () => Query): Query {
    const json = JSON.stringify(key);
    if (!entries.has(json)) entries.set(json, { key, query: create() });
    // Sound: the name in a query determines the type of its value.
    return entries.get(json)?.query as Query;
  }
  return {
    entries,
    getOrCreate,
    getQuery: (key, options) => getOrCreate(key, () => createDataQuery(connection, now, options())),
    getList: (key, source) => getOrCreate(key, () => createPostList(connection, source(), now)),
    async refetchAll() {
      await Promise.all([...entries.values()].map(({ query }) => query.refetch?.()));
    },
  };
}

/** Registry of the channels seen so far, by id and by username. */
export interface ChannelIndex {
  add(channels: readonly Channel[]): void;
  get(idOrUsername: string): Channel | undefined;
}

export function createChannelIndex(): ChannelIndex {
  const channelsByName = new Map<string, Channel>();
  return {
    add(channels) {
      for (const channel of channels) {
        if (channel.username !== undefined) channelsByName.set(channel.username.toLowerCase(), channel);
        channelsByName.set(channel.id, channel);
      }
    },
    get: (idOrUsername) => channelsByName.get(idOrUsername) ?? channelsByName.get(idOrUsername.toLowerCase()),
  };
}
