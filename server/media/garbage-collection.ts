/** Garbage collection of media: deletes stored files that no post or channel uses. */
import { rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Store } from '../storage/ports/store.ts';
import { mediaPath, placesOf, readSizeName } from './files.ts';
import { dropAbandoned } from './save-file.ts';

export interface Collecting {
  readonly dataDir: string;
  readonly store: Store;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Returns whether a file is so old that no process is about to write the message that shows it. */
const isOld = async (place: string): Promise<boolean> => {
  const found = await stat(place).catch(() => null);
  return found === null || Date.now() - found.mtimeMs > DAY;
};

/** Deletes the unused files among `keys`, which nothing shows or hides. Returns their number. */
const forgetUnused = async (keys: readonly string[], { dataDir, store }: Collecting): Promise<number> => {
  let count = 0;
  for (const key of keys) {
    // Runs inside the store's transaction, so that no process stores the same file again in the meantime.
    const gone = () => {
      for (const place of placesOf(dataDir, key)) rmSync(place, { force: true });
    };
    if (await store.forgetFile(key, gone)) count += 1;
  }
  return count;
};

/** Deletes a channel with all its stored data, and its files if nothing else shows them. */
export const removeChannel = async (channelId: string, { dataDir, store }: Collecting): Promise<void> => {
  const keys = await store.keysOf(channelId);
  await store.removeChannels([channelId]);
  await forgetUnused(keys, { dataDir, store });
};

const collectIn = async (beginning: string, { dataDir, store }: Collecting): Promise<number> => {
  const { known, unused } = await store.keysWith(beginning);
  const old: string[] = [];
  for (const key of unused) if (await isOld(mediaPath(dataDir, key))) old.push(key);
  let count = await forgetUnused(old, { dataDir, store });
  const keys = new Set(known);
  const hashes = new Set(known.map((key) => key.slice(0, 64)));
  for (const name of await readdir(join(dataDir, 'media', beginning)).catch(() => [])) {
    const size = readSizeName(name);
    const place = mediaPath(dataDir, name);
    if (keys.has(name) || (size && hashes.has(size.hash)) || !(await isOld(place))) continue;
    await rm(place, { force: true });
    count += 1;
  }
  return count;
};

/**
 * Deletes stored files that no post and no channel shows or hides, and files that the store does not know. Returns their number.
 */
export const collectFiles = async (collecting: Collecting): Promise<number> => {
  await dropAbandoned(collecting.dataDir);
  let count = 0;
  for (let first = 0; first < 256; first += 1) {
    count += await collectIn(first.toString(16).padStart(2, '0'), collecting);
    await breathe();
  }
  return count;
};
