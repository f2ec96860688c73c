import type { Channel } from '../../contract/channel.ts';
import type { Loadable } from './channels.ts';
import type { Link } from './link.ts';
import { createPostList, type GrowingList, type PostSource } from './post-list.ts';
import { createResource, type Refreshable, type ResourceOptions } from './resource.ts';
import type { Watched } from './watch.ts';

/** Everything that was asked of an area, by key: the same query gives the same thing while the area lives. */
export interface Things {
  once<Thing>(key: string, make: () => Thing): Thing;
  resource<Value>(key: string, options: () => ResourceOptions<Value>): Watched<Loadable<Value>>;
  list(key: string, source: () => PostSource): GrowingList;
  /** Reads anew what is shown; the rest when it is shown next. */
  renew(): Promise<void>;
}

export function createThings(link: Link, now: () => number): Things {
  const things = new Map<string, unknown>();
  const refreshables = new Set<Refreshable>();

  function once<Thing>(key: string, make: () => Thing): Thing {
    if (!things.has(key)) things.set(key, make());
    // Sound: a key begins with the name of what it makes.
    return things.get(key) as Thing;
  }
  function joined<Thing extends Refreshable>(thing: Thing): Thing {
    refreshables.add(thing);
    return thing;
  }
  return {
    once,
    resource: (key, options) => once(key, () => joined(createResource(link, now, options()))),
    list: (key, source) => once(key, () => joined(createPostList(link, source(), now))),
    async renew() {
      await Promise.all([...refreshables].map((thing) => thing.renew()));
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
