/** Garbage collection of media: deletes stored files that no post or channel uses. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Store } from '../storage/ports/store.ts';
import { fileNamesOf, HASH_LENGTH, parseThumbnailName } from './files.ts';
import type { MediaEntry, MediaStore } from './media-store.ts';
import { deleteAbandonedFiles } from './save-file.ts';

export interface GarbageCollectionDeps {
  readonly mediaStore: MediaStore;
  readonly store: Store;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Returns whether a file is so old that no process is about to write the message that shows it. */
const isOld = (file: MediaEntry | null): boolean => file === null || Date.now() - file.modifiedAt > DAY_MS;

/**
 * Deletes the unused files among `keys`: those that no post, hidden ones included, and no channel uses. Returns their
 * number.
 */
const deleteUnusedFiles = async (keys: readonly string[], { mediaStore, store }: GarbageCollectionDeps): Promise<number> => {
  let count = 0;
  for (const key of keys) {
    let deletion = Promise.resolve();
    // Runs inside the store's transaction, so that no process stores the same file again in the meantime. If object
    // storage fails, the file is unknown to the store, and a later collection deletes it.
    const startDeletion = () => {
      deletion = mediaStore.delete(fileNamesOf(key));
      deletion.catch(() => {});
    };
    if (await store.deleteFileIfUnused(key, startDeletion)) count += 1;
    await deletion;
  }
  return count;
};

/** Deletes a channel with all its stored data, and its files if nothing else shows them. */
export const removeChannel = async (channelId: string, { mediaStore, store }: GarbageCollectionDeps): Promise<void> => {
  const keys = await store.fileKeysOfChannel(channelId);
  await store.removeChannels([channelId]);
  await deleteUnusedFiles(keys, { mediaStore, store });
};

/** Deletes the unused and unknown files whose names begin with two hex digits. Returns their number. */
const collectPrefix = async (prefix: string, deps: GarbageCollectionDeps): Promise<number> => {
  const { mediaStore, store } = deps;
  const { known, unused } = await store.fileKeysWithPrefix(prefix);
  const unusedOldKeys: string[] = [];
  for (const key of unused) if (isOld(await mediaStore.find(key))) unusedOldKeys.push(key);
  let count = await deleteUnusedFiles(unusedOldKeys, deps);
  const knownKeys = new Set(known);
  const knownHashes = new Set(known.map((key) => key.slice(0, HASH_LENGTH)));
  for await (const file of mediaStore.list(prefix)) {
    const thumbnail = parseThumbnailName(file.name);
    if (knownKeys.has(file.name) || (thumbnail && knownHashes.has(thumbnail.hash)) || !isOld(file)) continue;
    await mediaStore.delete([file.name]);
    count += 1;
  }
  await unpublishHidden(prefix, deps);
  return count;
};

/** Deletes the published copies of files that not everyone may see: their posts were hidden or became private. */
const unpublishHidden = async (prefix: string, { mediaStore, store }: GarbageCollectionDeps): Promise<void> => {
  for await (const name of mediaStore.listPublished(prefix)) {
    const thumbnail = parseThumbnailName(name);
    const key = thumbnail === null ? name : await store.findFileByHash(thumbnail.hash);
    const file = key === null ? null : await store.mediaFile(key);
    if (file === null || file.private) await mediaStore.unpublish([name]);
  }
};

/**
 * Deletes stored files that no post, hidden ones included, and no channel uses, and files that the store does not know.
 * Returns their number. When the signal aborts, it ends early; the next collection deletes the others.
 */
export const collectGarbage = async (deps: GarbageCollectionDeps, signal?: AbortSignal): Promise<number> => {
  await deleteAbandonedFiles(deps.mediaStore);
  let count = 0;
  for (let byte = 0; byte < 256 && !signal?.aborted; byte += 1) {
    count += await collectPrefix(byte.toString(16).padStart(2, '0'), deps);
    await yieldToEventLoop();
  }
  return count;
};
