// Offline store: caches API responses, channels and posts on the device, with separate stores for public and private
// data.

import type { PagedPosts } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { number, type Parse, shape } from '../../../contract/shape.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { DIRECTORY_KEY, postPrefix, postStorageKey } from './keys.ts';

/** A stored value, and when it was stored (unix ms). */
export interface Cached<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Returns true if a channel is public: neither private, nor a feed that a reader added, which belongs to that reader alone. */
export const isPublicChannel = ({ private: isPrivate, elsewhere }: Channel): boolean => !isPrivate && !elsewhere;

/**
 * Parses a stored value. Returns null when there is none, or when another version of the app stored it in a different format.
 */
export function tryParse<Value>(parser: Parse<Value>, raw: unknown): Value | null {
  try {
    return raw === undefined ? null : parser(raw, 'kept');
  } catch {
    return null;
  }
}

/** Returns a parser for a stored value with its time. */
export const cached = <Value>(parser: Parse<Value>): Parse<Cached<Value>> =>
  shape<{ value: Value; at: number }>({ value: parser, at: number });
const parseCachedPost = cached(parse.post);

/** Number of digits at the end of a post's key (see `postStorageKey`). */
const MESSAGE_ID_DIGITS = 16;

/**
 * Offline store of the data layer: caches the server's responses. Reads prefer the reader's own store. Private data is never
 * written to the public store.
 */
export interface OfflineStore {
  readonly storage: Promise<DeviceStorage>;
  read<Value>(key: string, parser: Parse<Value>): Promise<Cached<Value> | null>;
  /**
   * Stores a value in the public store if all `channels` are public; in the reader's store if one is not, or if `channels` is
   * null.
   */
  write(key: string, value: unknown, channels: readonly Channel[] | null): Promise<void>;
  /** Returns the newest `count` posts with ids below `below`, newest first. */
  posts(channelId: string, count: number, below?: number): Promise<Cached<readonly Post[]>>;
  /** Returns the `count` posts with the next ids above `above`, newest first. */
  newerPosts(channelId: string, count: number, above: number): Promise<readonly Post[]>;
  post(channelId: string, id: number): Promise<Cached<Post> | null>;
  /** Stores the public channels in the public store. If there are others, stores all of them in the reader's store. */
  writeChannels(channels: readonly Channel[]): Promise<void>;
  writePosts(page: Pick<PagedPosts, 'items' | 'channels'>): Promise<void>;
}

export function createOfflineStore(storage: Promise<DeviceStorage>, now: () => number): OfflineStore {
  /** Returns both stores. The reader's store is first, so that its entries are preferred. */
  const openStores = async (): Promise<readonly [readerStore: KeyValueStore, publicStore: KeyValueStore]> => {
    const { reader, public: publicStore } = await storage;
    return [reader, publicStore];
  };
  async function readFirst<Value>(key: string, parser: Parse<Value>): Promise<Value | null> {
    for (const value of await Promise.all((await openStores()).map((store) => store.get(key)))) {
      const parsed = tryParse(parser, value);
      if (parsed !== null) return parsed;
    }
    return null;
  }

  async function write(key: string, value: unknown, channels: readonly Channel[] | null): Promise<void> {
    const [readerStore, publicStore] = await openStores();
    await (channels?.every(isPublicChannel) ? publicStore : readerStore).put([[key, { value, at: now() }]]);
  }

  async function posts(channelId: string, count: number, below?: number): Promise<Cached<readonly Post[]>> {
    const options = { last: count, ...(below === undefined ? {} : { below: postStorageKey(channelId, below) }) };
    const entries = await Promise.all((await openStores()).map((store) => store.list(postPrefix(channelId), options)));
    const parsed = entries.flat().flatMap(([, raw]) => tryParse(parseCachedPost, raw) ?? []);
    // If a channel became public, both stores may contain a post. The sort keeps the entry of the reader's store first.
    const value = parsed
      .map((post) => post.value)
      .sort((a, b) => b.id - a.id)
      .filter(({ id }, index, sorted) => id !== sorted[index - 1]?.id)
      .slice(0, count);
    return { value, at: Math.max(0, ...parsed.map((post) => post.at)) };
  }

  return {
    storage,
    write,
    read: (key, parser) => readFirst(key, cached(parser)),
    posts,
    async newerPosts(channelId, count, above) {
      const storedKeys = await Promise.all((await openStores()).map((store) => store.keys(postPrefix(channelId))));
      const keys = [...new Set(storedKeys.flat())].sort();
      // Key of the newest post to return; undefined if there are fewer than `count`.
      const lastKey = keys.filter((key) => key > postStorageKey(channelId, above))[count - 1];
      const below = lastKey === undefined ? undefined : Number(lastKey.slice(-MESSAGE_ID_DIGITS)) + 1;
      const { value } = await posts(channelId, count, below);
      return value.filter((post) => post.id > above);
    },
    post: (channelId, id) => readFirst(postStorageKey(channelId, id), parseCachedPost),
    async writeChannels(channels) {
      const publicChannels = channels.filter(isPublicChannel);
      await write(DIRECTORY_KEY, publicChannels, publicChannels);
      if (publicChannels.length < channels.length) await write(DIRECTORY_KEY, channels, null);
      else await (await storage).reader.deletePrefix(DIRECTORY_KEY);
    },
    async writePosts({ items, channels }) {
      const [readerStore, publicStore] = await openStores();
      const publicChannels = new Set(channels.flatMap((channel) => (isPublicChannel(channel) ? channel.id : [])));
      const put = (store: KeyValueStore, added: readonly Post[]) =>
        added.length > 0 &&
        store.put(added.map((value) => [postStorageKey(value.channelId, value.id), { value, at: now() }] as const));
      await Promise.all([
        put(
          publicStore,
          items.filter((post) => publicChannels.has(post.channelId)),
        ),
        put(
          readerStore,
          items.filter((post) => !publicChannels.has(post.channelId)),
        ),
      ]);
    },
  };
}
