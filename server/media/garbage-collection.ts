/** Garbage collection of media: deletes stored files that no post or channel uses. */
import { rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Store } from '../storage/ports/store.ts';
import { filePathsOf, mediaPath, parseThumbnailName } from './files.ts';
import { deleteAbandonedFiles } from './save-file.ts';

export interface GarbageCollectionDeps {
  readonly dataDir: string;
  readonly store: Store;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Length of the SHA-256 of the content, in hex, with which a key begins. */
const HASH_LENGTH = 64;

/** Returns whether a file is so old that no process is about to write the message that shows it. */
const isOld = async (filePath: string): Promise<boolean> => {
  const stats = await stat(filePath).catch(() => null);
  return stats === null || Date.now() - stats.mtimeMs > DAY_MS;
};

/**
 * Deletes the unused files among `keys`: those that no post, hidden ones included, and no channel uses. Returns their
 * number.
 */
const deleteUnusedFiles = async (keys: readonly string[], { dataDir, store }: GarbageCollectionDeps): Promise<number> => {
  let count = 0;
  for (const key of keys) {
    // Runs inside the store's transaction, so that no process stores the same file again in the meantime.
    const deleteFromDisk = () => {
      for (const filePath of filePathsOf(dataDir, key)) rmSync(filePath, { force: true });
    };
    if (await store.deleteFileIfUnused(key, deleteFromDisk)) count += 1;
  }
  return count;
};

/** Deletes a channel with all its stored data, and its files if nothing else shows them. */
export const removeChannel = async (channelId: string, { dataDir, store }: GarbageCollectionDeps): Promise<void> => {
  const keys = await store.fileKeysOfChannel(channelId);
  await store.removeChannels([channelId]);
  await deleteUnusedFiles(keys, { dataDir, store });
};

/** Deletes the unused and unknown files whose names begin with two hex digits. Returns their number. */
const collectPrefix = async (prefix: string, { dataDir, store }: GarbageCollectionDeps): Promise<number> => {
  const { known, unused } = await store.fileKeysWithPrefix(prefix);
  const unusedOldKeys: string[] = [];
  for (const key of unused) if (await isOld(mediaPath(dataDir, key))) unusedOldKeys.push(key);
  let count = await deleteUnusedFiles(unusedOldKeys, { dataDir, store });
  const knownKeys = new Set(known);
  const knownHashes = new Set(known.map((key) => key.slice(0, HASH_LENGTH)));
  for (const name of await readdir(join(dataDir, 'media', prefix)).catch(() => [])) {
    const thumbnail = parseThumbnailName(name);
    const filePath = mediaPath(dataDir, name);
    if (knownKeys.has(name) || (thumbnail && knownHashes.has(thumbnail.hash)) || !(await isOld(filePath))) continue;
    await rm(filePath, { force: true });
    count += 1;
  }
  return count;
};

/**
 * Deletes stored files that no post, hidden ones included, and no channel uses, and files that the store does not know.
 * Returns their number. When the signal aborts, it ends early; the next collection deletes the others.
 */
export const collectGarbage = async (deps: GarbageCollectionDeps, signal?: AbortSignal): Promise<number> => {
  await deleteAbandonedFiles(deps.dataDir);
  let count = 0;
  for (let byte = 0; byte < 256 && !signal?.aborted; byte += 1) {
    count += await collectPrefix(byte.toString(16).padStart(2, '0'), deps);
    await yieldToEventLoop();
  }
  return count;
};
