// Query cache: one entry per query, shared by all pages; and a registry of the channels seen so far.

import type { Channel } from '../../../contract/channel.ts';
import type { Readable } from '../../lib/signal.ts';
import type { Link } from '../connection/connection.ts';
import { createPostList, type GrowingList, type PostSource } from './post-list/post-list.ts';
import { createResource, type Refreshable, type Resource, type ResourceOptions } from './query.ts';

/** A query: the name of its kind, and its parameters. */
export type Query = readonly [name: string, ...unknown[]];

/** A cached value: fetched from the server, or derived from one that is. */
type Thing = Readable<unknown> & Partial<Refreshable>;

/** A cache entry: the value and its query. */
export interface Asked {
  readonly query: Query;
  readonly thing: Thing;
}

/** The query cache of a data layer. The same query returns the same object for the lifetime of the data layer. */
export interface Things {
  once<Own extends Thing>(query: Query, make: () => Own): Own;
  resource<Value>(query: Query, options: () => ResourceOptions<Value>): Resource<Value>;
  list(query: Query, source: () => PostSource): GrowingList;
  /** All entries, by the query's JSON. Deleting an entry evicts it. */
  readonly all: Map<string, Asked>;
  /** Refetches displayed entries; the others are refetched when they are displayed again. */
  renew(): Promise<void>;
}

export function createThings(link: Link, now: () => number): Things {
  const all = new Map<string, Asked>();

  function once<Own extends Thing>(query: Query, make: () => Own): Own {
    const key = JSON.stringify(query);
    if (!all.has(key)) all.set(key, { query, thing: make() });
    // Sound: the name in a query determines the type of its value.
    return all.get(key)?.thing as Own;
  }
  return {
    all,
    once,
    resource: (query, options) => once(query, () => createResource(link, now, options())),
    list: (query, source) => once(query, () => createPostList(link, source(), now)),
    async renew() {
      await Promise.all([...all.values()].map(({ thing }) => thing.renew?.()));
    },
  };
}

/** Registry of the channels seen so far, by id and by username. */
export interface Acquaintance {
  meet(channels: readonly Channel[]): void;
  find(idOrUsername: string): Channel | undefined;
}

export function createAcquaintance(): Acquaintance {
  const known = new Map<string, Channel>();
  return {
    meet(channels) {
      for (const channel of channels) {
        if (channel.username !== undefined) known.set(channel.username.toLowerCase(), channel);
        known.set(channel.id, channel);
      }
    },
    find: (idOrUsername) => known.get(idOrUsername) ?? known.get(idOrUsername.toLowerCase()),
  };
}
