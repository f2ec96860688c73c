import { rm, statfs } from 'node:fs/promises';
import type { FileFailure } from '../../contract/failures.ts';
import type { MediaFile } from '../domain/model.ts';
import type { SourceFailure } from '../lib/failure-codes.ts';
import type { Droppable } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { placesOf } from './files.ts';
import { keepFile } from './save-file.ts';
import { type Sizes, widthsOf } from './thumbnails.ts';

/** What is needed to see how much room there is, and to make some. */
export interface Rooms {
  readonly dataDir: string;
  readonly store: Store;
  readonly sizes: Sizes;
  readonly limits: { readonly quota: number; readonly freeBytes: number };
}

/** What a picture that has to leave is kept as. */
const STAND_IN = 640;
const AT_ONCE = 16;

/** Bytes that the data folder's disk has left; null where it cannot be told. */
export const freeBytes = async (dataDir: string): Promise<number | null> => {
  const found = await statfs(dataDir).catch(() => null);
  return found && found.bavail * found.bsize;
};

const standInFor = async (file: MediaFile, { dataDir, store, sizes }: Rooms): Promise<MediaFile | null> => {
  const place = await sizes.make(file, STAND_IN);
  return place === null ? null : (await keepFile(place, { dataDir, store })).file;
};

/**
 * Drops one original. A picture stays in a smaller size; one that has none stays as it is, for it takes little and is all that
 * there is to see.
 */
const drop = async ({ width, ...told }: Droppable, rooms: Rooms): Promise<void> => {
  const file: MediaFile = { ...told, ...(width === null ? {} : { width }) };
  const isPicture = file.mime.startsWith('image/') && file.mime !== 'image/gif';
  const standIn = isPicture && widthsOf(file).includes(STAND_IN) ? await standInFor(file, rooms) : null;
  if (isPicture && standIn === null) return rooms.store.spareOriginal(file.key);
  if (await rooms.store.dropOriginal(file.key, standIn))
    for (const place of placesOf(rooms.dataDir, file.key)) await rm(place, { force: true });
};

/** Whether an original has to leave: there is too much, or one came after others had left that are newer. */
const isOver = async ({ store, limits }: Rooms): Promise<boolean> =>
  limits.quota > 0 && ((await store.keptBytes()) > limits.quota || (await store.keepsOlder()));

/**
 * Brings what is kept under the quota: the originals of the oldest posts leave first. What was imported is the only copy and
 * never leaves; false when nothing else is left and it is still too much.
 */
export const makeRoom = async (rooms: Rooms): Promise<boolean> => {
  while (await isOver(rooms)) {
    const oldest = await rooms.store.oldestOriginals(AT_ONCE);
    if (oldest.length === 0) return false;
    for (const original of oldest) {
      await drop(original, rooms);
      if (!(await isOver(rooms))) return true;
    }
  }
  return true;
};

/** Says why nothing can be kept just now; null where there is room. */
export const whyFull = async (rooms: Rooms): Promise<SourceFailure<FileFailure> | null> => {
  const free = await freeBytes(rooms.dataDir);
  if (free !== null && free < rooms.limits.freeBytes) return { code: 'disk-full', sentence: 'the disk is nearly full' };
  return (await makeRoom(rooms)) ? null : { code: 'other', sentence: 'what was imported fills MEDIA_QUOTA by itself' };
};
