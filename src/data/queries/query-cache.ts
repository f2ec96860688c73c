// Query cache: one entry per query, shared by all pages; and a registry of the channels seen so far.

import type { PostResponse } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import type { Signal } from '../../lib/signal.ts';
import type { Connection } from '../connection/connection.ts';
import type { ChannelPostsQuery, FeedFilter, Loadable } from '../model/types.ts';
import { createPostList } from './post-list/post-list.ts';
import type { InfinitePostList, PostSource } from './post-list/types.ts';
import { createDataQuery, type DataQuery, type DataQueryOptions } from './query.ts';
import type { SearchQuery } from './search-types.ts';

/** All parameters, so that the cache key lacks none. An absent parameter is undefined. */
type All<Parameters> = { readonly [Name in keyof Required<Parameters>]: Parameters[Name] | undefined };

/** The parameters of each kind of query. */
export interface QueryParameters {
  readonly directory: object;
  readonly channel: { readonly idOrUsername: string };
  readonly post: { readonly channelId: string; readonly id: number };
  readonly cardPosts: { readonly channelId: string };
  readonly feed: All<FeedFilter>;
  readonly channelPosts: All<ChannelPostsQuery> & { readonly idOrUsername: string };
  readonly search: SearchQuery;
}

/** The cached value of each kind of query: fetched from the server, or derived from one that is. */
interface QueryValues {
  readonly directory: DataQuery<readonly Channel[]>;
  readonly channel: DataQuery<Channel>;
  readonly post: DataQuery<PostResponse>;
  readonly cardPosts: Signal<Loadable<readonly Post[]>>;
  readonly feed: InfinitePostList;
  readonly channelPosts: InfinitePostList;
  readonly search: InfinitePostList;
}

export type QueryKind = keyof QueryParameters;

/** A cache entry: the kind and the parameters of a query, and its value. */
export interface CacheEntry<Kind extends QueryKind> {
  readonly kind: Kind;
  readonly parameters: QueryParameters[Kind];
  readonly value: QueryValues[Kind];
}

/**
 * The query cache of a data layer. The same query returns the same object for the lifetime of the data layer. Two queries are
 * the same if the JSON of their parameters is: a caller always writes the parameters in the same order.
 */
export interface QueryCache {
  getOrCreate<Kind extends QueryKind>(
    kind: Kind,
    parameters: QueryParameters[Kind],
    create: (factory: QueryFactory) => QueryValues[Kind],
  ): QueryValues[Kind];
  /** Returns all entries of a kind. */
  all<Kind extends QueryKind>(kind: Kind): CacheEntry<Kind>[];
  /** Evicts a query. */
  delete<Kind extends QueryKind>(kind: Kind, parameters: QueryParameters[Kind]): void;
  /** Refetches displayed entries; the others are refetched when they are displayed again. */
  refetchAll(): Promise<void>;
}

/** Creates the values of queries. */
interface QueryFactory {
  query<Value>(options: DataQueryOptions<Value>): DataQuery<Value>;
  list(source: PostSource): InfinitePostList;
}

type EntriesByKind = { readonly [Kind in QueryKind]: Map<string, CacheEntry<Kind>> };

export function createQueryCache(connection: Connection, now: () => number): QueryCache {
  const factory: QueryFactory = {
    query: (options) => createDataQuery(connection, now, options),
    list: (source) => createPostList(connection, source, now),
  };
  const entriesByKind: EntriesByKind = {
    directory: new Map(),
    channel: new Map(),
    post: new Map(),
    cardPosts: new Map(),
    feed: new Map(),
    channelPosts: new Map(),
    search: new Map(),
  };
  return {
    getOrCreate(kind, parameters, create) {
      const key = JSON.stringify(parameters);
      const entries = entriesByKind[kind];
      const entry = entries.get(key) ?? { kind, parameters, value: create(factory) };
      entries.set(key, entry);
      return entry.value;
    },
    all: (kind) => [...entriesByKind[kind].values()],
    delete: (kind, parameters) => void entriesByKind[kind].delete(JSON.stringify(parameters)),
    async refetchAll() {
      const values = Object.values(entriesByKind).flatMap((entries) => [...entries.values()].map(({ value }) => value));
      await Promise.all(values.map((value) => 'refetch' in value && value.refetch()));
    },
  };
}

/** Registry of the channels seen so far, by id and by username. */
export interface ChannelIndex {
  add(channels: readonly Channel[]): void;
  get(idOrUsername: string): Channel | undefined;
  /** Returns the id of a channel; of an unknown channel, the given id or username. */
  idOf(this: void, idOrUsername: string): string;
}

export function createChannelIndex(): ChannelIndex {
  /** Keys are channel ids, and usernames in lower case. */
  const channelsByName = new Map<string, Channel>();
  const get = (idOrUsername: string): Channel | undefined =>
    channelsByName.get(idOrUsername) ?? channelsByName.get(idOrUsername.toLowerCase());
  return {
    add(channels) {
      for (const channel of channels) {
        if (channel.username !== undefined) channelsByName.set(channel.username.toLowerCase(), channel);
        channelsByName.set(channel.id, channel);
      }
    },
    get,
    idOf: (idOrUsername) => get(idOrUsername)?.id ?? idOrUsername,
  };
}
