// Offline store: caches API responses, channels and posts on the device, with separate stores for public and private data.

import type { PostPage } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { number, type Parse, shape } from '../../../contract/shape.ts';
import type { Kept } from '../../storage/device-storage.ts';
import type { Shelf } from '../../storage/key-value-store.ts';

/** A stored value, and when it was stored (unix ms). */
export interface Held<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Returns the key of a stored post. Message ids are padded to 16 digits, so that they sort as text. */
export const slot = (channelId: string, id: number): string => `post/${channelId}/${String(id).padStart(16, '0')}`;

/** Returns true if a channel is public. A private channel is not, and a reader-added feed belongs to its reader alone. */
export const isOpen = ({ private: closed, elsewhere }: Channel): boolean => !closed && !elsewhere;

/**
 * Parses a stored value. Returns null when there is none, or when another version of the app stored it in a different format.
 */
export function fit<Value>(parser: Parse<Value>, raw: unknown): Value | null {
  try {
    return raw === undefined ? null : parser(raw, 'kept');
  } catch {
    return null;
  }
}

/** Returns a parser for a stored value with its time. */
export const held = <Value>(parser: Parse<Value>): Parse<Held<Value>> =>
  shape<{ value: Value; at: number }>({ value: parser, at: number });
const heldPost = held(parse.post);

/**
 * Offline store of the data layer: caches the server's responses. Reads prefer the reader's own store. Private data is never
 * written to the public store.
 */
export interface Device {
  readonly kept: Promise<Kept>;
  answer<Value>(key: string, parser: Parse<Value>): Promise<Held<Value> | null>;
  /**
   * Stores a value in the public store if all channels in `of` are public; in the reader's store if one is not, or if `of` is
   * null.
   */
  keep(key: string, value: unknown, of: readonly Channel[] | null): Promise<void>;
  /** Returns the newest posts, older than `below`, newest first. */
  posts(channelId: string, count: number, below?: number): Promise<Held<readonly Post[]>>;
  /** Returns the next `count` posts that are newer than `above`, newest first. */
  newer(channelId: string, count: number, above: number): Promise<readonly Post[]>;
  post(channelId: string, id: number): Promise<Held<Post> | null>;
  /** Stores the public channels in the public store. If there are others, stores all of them in the reader's store. */
  keepChannels(channels: readonly Channel[]): Promise<void>;
  keepPosts(page: Pick<PostPage, 'items' | 'channels'>): Promise<void>;
}

export function createDevice(kept: Promise<Kept>, now: () => number): Device {
  const shelves = async (): Promise<readonly [own: Shelf, common: Shelf]> => {
    const { reader, public: common } = await kept;
    return [reader, common];
  };
  async function first<Value>(key: string, parser: Parse<Value>): Promise<Value | null> {
    for (const value of await Promise.all((await shelves()).map((shelf) => shelf.get(key)))) {
      const read = fit(parser, value);
      if (read !== null) return read;
    }
    return null;
  }

  async function keep(key: string, value: unknown, of: readonly Channel[] | null): Promise<void> {
    const [own, common] = await shelves();
    await (of?.every(isOpen) ? common : own).put([[key, { value, at: now() }]]);
  }

  async function posts(channelId: string, count: number, below?: number): Promise<Held<readonly Post[]>> {
    const options = { last: count, ...(below === undefined ? {} : { below: slot(channelId, below) }) };
    const found = await Promise.all((await shelves()).map((shelf) => shelf.list(`post/${channelId}/`, options)));
    const read = found.flat().flatMap(([, raw]) => fit(heldPost, raw) ?? []);
    const value = read
      .map((post) => post.value)
      .sort((a, b) => b.id - a.id)
      .slice(0, count);
    return { value, at: Math.max(0, ...read.map((post) => post.at)) };
  }

  return {
    kept,
    keep,
    answer: (key, parser) => first(key, held(parser)),
    posts,
    async newer(channelId, count, above) {
      const keys = (await Promise.all((await shelves()).map((shelf) => shelf.keys(`post/${channelId}/`)))).flat().sort();
      const first = keys.filter((key) => key > slot(channelId, above))[count - 1];
      const { value } = await posts(channelId, count, first === undefined ? undefined : Number(first.slice(-16)) + 1);
      return value.filter((post) => post.id > above);
    },
    post: (channelId, id) => first(slot(channelId, id), heldPost),
    async keepChannels(channels) {
      const open = channels.filter(isOpen);
      await keep('channels', open, open);
      if (open.length < channels.length) await keep('channels', channels, null);
      else await (await kept).reader.drop('channels');
    },
    async keepPosts({ items, channels }) {
      const [own, common] = await shelves();
      const open = new Set(channels.flatMap((channel) => (isOpen(channel) ? channel.id : [])));
      const put = (shelf: Shelf, posts: readonly Post[]) =>
        posts.length > 0 && shelf.put(posts.map((value) => [slot(value.channelId, value.id), { value, at: now() }] as const));
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
