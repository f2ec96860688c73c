// Applies server events to the offline store: new, edited, hidden and reset posts and channels.

import type { Channel } from '../../../contract/channel.ts';
import type { LiveEvent } from '../../../contract/events.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list, number, shape, string } from '../../../contract/shape.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { cached, isPublicChannel, type OfflineStore, postStorageKey, tryParse } from '../offline/offline-store.ts';

/** Stream cursor of an offline store: id of the last event that changed the stored data, and when that was, unix ms. */
interface StreamPosition {
  readonly id: string;
  readonly at: number;
}

/** Offline data that follows the server's events. */
export interface OfflineUpdater {
  /** Returns the id of the event to resume after, up to which the stored data is current; null where no id is stored. */
  lastEventId(): Promise<string | null>;
  /** Applies events to the stored data. Resolves when everything is written. */
  apply(happenings: readonly LiveEvent[]): Promise<void>;
  /** Stores the id of the last applied event. */
  saveLastEventId(id: string): Promise<void>;
  /** Deletes the stored data of channels that are not in `channels`. Returns their ids. */
  removeMissingChannels(channels: readonly Channel[]): Promise<ReadonlySet<string>>;
}

const POSITION_KEY = 'live';
const PAGE_PREFIXES = ['feed/', 'posts/'];
const CACHE_PREFIXES = ['post/', 'picture/', 'channel', ...PAGE_PREFIXES];

const parseStreamPosition = shape<StreamPosition>({ id: string, at: number });
const parseCachedPage = cached(parse.pagedPosts);
const parseCachedChannel = cached(parse.channel);
const parseCachedChannels = cached(list(parse.channel));

/**
 * Creates the offline event handler. `own` is true for the reader's own (authenticated) stream. Otherwise the reader's
 * private store does not change, and keeps the cursor of its last own stream.
 */
export function createOfflineUpdater(device: OfflineStore, now: () => number, own: boolean): OfflineUpdater {
  const shelves = async (): Promise<readonly KeyValueStore[]> => {
    const { public: common, reader } = await device.storage;
    return own ? [common, reader] : [common];
  };
  const everywhere = async (act: (shelf: KeyValueStore, isPublic: boolean) => Promise<unknown>): Promise<void> => {
    await Promise.all((await shelves()).map((shelf, index) => act(shelf, index === 0)));
  };
  const placeOf = async (shelf: KeyValueStore): Promise<StreamPosition | null> =>
    tryParse(parseStreamPosition, await shelf.get(POSITION_KEY));

  /** Applies `make` to posts in every stored page; null removes a post. */
  async function change(shelf: KeyValueStore, make: (post: Post) => Post | null): Promise<void> {
    for (const prefix of PAGE_PREFIXES)
      for (const [key] of await shelf.list(prefix))
        await shelf.update([
          key,
          (raw) => {
            const value = tryParse(parseCachedPage, raw);
            const items = value?.value.items.flatMap((post) => make(post) ?? []);
            return value === null ? undefined : { ...value, value: { ...value.value, items } };
          },
        ]);
  }
  /** Replaces a post in every place where it is stored; null removes it. */
  async function replace(channelId: string, id: number, post: Post | null): Promise<void> {
    await everywhere(async (shelf) => {
      await shelf.update([postStorageKey(channelId, id), (raw) => (raw && post ? { value: post, at: now() } : undefined)]);
      await change(shelf, (one) => (one.channelId === channelId && one.id === id ? post : one));
    });
  }
  async function dropChannel(shelf: KeyValueStore, channelId: string): Promise<void> {
    for (const prefix of ['post/', 'picture/']) await shelf.deletePrefix(`${prefix}${channelId}/`);
    await change(shelf, (one) => (one.channelId === channelId ? null : one));
    for (const [key, raw] of await shelf.list('channel/'))
      if (tryParse(parseCachedChannel, raw)?.value.id === channelId) await shelf.deletePrefix(key);
    await shelf.update([
      'channels',
      (raw) => {
        const all = tryParse(parseCachedChannels, raw);
        return all === null ? undefined : { ...all, value: all.value.filter(({ id }) => id !== channelId) };
      },
    ]);
  }
  async function followOne(happening: LiveEvent): Promise<void> {
    switch (happening.type) {
      case 'edited':
        return replace(happening.post.channelId, happening.post.id, happening.post);
      case 'hidden': {
        const { channelId, id } = happening;
        return id === undefined ? everywhere((shelf) => dropChannel(shelf, channelId)) : replace(channelId, id, null);
      }
      case 'reset':
        return everywhere((shelf) => Promise.all(CACHE_PREFIXES.map((prefix) => shelf.deletePrefix(prefix))));
      default:
    }
  }

  return {
    async lastEventId() {
      const places = (await Promise.all((await shelves()).map(placeOf))).filter((one) => one !== null);
      // The two databases may have different cursors, depending on which reader used the device last. The older cursor has
      // missed more events.
      return places.toSorted((a, b) => a.at - b.at)[0]?.id ?? null;
    },
    async apply(happenings) {
      const news = happenings.flatMap((one) => (one.type === 'new' ? one : []));
      await device.writePosts({ items: news.map(({ post }) => post), channels: news.map(({ channel }) => channel) });
      for (const happening of happenings) await followOne(happening);
    },
    async saveLastEventId(id) {
      await everywhere((shelf) => shelf.put([[POSITION_KEY, { id, at: now() }]]));
    },
    async removeMissingChannels(channels) {
      const gone = new Set<string>();
      await everywhere(async (shelf, isPublic) => {
        for (const id of await storedChannelIds(shelf)) {
          const channel = channels.find((one) => one.id === id);
          if (channel === undefined) gone.add(id);
          if (channel === undefined || (isPublic && !isPublicChannel(channel))) await dropChannel(shelf, id);
        }
      });
      return gone;
    },
  };
}

/** Returns the ids of the channels with stored posts. */
const storedChannelIds = async (shelf: KeyValueStore): Promise<ReadonlySet<string>> =>
  new Set((await shelf.keys('post/')).map((key) => key.split('/')[1] ?? ''));
