// Applies server events to the offline store: new, edited, hidden and reset posts and channels.

import type { Channel } from '../../../contract/channel.ts';
import type { Happening } from '../../../contract/events.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list, number, shape, string } from '../../../contract/shape.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { type Device, fit, held, isOpen, slot } from '../offline/offline-store.ts';

/** Stream cursor of an offline store: id of the last event that changed the stored data, and when that was, unix ms. */
interface Standing {
  readonly id: string;
  readonly at: number;
}

/** Offline data that follows the server's events. */
export interface LiveKept {
  /** Returns the id of the event to resume after, up to which the stored data is current; null where no id is stored. */
  place(): Promise<string | null>;
  /** Applies events to the stored data. Resolves when everything is written. */
  follow(happenings: readonly Happening[]): Promise<void>;
  /** Stores the id of the last applied event. */
  note(id: string): Promise<void>;
  /** Deletes the stored data of channels that are not in `channels`. Returns their ids. */
  compare(channels: readonly Channel[]): Promise<ReadonlySet<string>>;
}

const PLACE = 'live';
const PAGES = ['feed/', 'posts/'];
const KEPT = ['post/', 'picture/', 'channel', ...PAGES];

const standing = shape<Standing>({ id: string, at: number });
const page = held(parse.postPage);
const oneChannel = held(parse.channel);
const channelList = held(list(parse.channel));

/**
 * Creates the offline event handler. `own` is true for the reader's own (authenticated) stream. Otherwise the reader's
 * private store does not change, and keeps the cursor of its last own stream.
 */
export function createLiveKept(device: Device, now: () => number, own: boolean): LiveKept {
  const shelves = async (): Promise<readonly Shelf[]> => {
    const { public: common, reader } = await device.kept;
    return own ? [common, reader] : [common];
  };
  const everywhere = async (act: (shelf: Shelf, isPublic: boolean) => Promise<unknown>): Promise<void> => {
    await Promise.all((await shelves()).map((shelf, index) => act(shelf, index === 0)));
  };
  const placeOf = async (shelf: Shelf): Promise<Standing | null> => fit(standing, await shelf.get(PLACE));

  /** Applies `make` to posts in every stored page; null removes a post. */
  async function change(shelf: Shelf, make: (post: Post) => Post | null): Promise<void> {
    for (const prefix of PAGES)
      for (const [key] of await shelf.list(prefix))
        await shelf.change([
          key,
          (raw) => {
            const value = fit(page, raw);
            const items = value?.value.items.flatMap((post) => make(post) ?? []);
            return value === null ? undefined : { ...value, value: { ...value.value, items } };
          },
        ]);
  }
  /** Replaces a post in every place where it is stored; null removes it. */
  async function replace(channelId: string, id: number, post: Post | null): Promise<void> {
    await everywhere(async (shelf) => {
      await shelf.change([slot(channelId, id), (raw) => (raw && post ? { value: post, at: now() } : undefined)]);
      await change(shelf, (one) => (one.channelId === channelId && one.id === id ? post : one));
    });
  }
  async function dropChannel(shelf: Shelf, channelId: string): Promise<void> {
    for (const prefix of ['post/', 'picture/']) await shelf.drop(`${prefix}${channelId}/`);
    await change(shelf, (one) => (one.channelId === channelId ? null : one));
    for (const [key, raw] of await shelf.list('channel/'))
      if (fit(oneChannel, raw)?.value.id === channelId) await shelf.drop(key);
    await shelf.change([
      'channels',
      (raw) => {
        const all = fit(channelList, raw);
        return all === null ? undefined : { ...all, value: all.value.filter(({ id }) => id !== channelId) };
      },
    ]);
  }
  async function followOne(happening: Happening): Promise<void> {
    switch (happening.type) {
      case 'edited':
        return replace(happening.post.channelId, happening.post.id, happening.post);
      case 'hidden': {
        const { channelId, id } = happening;
        return id === undefined ? everywhere((shelf) => dropChannel(shelf, channelId)) : replace(channelId, id, null);
      }
      case 'reset':
        return everywhere((shelf) => Promise.all(KEPT.map((prefix) => shelf.drop(prefix))));
      default:
    }
  }

  return {
    async place() {
      const places = (await Promise.all((await shelves()).map(placeOf))).filter((one) => one !== null);
      // The two databases may have different cursors, depending on which reader used the device last. The older cursor has
      // missed more events.
      return places.toSorted((a, b) => a.at - b.at)[0]?.id ?? null;
    },
    async follow(happenings) {
      const news = happenings.flatMap((one) => (one.type === 'new' ? one : []));
      await device.keepPosts({ items: news.map(({ post }) => post), channels: news.map(({ channel }) => channel) });
      for (const happening of happenings) await followOne(happening);
    },
    async note(id) {
      await everywhere((shelf) => shelf.put([[PLACE, { id, at: now() }]]));
    },
    async compare(channels) {
      const gone = new Set<string>();
      await everywhere(async (shelf, isPublic) => {
        for (const id of await keptChannels(shelf)) {
          const channel = channels.find((one) => one.id === id);
          if (channel === undefined) gone.add(id);
          if (channel === undefined || (isPublic && !isOpen(channel))) await dropChannel(shelf, id);
        }
      });
      return gone;
    },
  };
}

/** Returns the ids of the channels with stored posts. */
const keptChannels = async (shelf: Shelf): Promise<ReadonlySet<string>> =>
  new Set((await shelf.keys('post/')).map((key) => key.split('/')[1] ?? ''));
