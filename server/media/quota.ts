/** Media quota: evicts originals of old posts, checks free space, and limits the share of reader-added feeds. */
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

/** Dependencies to check the free space and to evict files. */
export interface Rooms {
  readonly dataDir: string;
  readonly store: Store;
  readonly sizes: Sizes;
  readonly limits: { readonly quota: number; readonly freeBytes: number };
}

/** Width of the picture that replaces an evicted original. */
const STAND_IN = 640;
const ORIGINALS_PER_BATCH = 16;

/** Returns the free space on the data directory's disk, bytes; null if it is unknown. */
export const freeBytes = async (dataDir: string): Promise<number | null> => {
  const found = await statfs(dataDir).catch(() => null);
  return found && found.bavail * found.bsize;
};

const standInFor = async (file: MediaFile, { dataDir, store, sizes }: Rooms): Promise<MediaFile | null> => {
  const place = await sizes.make(file, STAND_IN);
  return place === null ? null : (await keepFile(place, { dataDir, store })).file;
};

/**
 * Evicts one original. A picture is replaced with a smaller size. A picture without one stays as it is, because it is small and
 * is the only version.
 */
const drop = async ({ width, ...told }: Droppable, rooms: Rooms): Promise<void> => {
  const file: MediaFile = { ...told, ...(width === null ? {} : { width }) };
  const isPicture = file.mime.startsWith('image/') && file.mime !== 'image/gif';
  const standIn = isPicture && widthsOf(file).includes(STAND_IN) ? await standInFor(file, rooms) : null;
  if (isPicture && standIn === null) return rooms.store.spareOriginal(file.key);
  if (await rooms.store.dropOriginal(file.key, standIn))
    for (const place of placesOf(rooms.dataDir, file.key)) await rm(place, { force: true });
};

/**
 * Returns whether an original must be evicted: the total exceeds the quota, or an original arrived that is older than evicted
 * ones.
 */
const isOver = async ({ store, limits }: Rooms): Promise<boolean> =>
  limits.quota > 0 && ((await store.keptBytes()) > limits.quota || (await store.keepsOlder()));

/**
 * Enforces the quota: the originals of the oldest posts are evicted first. Imported files are the only copy and are never
 * evicted. Returns false if only those remain and the total still exceeds the quota.
 */
export const makeRoom = async (rooms: Rooms): Promise<boolean> => {
  while (await isOver(rooms)) {
    const oldest = await rooms.store.oldestOriginals(ORIGINALS_PER_BATCH);
    if (oldest.length === 0) return false;
    for (const original of oldest) {
      await drop(original, rooms);
      if (!(await isOver(rooms))) return true;
    }
  }
  return true;
};

/** Returns the reason for which nothing can be stored now; null if there is space. */
export const whyFull = async (rooms: Rooms): Promise<SourceFailure<FileFailure> | null> => {
  const free = await freeBytes(rooms.dataDir);
  if (free !== null && free < rooms.limits.freeBytes) return { code: 'disk-full', sentence: 'the disk is nearly full' };
  return (await makeRoom(rooms)) ? null : { code: 'other', sentence: 'what was imported fills MEDIA_QUOTA by itself' };
};

/** Limits the feeds that readers added to their share of the quota. */
export interface Share {
  /** Rejects a file that would exceed the share; null if it may be downloaded. */
  refuse(wanted: WantedFile): Promise<Outcome | null>;
  /** Counts a file that is now stored. */
  count(wanted: WantedFile, file: MediaFile): void;
}

interface Sharing {
  readonly store: Pick<Store, 'elsewhereBytes'>;
  /** Bytes; 0 for no limit. */
  readonly quota: number;
  /** Milliseconds since an arbitrary moment. */
  readonly passed: () => number;
}

/**
 * Share of the quota for the files of reader-added channels alone. Anyone may add such a channel, and of its pictures a smaller
 * size always stays. Three quarters remain for the operators' own channels; 5 GB of the default 20 GB are about fifty thousand
 * pictures. A file that a feed has removed from its posts is not counted; it is deleted within two days.
 */
const OF_THE_QUOTA = 1 / 4;

/**
 * Interval of the query, ms. The store scans all of these files (0.3 s for fifty thousand), so it is queried once a minute, and
 * new files are counted here.
 */
const ASK_MS = 60_000;

/**
 * Creates the share of one process. Downloads in progress in it, and files that other processes stored in the last minute, may
 * exceed the share.
 */
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

/**
 * Status of downloads and storage. `paused` is the reason for which nothing is downloaded now, `pausedCode` its code for pages.
 */
export interface MediaStatus {
  readonly queue: FileCounts;
  readonly storage: StorageUse;
  readonly paused: string | null;
  readonly pausedCode: FileFailure | null;
}

const FACT = 'files-paused';

/** Stores the reason of a pause in the format of `writeFailure`, or null when downloads continue. All processes read it. */
export const tellPause = (store: Store, reason: string | null): Promise<void> =>
  reason === null ? store.dropFact(FACT) : store.putFact(FACT, reason);

/** Reads the status of downloads and storage, for operators. */
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
