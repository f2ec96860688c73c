/** Thumbnails: smaller sizes of stored pictures. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaFile } from '../domain/model.ts';
import type { FileStore } from '../storage/ports/files.ts';
import { THUMBNAIL_WIDTHS, type ThumbnailWidth, thumbnailName } from './files.ts';
import type { MediaEntry, MediaStore } from './media-store.ts';

/** Creates smaller sizes of stored pictures, each once, at most two at a time. */
export interface Thumbnails {
  /**
   * Returns a stored size and creates it if it is missing. Returns null if none is possible (an animation) or too many
   * requests wait.
   */
  getOrRender(file: MediaFile, width: ThumbnailWidth): Promise<MediaEntry | null>;
  /** Creates all sizes that a picture can have. */
  renderAll(file: MediaFile): Promise<void>;
}

interface ThumbnailDeps {
  readonly mediaStore: MediaStore;
  readonly store: Pick<FileStore, 'putThumbnailBytes'>;
}

// AVIF took fifteen times as long as WebP (1280 pixels wide: 2 s against 0.13 s): too long while a reader waits.
const WEBP_QUALITY = 80;
const MAX_CONCURRENT_RENDERS = 2;
/** Maximum number of waiting requests. The largest size takes 0.13 s; later requests get the original. */
const MAX_WAITING_RENDERS = 64;
const MAX_REMEMBERED_FAILURES = 1000;

const SCALABLE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);

/** Returns the sizes that a stored file can have: those narrower than itself. */
export const thumbnailWidthsOf = ({ mime, width = 0 }: MediaFile): ThumbnailWidth[] =>
  SCALABLE_TYPES.has(mime) ? THUMBNAIL_WIDTHS.filter((candidate) => candidate < width) : [];

/**
 * Writes a size of a picture to a file; returns false for an animation. The picture's metadata, such as the location,
 * is omitted.
 */
const renderThumbnail = async (sourcePath: string, targetPath: string, width: ThumbnailWidth): Promise<boolean> => {
  // Loaded only for the first picture, because the image library is our largest one.
  const { openPicture } = await import('./image.ts');
  const { image, metadata } = await openPicture(sourcePath);
  if ((metadata.pages ?? 1) > 1) return false;
  await image.autoOrient().resize({ width }).webp({ quality: WEBP_QUALITY }).toFile(targetPath);
  return true;
};

/** Counts run one after another, so that the last count includes every existing size. */
const countQueue = pLimit(1);

/**
 * Returns the total bytes of a picture's existing sizes. A size that is created again, or by two processes, counts
 * once.
 */
const readBytesOfThumbnails = async (mediaStore: MediaStore, { key }: MediaFile): Promise<number> => {
  const files = await Promise.all(THUMBNAIL_WIDTHS.map((width) => mediaStore.find(thumbnailName(key, width))));
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
};

const createThumbnail = async (
  { mediaStore, store }: ThumbnailDeps,
  file: MediaFile,
  width: ThumbnailWidth,
): Promise<MediaEntry | null> => {
  const name = thumbnailName(file.key, width);
  await mkdir(mediaStore.incomingFolder, { recursive: true });
  const incomingPath = join(mediaStore.incomingFolder, randomUUID());
  try {
    if (!(await mediaStore.withLocalCopy(file.key, (path) => renderThumbnail(path, incomingPath, width)))) return null;
    await mediaStore.save(incomingPath, name);
    await countQueue(async () => store.putThumbnailBytes(file.key, await readBytesOfThumbnails(mediaStore, file)));
    return mediaStore.find(name);
  } finally {
    await rm(incomingPath, { force: true });
  }
};

/**
 * Returns whether a file could not be read or written. The image library wraps disk errors in its own messages; an error
 * of object storage has a code.
 */
const isDiskError = (error: unknown): boolean =>
  error instanceof Error && ('code' in error || /no space left|unable to write|write error/i.test(error.message));

/**
 * Queue of the process: all renderings share its memory and processors. Requests for the same size share one job.
 */
const renderQueue = pLimit(MAX_CONCURRENT_RENDERS);
const pendingRenders = new WeakMap<MediaStore, Map<string, Promise<MediaEntry | null>>>();

/** Returns the renderings in progress in a media store, by name. */
const pendingRendersOf = (mediaStore: MediaStore): Map<string, Promise<MediaEntry | null>> => {
  const pending = pendingRenders.get(mediaStore) ?? new Map<string, Promise<MediaEntry | null>>();
  pendingRenders.set(mediaStore, pending);
  return pending;
};

/**
 * Creates the thumbnail maker of a media store. A picture that cannot be decoded is remembered; a failure to write
 * rejects.
 */
export const createThumbnails = (deps: ThumbnailDeps): Thumbnails => {
  const unrenderable = new Set<string>();
  const rememberFailure = (name: string) => {
    if (unrenderable.size >= MAX_REMEMBERED_FAILURES) unrenderable.clear();
    unrenderable.add(name);
    return null;
  };
  const tryRender = async (file: MediaFile, width: ThumbnailWidth, name: string) => {
    try {
      return (await createThumbnail(deps, file, width)) ?? rememberFailure(name);
    } catch (error) {
      if (isDiskError(error)) throw error;
      return rememberFailure(name);
    }
  };
  const getOrRender: Thumbnails['getOrRender'] = async (file, width) => {
    const name = thumbnailName(file.key, width);
    if (unrenderable.has(name) || !thumbnailWidthsOf(file).includes(width)) return null;
    const existing = await deps.mediaStore.find(name);
    if (existing !== null) return existing;
    const pending = pendingRendersOf(deps.mediaStore);
    const current = pending.get(name);
    if (current) return current;
    if (renderQueue.pendingCount >= MAX_WAITING_RENDERS) return null;
    const rendering = renderQueue(() => tryRender(file, width, name)).finally(() => pending.delete(name));
    pending.set(name, rendering);
    return rendering;
  };
  return {
    getOrRender,
    async renderAll(file) {
      for (const width of thumbnailWidthsOf(file)) await getOrRender(file, width);
    },
  };
};
