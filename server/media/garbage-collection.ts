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

/** Whether a file has lain so long that nobody is about to write the message that shows it. */
const isOld = async (place: string): Promise<boolean> => {
  const found = await stat(place).catch(() => null);
  return found === null || Date.now() - found.mtimeMs > DAY;
};

/** Deletes those of some files that nothing shows or hides; answers how many. */
const forgetUnused = async (keys: readonly string[], { dataDir, store }: Collecting): Promise<number> => {
  let count = 0;
  for (const key of keys) {
    // Inside the store's transaction, so that nobody keeps the same file anew meanwhile.
    const gone = () => {
      for (const place of placesOf(dataDir, key)) rmSync(place, { force: true });
    };
    if (await store.forgetFile(key, gone)) count += 1;
  }
  return count;
};

/** Removes a channel with all that is kept of it, its files too where nothing else shows them. */
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

/** Deletes kept files that no post and no channel shows or hides, and what the store does not know; answers how many. */
export const collectFiles = async (collecting: Collecting): Promise<number> => {
  await dropAbandoned(collecting.dataDir);
  let count = 0;
  for (let first = 0; first < 256; first += 1) {
    count += await collectIn(first.toString(16).padStart(2, '0'), collecting);
    await breathe();
  }
  return count;
};
