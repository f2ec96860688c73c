import type { Channel } from '../../../contract/channel.ts';
import type { Readable } from '../../lib/signal.ts';
import type { Link } from '../connection/connection.ts';
import { createPostList, type GrowingList, type PostSource } from './post-list/post-list.ts';
import { createResource, type Refreshable, type Resource, type ResourceOptions } from './query.ts';

/** What was asked for: the name of a kind of thing, and the query. */
export type Query = readonly [name: string, ...unknown[]];

/** A value that is read of the server, or made of one that is. */
type Thing = Readable<unknown> & Partial<Refreshable>;

/** A thing, and what was asked for. */
export interface Asked {
  readonly query: Query;
  readonly thing: Thing;
}

/** Everything that was asked of an area: the same query gives the same thing while the area lives. */
export interface Things {
  once<Own extends Thing>(query: Query, make: () => Own): Own;
  resource<Value>(query: Query, options: () => ResourceOptions<Value>): Resource<Value>;
  list(query: Query, source: () => PostSource): GrowingList;
  /** All there is, by the query's JSON; what is taken out is let go of. */
  readonly all: Map<string, Asked>;
  /** Reads anew what is shown; the rest when it is shown next. */
  renew(): Promise<void>;
}

export function createThings(link: Link, now: () => number): Things {
  const all = new Map<string, Asked>();

  function once<Own extends Thing>(query: Query, make: () => Own): Own {
    const key = JSON.stringify(query);
    if (!all.has(key)) all.set(key, { query, thing: make() });
    // Sound: a query begins with the name of what it makes.
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

/** The channels met so far, by id and by username. */
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
