// Stored progress of a channel that the reader saved for offline use.

import { boolean, number, optional, shape, string } from '../../../contract/shape.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { SAVED_PREFIX } from '../offline/eviction.ts';
import { postPrefix } from '../offline/keys.ts';
import { type OfflineStore, tryParse } from '../offline/offline-store.ts';

/** Stored progress of a channel's save. */
export interface SavedChannelRecord {
  /** Number of stored posts. */
  readonly posts: number;
  /** Size of the stored posts: characters of their JSON, and bytes of their pictures. */
  readonly bytes: number;
  /** Id of the newest stored message. */
  readonly newest: number;
  /** Cursor of the next page; absent at the start. */
  readonly before?: string | undefined;
  /** True if all posts of the channel are stored. */
  readonly whole: boolean;
  /** True if the reader stopped the save. */
  readonly stopped: boolean;
}

const parseSavedChannelRecord = shape<SavedChannelRecord>({
  posts: number,
  bytes: number,
  newest: number,
  before: optional(string),
  whole: boolean,
  stopped: boolean,
});
const EMPTY_RECORD: SavedChannelRecord = { posts: 0, bytes: 0, newest: 0, whole: false, stopped: false };

const parseRecord = (raw: unknown): SavedChannelRecord => tryParse(parseSavedChannelRecord, raw) ?? EMPTY_RECORD;

/** Returns the progress of a save, or an empty record if there is none. */
export async function readRecord(offline: OfflineStore, channelId: string): Promise<SavedChannelRecord> {
  const storage = await offline.storage;
  const record = parseRecord(await storage.reader.get(SAVED_PREFIX + channelId));
  // If something else deleted the stored posts (a reset, the browser's own tools), the save starts again.
  const isLost = record.posts > 0 && (await (await storeOfChannel(storage, channelId)).keys(postPrefix(channelId))).length === 0;
  return isLost ? { ...EMPTY_RECORD, stopped: record.stopped } : record;
}

/** Returns the progress of all saves, by channel id. */
export async function readRecords(offline: OfflineStore): Promise<ReadonlyMap<string, SavedChannelRecord>> {
  const ids = (await (await offline.storage).reader.keys(SAVED_PREFIX)).map((key) => key.slice(SAVED_PREFIX.length));
  return new Map(await Promise.all(ids.map(async (id) => [id, await readRecord(offline, id)] as const)));
}

export const writeRecord = async (offline: OfflineStore, channelId: string, record: SavedChannelRecord): Promise<void> =>
  (await offline.storage).reader.put([[SAVED_PREFIX + channelId, record]]);

/** Stores that the reader stopped the save. */
export const writeStopped = async (offline: OfflineStore, channelId: string): Promise<unknown> =>
  (await offline.storage).reader.update([SAVED_PREFIX + channelId, (raw) => ({ ...parseRecord(raw), stopped: true })]);

/** Returns the store that contains the channel's posts. */
export async function storeOfChannel({ reader, public: publicStore }: DeviceStorage, channelId: string): Promise<KeyValueStore> {
  return (await reader.keys(postPrefix(channelId))).length > 0 ? reader : publicStore;
}
