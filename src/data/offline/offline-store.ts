// Offline store: caches API responses, channels and posts on the device, with separate stores for public and private data.

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

/** Returns true if a channel is public. A private channel is not, and a reader-added feed belongs to its reader alone. */
export const isPublicChannel = ({ private: closed, elsewhere }: Channel): boolean => !closed && !elsewhere;

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

/**
 * Offline store of the data layer: caches the server's responses. Reads prefer the reader's own store. Private data is never
 * written to the public store.
 */
export interface OfflineStore {
  readonly storage: Promise<DeviceStorage>;
  read<Value>(key: string, parser: Parse<Value>): Promise<Cached<Value> | null>;
  /**
   * Stores a value in the public store if all channels in `of` are public; in the reader's store if one is not, or if `of` is
   * null.
   */
  write(key: string, value: unknown, of: readonly Channel[] | null): Promise<void>;
  /** Returns the newest posts, older than `below`, newest first. */
  posts(channelId: string, count: number, below?: number): Promise<Cached<readonly Post[]>>;
  /** Returns the next `count` posts that are newer than `above`, newest first. */
  newerPosts(channelId: string, count: number, above: number): Promise<readonly Post[]>;
  post(channelId: string, id: number): Promise<Cached<Post> | null>;
  /** Stores the public channels in the public store. If there are others, stores all of them in the reader's store. */
  writeChannels(channels: readonly Channel[]): Promise<void>;
  writePosts(page: Pick<PagedPosts, 'items' | 'channels'>): Promise<void>;
}

export function createOfflineStore(kept: Promise<DeviceStorage>, now: () => number): OfflineStore {
  const shelves = async (): Promise<readonly [own: KeyValueStore, common: KeyValueStore]> => {
    const { reader, public: common } = await kept;
    return [reader, common];
  };
  async function first<Value>(key: string, parser: Parse<Value>): Promise<Value | null> {
    for (const value of await Promise.all((await shelves()).map((shelf) => shelf.get(key)))) {
      const read = tryParse(parser, value);
      if (read !== null) return read;
    }
    return null;
  }

  async function keep(key: string, value: unknown, of: readonly Channel[] | null): Promise<void> {
    const [own, common] = await shelves();
    await (of?.every(isPublicChannel) ? common : own).put([[key, { value, at: now() }]]);
  }

  async function posts(channelId: string, count: number, below?: number): Promise<Cached<readonly Post[]>> {
    const options = { last: count, ...(below === undefined ? {} : { below: postStorageKey(channelId, below) }) };
    const found = await Promise.all((await shelves()).map((shelf) => shelf.list(postPrefix(channelId), options)));
    const read = found.flat().flatMap(([, raw]) => tryParse(parseCachedPost, raw) ?? []);
    const value = read
      .map((post) => post.value)
      .sort((a, b) => b.id - a.id)
      .slice(0, count);
    return { value, at: Math.max(0, ...read.map((post) => post.at)) };
  }

  return {
    storage: kept,
    write: keep,
    read: (key, parser) => first(key, cached(parser)),
    posts,
    async newerPosts(channelId, count, above) {
      const keys = (await Promise.all((await shelves()).map((shelf) => shelf.keys(postPrefix(channelId))))).flat().sort();
      const first = keys.filter((key) => key > postStorageKey(channelId, above))[count - 1];
      const { value } = await posts(channelId, count, first === undefined ? undefined : Number(first.slice(-16)) + 1);
      return value.filter((post) => post.id > above);
    },
    post: (channelId, id) => first(postStorageKey(channelId, id), parseCachedPost),
    async writeChannels(channels) {
      const open = channels.filter(isPublicChannel);
      await keep(DIRECTORY_KEY, open, open);
      if (open.length < channels.length) await keep(DIRECTORY_KEY, channels, null);
      else await (await kept).reader.deletePrefix(DIRECTORY_KEY);
    },
    async writePosts({ items, channels }) {
      const [own, common] = await shelves();
      const open = new Set(channels.flatMap((channel) => (isPublicChannel(channel) ? channel.id : [])));
      const put = (shelf: KeyValueStore, posts: readonly Post[]) =>
        posts.length > 0 &&
        shelf.put(posts.map((value) => [postStorageKey(value.channelId, value.id), { value, at: now() }] as const));
      await Promise.all([
        put(
          common,
          items.filter((post) => open.has(post.channelId)),
        ),
        put(
          own,
          items.filter((post) => !open.has(post.channelId)),
        ),
      ]);
    },
  };
}
