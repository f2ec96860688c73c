/*
 * Channels that the reader saved for offline use: fetches each channel from its newest post to its first, with pictures, one
 * channel at a time. The progress is stored, so that a save resumes where it stopped: when the network is back, or at the
 * next visit.
 */
import { createSignal, type Signal } from '../../lib/signal.ts';
import type { DataContext } from '../context.ts';
import { evict, SAVED_PREFIX } from '../offline/eviction.ts';
import { downloadChannel, type SaveState } from './channel-download.ts';
import { readRecord, readRecords, type SavedChannelRecord, writeRecord, writeStopped } from './saved-channel-record.ts';

/** State of a save. `progress` is from 0 to 1, estimated from message ids. */
export interface SavedChannel extends Pick<SavedChannelRecord, 'posts' | 'bytes'> {
  readonly state: SaveState;
  readonly progress: number;
}

export interface SavedChannels extends Signal<ReadonlyMap<string, SavedChannel> | null> {
  /** Starts or resumes the save of complete channels. Also requests persistent storage from the browser. */
  save(channelIds: readonly string[]): void;
  /** Stops the saves. Downloaded posts remain. */
  stop(channelIds: readonly string[]): void;
  /** Deletes the saves. The next eviction removes the posts beyond the limit that applies to every channel. */
  release(channelIds: readonly string[]): Promise<void>;
  /** Resumes the saves that were not stopped, and fetches newer posts. */
  resume(): Promise<void>;
}

const savedChannelsByContext = new WeakMap<DataContext, SavedChannels>();

/** Returns the saves of a data layer; creates them once. */
export function savedChannelsOf(context: DataContext): SavedChannels {
  const saves = savedChannelsByContext.get(context) ?? createSavedChannels(context);
  savedChannelsByContext.set(context, saves);
  return saves;
}

function createSavedChannels(context: DataContext): SavedChannels {
  const { connection, offline } = context;
  const saves = createSignal<ReadonlyMap<string, SavedChannel> | null>(null);
  const queue = createDownloadQueue(context, setSave);

  function setSave(channelId: string, save: SavedChannel | null): void {
    const next = new Map(saves.get());
    if (save === null) next.delete(channelId);
    else next.set(channelId, save);
    saves.set(next);
  }
  async function load(): Promise<ReadonlyMap<string, SavedChannelRecord>> {
    const records = await readRecords(offline);
    for (const [id, record] of records) {
      // A save that was not stopped resumes when the network is back.
      const incompleteState = record.stopped ? 'stopped' : 'unreachable';
      if (!queue.has(id)) setSave(id, toSavedChannel(record, record.whole ? 'complete' : incompleteState));
    }
    if (saves.get() === null) saves.set(new Map());
    return records;
  }
  async function resume(): Promise<void> {
    for (const [id, record] of await load()) if (!record.stopped) queue.add(id, record);
  }
  async function start(channelIds: readonly string[]): Promise<void> {
    for (const id of channelIds) {
      const record = { ...(await readRecord(offline, id)), stopped: false };
      await writeRecord(offline, id, record);
      queue.add(id, record);
    }
  }
  connection.connectivity.subscribe(() => connection.connectivity.get() === 'online' && void resume());

  return {
    ...saves,
    subscribe(listener) {
      if (saves.get() === null) void load();
      return saves.subscribe(listener);
    },
    save(channelIds) {
      void navigator.storage?.persist?.().catch(() => {});
      void start(channelIds);
    },
    stop(channelIds) {
      const savingIds = channelIds.filter((id) => saves.get()?.get(id)?.state === 'saving');
      queue.abort(savingIds);
      for (const id of savingIds) {
        const save = saves.get()?.get(id);
        if (save !== undefined) setSave(id, { ...save, state: 'stopped' });
        void writeStopped(offline, id);
      }
    },
    async release(channelIds) {
      queue.abort(channelIds);
      const storage = await offline.storage;
      await storage.reader.deleteMany(channelIds.map((id) => SAVED_PREFIX + id));
      for (const id of channelIds) setSave(id, null);
      await evict(storage);
    },
    resume,
  };
}

/** Queued and running downloads. One runs at a time. */
interface DownloadQueue {
  has(channelId: string): boolean;
  /** Adds a download, unless the channel has one. */
  add(channelId: string, record: SavedChannelRecord): void;
  abort(channelIds: Iterable<string>): void;
}

function createDownloadQueue(context: DataContext, setSave: (channelId: string, save: SavedChannel) => void): DownloadQueue {
  const controllers = new Map<string, AbortController>();
  let lastDownload: Promise<unknown> = Promise.resolve();

  function abort(channelIds: Iterable<string>): void {
    for (const id of channelIds) {
      controllers.get(id)?.abort();
      controllers.delete(id);
    }
  }
  context.connection.signal.addEventListener('abort', () => abort([...controllers.keys()]));
  return {
    has: (channelId) => controllers.has(channelId),
    add(channelId, record) {
      if (controllers.has(channelId)) return;
      const controller = new AbortController();
      controllers.set(channelId, controller);
      const { signal } = controller;
      const onProgress = (current: SavedChannelRecord, state: SaveState, progress?: number): void =>
        setSave(channelId, toSavedChannel(current, state, progress));
      onProgress(record, 'saving');
      lastDownload = lastDownload
        .then(() => withChannelLock(channelId, signal, () => downloadChannel({ context, channelId, signal, onProgress })))
        .catch(() => {}) // Aborted while it waited for the lock.
        .finally(() => controllers.get(channelId) === controller && controllers.delete(channelId));
    },
    abort,
  };
}

const toSavedChannel = (
  { posts, bytes, whole }: SavedChannelRecord,
  state: SaveState,
  progress = whole ? 1 : 0,
): SavedChannel => ({
  posts,
  bytes,
  state,
  progress,
});

/** Runs `work` under a lock: one tab saves a channel; another tab waits, then finds it saved. */
const withChannelLock = async (channelId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined ? work() : navigator.locks.request(`changer-save ${channelId}`, { signal }, work);
