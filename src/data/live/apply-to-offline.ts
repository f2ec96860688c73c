// Applies server events to the offline store: new, edited, hidden and reset posts and channels.

import type { Channel } from '../../../contract/channel.ts';
import type { LiveEvent } from '../../../contract/events.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list, number, shape, string } from '../../../contract/shape.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import {
  CHANNEL_POSTS_PREFIX,
  CHANNEL_PREFIX,
  DIRECTORY_KEY,
  FEED_PREFIX,
  PICTURE_PREFIX,
  POST_PREFIX,
  postStorageKey,
} from '../offline/keys.ts';
import { cached, isPublicChannel, type OfflineStore, tryParse } from '../offline/offline-store.ts';

/** Stream cursor of an offline store: id of the last event that changed the stored data, and when that was, unix ms. */
interface StreamPosition {
  readonly id: string;
  readonly at: number;
}

/** Applies the server's events to the offline data. */
export interface OfflineUpdater {
  /** Returns the id of the event to resume after, up to which the stored data is current; null if no id is stored. */
  lastEventId(): Promise<string | null>;
  /** Applies events to the stored data. Resolves when everything is written. */
  apply(events: readonly LiveEvent[]): Promise<void>;
  /** Stores the id of the last applied event. */
  saveLastEventId(id: string): Promise<void>;
  /** Deletes the stored data of channels that `find` does not return for their ids. Returns these ids. */
  removeMissingChannels(find: (ids: Iterable<string>) => Promise<readonly Channel[]>): Promise<ReadonlySet<string>>;
}

export const STREAM_POSITION_KEY = 'live';
const PAGE_PREFIXES = [FEED_PREFIX, CHANNEL_POSTS_PREFIX];
const CACHE_PREFIXES = [POST_PREFIX, PICTURE_PREFIX, DIRECTORY_KEY, CHANNEL_PREFIX, ...PAGE_PREFIXES];

const parseStreamPosition = shape<StreamPosition>({ id: string, at: number });
const parseCachedPage = cached(parse.pagedPosts);
const parseCachedChannel = cached(parse.channel);
const parseCachedChannels = cached(list(parse.channel));

/**
 * Creates the offline event handler. `isOwnStream` is true for the reader's own (authenticated) stream. Otherwise the
 * reader's private store does not change, and keeps the cursor of its last own stream.
 */
export function createOfflineUpdater(offline: OfflineStore, now: () => number, isOwnStream: boolean): OfflineUpdater {
  const stores = async (): Promise<readonly KeyValueStore[]> => {
    const { public: publicStore, reader } = await offline.storage;
    return isOwnStream ? [publicStore, reader] : [publicStore];
  };
  const inEachStore = async (work: (store: KeyValueStore, isPublic: boolean) => Promise<unknown>): Promise<void> => {
    await Promise.all((await stores()).map((store, index) => work(store, index === 0)));
  };
  /** Replaces a post in every entry that contains it; null removes it. */
  const replacePost = (channelId: string, id: number, post: Post | null): Promise<void> =>
    inEachStore(async (store) => {
      // A store that does not contain the post does not add it.
      await store.update([postStorageKey(channelId, id), (raw) => (raw && post ? { value: post, at: now() } : undefined)]);
      await changePages(store, (other) => (other.channelId === channelId && other.id === id ? post : other));
    });
  /** Applies an event to the stored data. `apply` stores new posts; the other types of events do not change stored data. */
  async function applyEvent(event: LiveEvent): Promise<void> {
    switch (event.type) {
      case 'edited':
        return replacePost(event.post.channelId, event.post.id, event.post);
      case 'hidden': {
        const { channelId, id } = event;
        return id === undefined ? inEachStore((store) => deleteChannel(store, channelId)) : replacePost(channelId, id, null);
      }
      case 'reset':
        return inEachStore((store) => Promise.all(CACHE_PREFIXES.map((prefix) => store.deletePrefix(prefix))));
      default:
    }
  }

  return {
    async lastEventId() {
      const positions = (await Promise.all((await stores()).map(readPosition))).filter((position) => position !== null);
      // The two databases may have different cursors, depending on which reader used the device last. The older cursor
      // has missed more events.
      return positions.toSorted((a, b) => a.at - b.at)[0]?.id ?? null;
    },
    async apply(events) {
      const added = events.flatMap((event) => (event.type === 'new' ? event : []));
      await offline.writePosts({ items: added.map(({ post }) => post), channels: added.map(({ channel }) => channel) });
      for (const event of events) await applyEvent(event);
    },
    async saveLastEventId(id) {
      await inEachStore((store) => store.put([[STREAM_POSITION_KEY, { id, at: now() }]]));
    },
    async removeMissingChannels(find) {
      const missing = new Set<string>();
      await inEachStore(async (store, isPublic) => {
        const ids = await storedChannelIds(store);
        // Without a request, `find` would report that the server responded.
        if (ids.size === 0) return;
        const channels = await find(ids);
        for (const id of ids) {
          const channel = channels.find((other) => other.id === id);
          if (channel === undefined) missing.add(id);
          // A channel that became private does not remain in the public store.
          if (channel === undefined || (isPublic && !isPublicChannel(channel))) await deleteChannel(store, id);
        }
      });
      return missing;
    },
  };
}

const readPosition = async (store: KeyValueStore): Promise<StreamPosition | null> =>
  tryParse(parseStreamPosition, await store.get(STREAM_POSITION_KEY));

/** Applies `change` to the posts of every stored page; null removes a post. */
async function changePages(store: KeyValueStore, change: (post: Post) => Post | null): Promise<void> {
  for (const prefix of PAGE_PREFIXES)
    for (const [key] of await store.list(prefix))
      await store.update([
        key,
        (raw) => {
          const page = tryParse(parseCachedPage, raw);
          const items = page?.value.items.flatMap((post) => change(post) ?? []);
          return page === null ? undefined : { ...page, value: { ...page.value, items } };
        },
      ]);
}

async function deleteChannel(store: KeyValueStore, channelId: string): Promise<void> {
  for (const prefix of [POST_PREFIX, PICTURE_PREFIX]) await store.deletePrefix(`${prefix}${channelId}/`);
  await changePages(store, (post) => (post.channelId === channelId ? null : post));
  for (const [key, raw] of await store.list(CHANNEL_PREFIX))
    if (tryParse(parseCachedChannel, raw)?.value.id === channelId) await store.deletePrefix(key);
  await store.update([
    DIRECTORY_KEY,
    (raw) => {
      const channels = tryParse(parseCachedChannels, raw);
      return channels === null ? undefined : { ...channels, value: channels.value.filter(({ id }) => id !== channelId) };
    },
  ]);
}

/** Returns the ids of the channels with stored posts. */
const storedChannelIds = async (store: KeyValueStore): Promise<ReadonlySet<string>> =>
  new Set((await store.keys(POST_PREFIX)).map((key) => key.split('/')[1] ?? ''));
