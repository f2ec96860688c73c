import { rm, statfs } from 'node:fs/promises';
import type { FileFailure } from '../../contract/failures.ts';
import type { FileCounts, StorageUse } from '../../contract/operator.ts';
import type { MediaFile } from '../domain/model.ts';
import { readFileFailure, type SourceFailure } from '../lib/failure-codes.ts';
import type { Droppable, WantedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import type { Outcome } from './download.ts';
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

/** Keeps the feeds that readers added to their share of the quota. */
export interface Share {
  /** Refuses a file that would go beyond it; null for what may be fetched. */
  refuse(wanted: WantedFile): Promise<Outcome | null>;
  /** Counts a file that is kept now. */
  count(wanted: WantedFile, file: MediaFile): void;
}

interface Sharing {
  readonly store: Pick<Store, 'elsewhereBytes'>;
  /** Bytes; 0 for no limit. */
  readonly quota: number;
  /** Milliseconds since any moment. */
  readonly passed: () => number;
}

/**
 * Of the quota, what channels from elsewhere alone may take. Anyone may add one, and of their pictures something always stays:
 * three quarters are left to the operators' own, and 5 GB of the usual 20 are some fifty thousand pictures. What a
 * feed has taken out of its posts is not counted; it is collected within two days.
 */
const OF_THE_QUOTA = 1 / 4;

/** The store reads through all of their files (0.3 s for fifty thousand): it is asked once a minute, and what comes is counted. */
const ASK_MS = 60_000;

/** Makes the share of one process; what is under way in it, or was kept by others in the last minute, may go beyond. */
export const createShare = ({ store, quota, passed }: Sharing): Share => {
  let taken = 0;
  let askAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<void> => {
    taken = await store.elsewhereBytes();
    askAt = passed() + ASK_MS;
  };

  return {
    async refuse({ elsewhere, size }) {
      if (!elsewhere || quota === 0) return null;
      if (passed() >= askAt) await ask();
      if (taken + (size ?? 0) <= quota * OF_THE_QUOTA) return null;
      const sentence = "readers' feeds have their share of MEDIA_QUOTA";
      return { type: 'over-share', failure: { code: 'share-used', sentence }, seconds: 0 };
    },
    count({ elsewhere }, file) {
      if (elsewhere) taken += file.size;
    },
  };
};

/** How fetching and keeping stand; `paused` says why nothing is fetched just now, `pausedCode` for pages. */
export interface MediaStatus {
  readonly queue: FileCounts;
  readonly storage: StorageUse;
  readonly paused: string | null;
  readonly pausedCode: FileFailure | null;
}

const FACT = 'files-paused';

/** Stores why nothing is fetched, as written by writeFailure, or null once fetching goes on. All processes read it. */
export const tellPause = (store: Store, reason: string | null): Promise<void> =>
  reason === null ? store.dropFact(FACT) : store.putFact(FACT, reason);

/** Reads how fetching and keeping stand, for operators. */
export const readMediaStatus = async ({
  store,
  dataDir,
  quota,
}: {
  readonly store: Store;
  readonly dataDir: string;
  readonly quota: number;
}): Promise<MediaStatus> => {
  const [queue, used, free, paused] = await Promise.all([
    store.fileCounts(null),
    store.keptBytes(),
    freeBytes(dataDir),
    store.fact(FACT),
  ]);
  const failure = paused === null ? null : readFileFailure(paused);
  return {
    queue,
    storage: { used, quota, ...(free === null ? {} : { free }) },
    paused: failure?.sentence ?? null,
    pausedCode: failure?.code ?? null,
  };
};
