/** Thumbnails: smaller sizes of stored pictures. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaFile } from '../domain/model.ts';
import type { FileStore } from '../storage/ports/files.ts';
import { mediaPath, sizeName, WIDTHS, type Width } from './files.ts';
import { incoming, moveIn } from './save-file.ts';

/** Creates smaller sizes of stored pictures, each once, at most two at a time. */
export interface Sizes {
  /**
   * Returns the path of a size and creates it if it is missing. Returns null if none is possible (an animation) or too many
   * requests wait.
   */
  make(file: MediaFile, width: Width): Promise<string | null>;
  /** Creates all sizes that a picture can have. */
  makeAll(file: MediaFile): Promise<void>;
}

interface Making {
  readonly dataDir: string;
  readonly store: Pick<FileStore, 'putSizes'>;
}

// AVIF took fifteen times as long as WebP (1280 pixels wide: 2 s against 0.13 s): too long while a reader waits.
const QUALITY = 80;
const MAX_CONCURRENT_RENDERS = 2;
/** Maximum number of waiting requests. The largest size takes 0.13 s; later requests get the original. */
const MAX_WAITING_RENDERS = 64;
const MAX_REMEMBERED_FAILURES = 1000;

const SCALED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);

/** Returns the sizes that a stored file can have: those narrower than itself. */
export const widthsOf = ({ mime, width = 0 }: MediaFile): Width[] =>
  SCALED.has(mime) ? WIDTHS.filter((each) => each < width) : [];

const isThere = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Writes a size of a picture to a file; returns false for an animation. The picture's metadata, such as the location, is omitted.
 */
const draw = async (from: string, to: string, width: Width): Promise<boolean> => {
  // Loaded only for the first picture, with settings for a server: it is our largest library.
  const { openPicture } = await import('./image.ts');
  const { image, metadata } = await openPicture(from);
  if ((metadata.pages ?? 1) > 1) return false;
  await image.autoOrient().resize({ width }).webp({ quality: QUALITY }).toFile(to);
  return true;
};

/** Sequential, so that the last count includes every existing size. */
const counting = pLimit(1);

/** Returns the total bytes of a picture's existing sizes. A size that is created again, or by two processes, counts once. */
const bytesOfSizes = async (dataDir: string, { key }: MediaFile): Promise<number> => {
  const found = await Promise.all(WIDTHS.map((width) => stat(mediaPath(dataDir, sizeName(key, width))).catch(() => null)));
  return found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
};

const makeOne = async ({ dataDir, store }: Making, file: MediaFile, width: Width): Promise<string | null> => {
  const name = sizeName(file.key, width);
  await mkdir(incoming(dataDir), { recursive: true });
  const draft = join(incoming(dataDir), randomUUID());
  try {
    if (!(await draw(mediaPath(dataDir, file.key), draft, width))) return null;
    await moveIn(dataDir, draft, name);
    await counting(async () => store.putSizes(file.key, await bytesOfSizes(dataDir, file)));
    return mediaPath(dataDir, name);
  } finally {
    await rm(draft, { force: true });
  }
};

/** The image library wraps disk errors in its own messages. */
const isFault = (error: unknown): boolean =>
  error instanceof Error && ('code' in error || /no space left|unable to write|write error/i.test(error.message));

/** Shared by the whole process, because its memory and processors are. Requests for the same size wait for the same job. */
const drawing = pLimit(MAX_CONCURRENT_RENDERS);
const underWay = new Map<string, Promise<string | null>>();

/**
 * Creates the thumbnail maker of a data directory. A picture that cannot be decoded is remembered; a failure to write rejects.
 */
export const createSizes = (making: Making): Sizes => {
  const impossible = new Set<string>();
  const remember = (name: string) => {
    if (impossible.size >= MAX_REMEMBERED_FAILURES) impossible.clear();
    impossible.add(name);
    return null;
  };
  const attempt = async (file: MediaFile, width: Width, name: string) => {
    try {
      return (await makeOne(making, file, width)) ?? remember(name);
    } catch (error) {
      if (isFault(error)) throw error;
      return remember(name);
    }
  };
  const make: Sizes['make'] = async (file, width) => {
    const name = sizeName(file.key, width);
    const place = mediaPath(making.dataDir, name);
    if (impossible.has(name) || !widthsOf(file).includes(width)) return null;
    if (await isThere(place)) return place;
    const begun = underWay.get(place);
    if (begun) return begun;
    if (drawing.pendingCount >= MAX_WAITING_RENDERS) return null;
    const made = drawing(() => attempt(file, width, name)).finally(() => underWay.delete(place));
    underWay.set(place, made);
    return made;
  };
  return {
    make,
    async makeAll(file) {
      for (const width of widthsOf(file)) await make(file, width);
    },
  };
};
