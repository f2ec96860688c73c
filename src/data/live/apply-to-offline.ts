import type { Channel } from '../../../contract/channel.ts';
import type { Happening } from '../../../contract/events.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list, number, shape, string } from '../../../contract/shape.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { type Device, fit, held, isOpen, slot } from '../offline/offline-store.ts';

/** Where a device stands in what happens: the last event that changed what it keeps, and when that was. */
interface Standing {
  readonly id: string;
  readonly at: number;
}

/** What the device keeps, made to follow what happens. */
export interface LiveKept {
  /** The event to resume after: what this device keeps is as of then. Null where nothing was noted. */
  place(): Promise<string | null>;
  /** Does to what is kept what happened; done when it is written. */
  follow(happenings: readonly Happening[]): Promise<void>;
  /** Notes where the device stands. */
  note(id: string): Promise<void>;
  /** Lets go of what is kept of other channels than these; gives which they were. */
  compare(channels: readonly Channel[]): Promise<ReadonlySet<string>>;
}

const PLACE = 'live';
const PAGES = ['feed/', 'posts/'];
const KEPT = ['post/', 'picture/', 'channel', ...PAGES];

const standing = shape<Standing>({ id: string, at: number });
const page = held(parse.postPage);
const oneChannel = held(parse.channel);
const channelList = held(list(parse.channel));

/** `own` tells whether it is the reader's own stream: else what is the reader's alone stays as of the last one that was. */
export function createLiveKept(device: Device, now: () => number, own: boolean): LiveKept {
  const shelves = async (): Promise<readonly Shelf[]> => {
    const { public: common, reader } = await device.kept;
    return own ? [common, reader] : [common];
  };
  const everywhere = async (act: (shelf: Shelf, isPublic: boolean) => Promise<unknown>): Promise<void> => {
    await Promise.all((await shelves()).map((shelf, index) => act(shelf, index === 0)));
  };
  const placeOf = async (shelf: Shelf): Promise<Standing | null> => fit(standing, await shelf.get(PLACE));

  /** Changes posts wherever pages hold them; null takes one out. */
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
  /** Puts a post as it is now wherever it is kept; null drops it. */
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
      // Each database was written by whoever read last: the older place has missed more.
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

/** The channels of which posts are kept. */
const keptChannels = async (shelf: Shelf): Promise<ReadonlySet<string>> =>
  new Set((await shelf.keys('post/')).map((key) => key.split('/')[1] ?? ''));
