/** Media quota: evicts originals of old posts, checks free space, and limits the share of reader-added feeds. */
import type { FileFailure } from '../../contract/failures.ts';
import type { FileCounts, StorageUse } from '../../contract/operator.ts';
import type { MediaFile } from '../domain/model.ts';
import { parseFileFailure, type SourceFailure } from '../lib/failure-codes.ts';
import type { EvictableFile, QueuedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import type { DownloadOutcome } from './download.ts';
import { fileNamesOf } from './files.ts';
import type { MediaStore } from './media-store.ts';
import { saveMediaFile } from './save-file.ts';
import { type Thumbnails, thumbnailWidthsOf } from './thumbnails.ts';

/** Dependencies to check the free space and to evict files. */
export interface QuotaDeps {
  readonly mediaStore: MediaStore;
  readonly store: Store;
  readonly thumbnails: Thumbnails;
  readonly limits: { readonly quota: number; readonly freeBytes: number };
}

/** Width of the picture that replaces an evicted original. */
const SUBSTITUTE_WIDTH = 640;
/** Number of originals that one query returns. */
const ORIGINALS_PER_BATCH = 16;

/** Stores a smaller size of a picture as a separate file; null if it cannot be rendered. */
const createSubstitute = async (file: MediaFile, { mediaStore, store, thumbnails }: QuotaDeps): Promise<MediaFile | null> => {
  const thumbnail = await thumbnails.getOrRender(file, SUBSTITUTE_WIDTH);
  const content = thumbnail && (await mediaStore.read(thumbnail.name));
  return content && (await saveMediaFile(content, { mediaStore, store })).file;
};

/**
 * Evicts one original. A picture is replaced with a smaller size. A picture without one stays as it is, because it is
 * small and is the only version.
 */
const evictFile = async ({ width, ...fields }: EvictableFile, deps: QuotaDeps): Promise<void> => {
  const file: MediaFile = { ...fields, ...(width === null ? {} : { width }) };
  const isPicture = file.mime.startsWith('image/') && file.mime !== 'image/gif';
  const substitute = isPicture && thumbnailWidthsOf(file).includes(SUBSTITUTE_WIDTH) ? await createSubstitute(file, deps) : null;
  if (isPicture && substitute === null) return deps.store.retainOriginal(file.key);
  if (await deps.store.evictOriginal(file.key, substitute)) await deps.mediaStore.delete(fileNamesOf(file.key));
};

/**
 * Returns whether an original must be evicted: the total exceeds the quota, or an original was stored that is older
 * than evicted ones.
 */
const isOverQuota = async ({ store, limits }: QuotaDeps): Promise<boolean> =>
  limits.quota > 0 && ((await store.storedBytes()) > limits.quota || (await store.hasOriginalOlderThanEvicted()));

/**
 * Enforces the quota: the originals of the oldest posts are evicted first. Imported files are the only copy and are
 * never evicted. Returns false if only those remain and the total still exceeds the quota.
 */
const enforceQuota = async (deps: QuotaDeps): Promise<boolean> => {
  while (await isOverQuota(deps)) {
    const oldest = await deps.store.oldestOriginals(ORIGINALS_PER_BATCH);
    if (oldest.length === 0) return false;
    for (const original of oldest) {
      await evictFile(original, deps);
      if (!(await isOverQuota(deps))) return true;
    }
  }
  return true;
};

/** Returns the reason for which nothing can be stored now; null if there is space. */
export const storageFullReason = async (deps: QuotaDeps): Promise<SourceFailure<FileFailure> | null> => {
  const freeBytes = await deps.mediaStore.freeBytes();
  if (freeBytes !== null && freeBytes < deps.limits.freeBytes) return { code: 'disk-full', sentence: 'the disk is nearly full' };
  return (await enforceQuota(deps)) ? null : { code: 'other', sentence: 'the imported files alone exceed MEDIA_QUOTA' };
};

/** Limits the feeds that readers added to their share of the quota. */
export interface ExternalQuota {
  /** Rejects a file that would exceed the share; null if it may be downloaded. */
  rejectionOf(queuedFile: QueuedFile): Promise<DownloadOutcome | null>;
  /** Counts a file that is now stored. */
  addSavedFile(queuedFile: QueuedFile, savedFile: MediaFile): void;
}

interface ExternalQuotaDeps {
  readonly store: Pick<Store, 'externalBytes'>;
  /** Bytes; 0 for no limit. */
  readonly quota: number;
  /** Milliseconds since an arbitrary moment. */
  readonly elapsed: () => number;
}

/**
 * Share of the quota for the files of reader-added channels alone. Anyone may add such a channel, and a smaller size of
 * its pictures is never evicted. Three quarters remain for the operators' own channels; 5 GB of the default 20 GB are
 * about fifty thousand pictures. A file that a feed has removed from its posts is not counted; it is deleted within two
 * days.
 */
const EXTERNAL_SHARE = 1 / 4;

/**
 * Interval of the query, ms. The store scans all of these files (0.3 s for fifty thousand), so it is queried once a
 * minute, and new files are counted here.
 */
const REFRESH_INTERVAL_MS = 60_000;

/**
 * Creates the share of one process. Downloads in progress in it, and files that other processes stored in the last
 * minute, may exceed the share.
 */
export const createExternalQuota = ({ store, quota, elapsed }: ExternalQuotaDeps): ExternalQuota => {
  let usedBytes = 0;
  let refreshAt = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    usedBytes = await store.externalBytes();
    refreshAt = elapsed() + REFRESH_INTERVAL_MS;
  };

  return {
    async rejectionOf({ isExternal, size }) {
      if (!isExternal || quota === 0) return null;
      if (elapsed() >= refreshAt) await refresh();
      if (usedBytes + (size ?? 0) <= quota * EXTERNAL_SHARE) return null;
      const sentence = 'the feeds that readers added have used their share of MEDIA_QUOTA';
      return { type: 'over-share', failure: { code: 'share-used', sentence }, seconds: 0 };
    },
    addSavedFile({ isExternal }, file) {
      if (isExternal) usedBytes += file.size;
    },
  };
};

/**
 * Status of downloads and storage. `paused` is the reason for which nothing is downloaded now, `pausedCode` its code
 * for pages.
 */
export interface MediaStatus {
  readonly queue: FileCounts;
  readonly storage: StorageUse;
  readonly paused: string | null;
  readonly pausedCode: FileFailure | null;
}

const PAUSE_SETTING = 'files-paused';

/**
 * Stores the reason of a pause in the format of `formatFailure`, or null when downloads continue. All processes read
 * it.
 */
export const storePauseReason = (store: Store, reason: string | null): Promise<void> =>
  reason === null ? store.deleteSetting(PAUSE_SETTING) : store.putSetting(PAUSE_SETTING, reason);

/** Reads the status of downloads and storage, for operators. */
export const readMediaStatus = async ({
  store,
  mediaStore,
  quota,
}: {
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly quota: number;
}): Promise<MediaStatus> => {
  const [queue, used, free, paused] = await Promise.all([
    store.fileCounts(),
    store.storedBytes(),
    mediaStore.freeBytes(),
    store.setting(PAUSE_SETTING),
  ]);
  const failure = paused === null ? null : parseFileFailure(paused);
  return {
    queue,
    storage: { used, quota, ...(free === null ? {} : { free }) },
    paused: failure?.sentence ?? null,
    pausedCode: failure?.code ?? null,
  };
};
