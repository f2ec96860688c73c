/*
 * Channels that the reader saved for offline use: fetches each channel from its newest post to its first, with pictures, one
 * channel at a time. The progress is stored, so that a save resumes where it stopped: when the network is back, or at the
 * next visit.
 */
import type { PagedPosts } from '../../../contract/api.ts';
import { boolean, number, optional, shape, string } from '../../../contract/shape.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { toRequestFailure } from '../connection/connection.ts';
import type { DataContext } from '../context.ts';
import { evict, isStorageFull, SAVED_PREFIX } from '../offline/eviction.ts';
import { tryParse } from '../offline/offline-store.ts';
import { cachePostPictures, type PictureFetch } from '../offline/picture-cache.ts';
import { listCachedPictures, pictureKeyPrefix } from '../offline/picture-keys.ts';

/** Stored progress of a channel's save. */
interface SavedChannelRecord {
  readonly posts: number;
  /** Size of the posts as JSON text and of their pictures. */
  readonly bytes: number;
  /** Id of the newest stored message. */
  readonly newest: number;
  /** Cursor of the next page; absent at the start. */
  readonly before?: string | undefined;
  readonly whole: boolean;
  /** True if the reader stopped the save. */
  readonly stopped: boolean;
}

/**
 * State of a save. `share` is the progress from 0 to 1, estimated from message ids. `unheard` means that the network failed;
 * the save resumes when it is back.
 */
export interface SavedChannel extends Pick<SavedChannelRecord, 'posts' | 'bytes'> {
  readonly state: 'saving' | 'whole' | 'stopped' | 'unheard' | 'full' | 'refused';
  readonly share: number;
}

export interface SavedChannels extends Signal<ReadonlyMap<string, SavedChannel> | null> {
  /** Starts or resumes the save of whole channels. Also requests persistent storage from the browser. */
  save(channelIds: readonly string[]): void;
  /** Stops the saves. Downloaded posts remain. */
  stop(channelIds: readonly string[]): void;
  /** Deletes the saves. The next eviction removes the posts beyond the limit that applies to every channel. */
  release(channelIds: readonly string[]): Promise<void>;
  /** Resumes the saves that were not stopped, and fetches newer posts. */
  resume(): Promise<void>;
}

const PAGE_POSTS = 100;
/** Number of posts whose pictures are downloaded in parallel. */
const MAX_CONCURRENT_POSTS = 4;

const parseSavedChannelRecord = shape<SavedChannelRecord>({
  posts: number,
  bytes: number,
  newest: number,
  before: optional(string),
  whole: boolean,
  stopped: boolean,
});
const EMPTY_RECORD: SavedChannelRecord = { posts: 0, bytes: 0, newest: 0, whole: false, stopped: false };

const savedChannelsByContext = new WeakMap<DataContext, SavedChannels>();

/** Returns the saves of a data layer; creates them once. */
export function savedChannelsOf(inside: DataContext): SavedChannels {
  const known = savedChannelsByContext.get(inside) ?? createSavedChannels(inside);
  savedChannelsByContext.set(inside, known);
  return known;
}

function createSavedChannels({ api, connection: link, offline: device, channelIndex: known }: DataContext): SavedChannels {
  const cell = createSignal<ReadonlyMap<string, SavedChannel> | null>(null);
  const running = new Map<string, AbortController>();
  let last: Promise<unknown> = Promise.resolve();

  const show = (channelId: string, save: SavedChannel | null): void => {
    const next = new Map(cell.get());
    if (save === null) next.delete(channelId);
    else next.set(channelId, save);
    cell.set(next);
  };
  async function noted(channelId: string): Promise<SavedChannelRecord> {
    const kept = await device.storage;
    const found = tryParse(parseSavedChannelRecord, await kept.reader.get(SAVED_PREFIX + channelId)) ?? EMPTY_RECORD;
    // The stored posts were deleted by something else (a reset, the browser's own tools): the save starts again.
    const isLost = found.posts > 0 && (await (await storeOfChannel(kept, channelId)).keys(`post/${channelId}/`)).length === 0;
    return isLost ? { ...EMPTY_RECORD, stopped: found.stopped } : found;
  }
  const note = async (channelId: string, value: SavedChannelRecord): Promise<void> =>
    (await device.storage).reader.put([[SAVED_PREFIX + channelId, value]]);

  async function read(): Promise<ReadonlyMap<string, SavedChannelRecord>> {
    const ids = (await (await device.storage).reader.keys(SAVED_PREFIX)).map((key) => key.slice(SAVED_PREFIX.length));
    const notes = new Map(await Promise.all(ids.map(async (id) => [id, await noted(id)] as const)));
    for (const [id, value] of notes)
      if (!running.has(id)) show(id, shownOf(value, value.whole ? 'whole' : value.stopped ? 'stopped' : 'unheard'));
    if (cell.get() === null) cell.set(new Map());
    return notes;
  }
  const shownOf = (
    { posts, bytes, whole }: SavedChannelRecord,
    state: SavedChannel['state'],
    share = whole ? 1 : 0,
  ): SavedChannel => ({
    posts,
    bytes,
    state,
    share,
  });

  /** Adds a save to the queue. Saves run one channel at a time. */
  function begin(channelId: string, former: SavedChannelRecord): void {
    if (running.has(channelId)) return;
    const controller = new AbortController();
    running.set(channelId, controller);
    show(channelId, shownOf(former, 'saving'));
    const { signal } = controller;
    last = last
      .then(() => withChannelLock(channelId, signal, () => run(channelId, signal)))
      .catch(() => {}) // Aborted while it waited for the lock.
      .finally(() => running.get(channelId) === controller && running.delete(channelId));
  }
  function abort(channelIds: readonly string[]): void {
    for (const id of channelIds) {
      running.get(id)?.abort();
      running.delete(id);
    }
  }
  async function run(channelId: string, signal: AbortSignal): Promise<void> {
    let now = await noted(channelId);
    const end = (state: SavedChannel['state']) => signal.aborted || show(channelId, shownOf(now, state));
    try {
      if (now.newest > 0) now = await catchUp(channelId, now, signal);
      while (!now.whole) {
        if (await isStorageFull()) return void end('full');
        const page = await pageOf(channelId, now.before, signal);
        const taken = await take(channelId, now, page, signal);
        now = { ...taken, before: page.next ?? undefined, whole: page.next === null };
        await note(channelId, now);
        if (!signal.aborted) show(channelId, shownOf(now, 'saving', shareOf(channelId, page)));
      }
      end((await device.storage).persistent.get() ? 'whole' : 'full');
    } catch (thrown) {
      end(toRequestFailure(thrown).status === null ? 'unheard' : 'refused');
    }
  }
  const pageOf = async (channelId: string, before: string | undefined, signal: AbortSignal): Promise<PagedPosts> => {
    const page = await link.request((how) => api.posts(channelId, { limit: PAGE_POSTS, before }, how), before === undefined);
    signal.throwIfAborted();
    return page;
  };
  /** Fetches the posts that are newer than the stored ones. */
  async function catchUp(channelId: string, former: SavedChannelRecord, signal: AbortSignal): Promise<SavedChannelRecord> {
    let now = former;
    let before: string | undefined;
    do {
      const page = await pageOf(channelId, before, signal);
      const items = page.items.filter(({ id }) => id > former.newest);
      now = await take(channelId, now, { ...page, items }, signal);
      before = items.length < page.items.length ? undefined : (page.next ?? undefined);
    } while (before !== undefined);
    await note(channelId, now);
    return now;
  }
  /** Stores a page of posts and their pictures. */
  async function take(
    channelId: string,
    now: SavedChannelRecord,
    page: PagedPosts,
    signal: AbortSignal,
  ): Promise<SavedChannelRecord> {
    await device.writePosts(page);
    const shelf = await storeOfChannel(await device.storage, channelId);
    const fetching: PictureFetch = { signal, failedUrls: new Set() };
    let bytes = page.items.reduce((sum, post) => sum + JSON.stringify(post).length, 0);
    for (let at = 0; at < page.items.length; at += MAX_CONCURRENT_POSTS) {
      const weights = page.items.slice(at, at + MAX_CONCURRENT_POSTS).map(async (post) => {
        const here = await listCachedPictures(shelf, pictureKeyPrefix(channelId, post.id));
        return here.reduce((sum, picture) => sum + picture.bytes, await cachePostPictures(shelf, post, here, fetching));
      });
      bytes += (await Promise.all(weights)).reduce((sum, weight) => sum + weight, 0);
    }
    signal.throwIfAborted();
    const newest = page.items.reduce((most, { id }) => Math.max(most, id), now.newest);
    return { ...now, newest, posts: now.posts + page.items.length, bytes: now.bytes + bytes };
  }
  function shareOf(channelId: string, { items }: PagedPosts): number {
    const latest = known.get(channelId)?.latest?.id ?? 0;
    return latest === 0 ? 0 : Math.max(0, 1 - (items.at(-1)?.id ?? 0) / latest);
  }

  async function resume(): Promise<void> {
    for (const [id, value] of await read()) if (!value.stopped) begin(id, value);
  }
  link.signal.addEventListener('abort', () => abort([...running.keys()]));
  link.connectivity.subscribe(() => link.connectivity.get() === 'online' && void resume());

  return {
    ...cell,
    subscribe(listener) {
      if (cell.get() === null) void read();
      return cell.subscribe(listener);
    },
    save(channelIds) {
      void navigator.storage?.persist?.().catch(() => {});
      void (async () => {
        for (const id of channelIds) {
          const former = { ...(await noted(id)), stopped: false };
          await note(id, former);
          begin(id, former);
        }
      })();
    },
    stop(channelIds) {
      const going = channelIds.filter((id) => cell.get()?.get(id)?.state === 'saving');
      abort(going);
      for (const id of going) {
        const save = cell.get()?.get(id);
        if (save !== undefined) show(id, { ...save, state: 'stopped' });
        void device.storage.then(({ reader }) =>
          reader.update([
            SAVED_PREFIX + id,
            (raw) => ({ ...(tryParse(parseSavedChannelRecord, raw) ?? EMPTY_RECORD), stopped: true }),
          ]),
        );
      }
    },
    async release(channelIds) {
      abort(channelIds);
      const kept = await device.storage;
      await kept.reader.deleteMany(channelIds.map((id) => SAVED_PREFIX + id));
      for (const id of channelIds) show(id, null);
      await evict(kept);
    },
    resume,
  };
}

/** Returns the store that contains the channel's posts. */
async function storeOfChannel({ reader, public: common }: DeviceStorage, channelId: string): Promise<KeyValueStore> {
  return (await reader.keys(`post/${channelId}/`)).length > 0 ? reader : common;
}

/** Runs `act` under a lock: one tab saves a channel; another tab waits, then finds it saved. */
const withChannelLock = async (channelId: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined ? act() : navigator.locks.request(`changer-save ${channelId}`, { signal }, act);
