import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaFile } from '../domain/model.ts';
import type { FileStore } from '../storage/ports/files.ts';
import { mediaPath, sizeName, WIDTHS, type Width } from './files.ts';
import { incoming, moveIn } from './save-file.ts';

/** Makes smaller sizes of kept pictures, each once, at most two at a time. */
export interface Sizes {
  /** The path of a size, made where it is not there; null where none can be had (an animation) or too many wait. */
  make(file: MediaFile, width: Width): Promise<string | null>;
  /** Makes all sizes that a picture can have. */
  makeAll(file: MediaFile): Promise<void>;
}

interface Making {
  readonly dataDir: string;
  readonly store: Pick<FileStore, 'putSizes'>;
}

// AVIF took fifteen times as long as WebP (1280 pixels wide: 2 s against 0.13 s): too long while a reader waits.
const QUALITY = 80;
const AT_ONCE = 2;
/** The largest size takes 0.13 s; who comes later gets the original. */
const MOST_WAITING = 64;
const MOST_REMEMBERED = 1000;

const SCALED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);

/** Tells which sizes a kept file can have: those narrower than itself. */
export const widthsOf = ({ mime, width = 0 }: MediaFile): Width[] =>
  SCALED.has(mime) ? WIDTHS.filter((each) => each < width) : [];

const isThere = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isFile(),
    () => false,
  );

/** Draws a size into a file; false for what moves. What the picture's metadata say, as where it was taken, is left out. */
const draw = async (from: string, to: string, width: Width): Promise<boolean> => {
  // Loaded only for the first picture, with its settings for a server: it is the largest library that we have.
  const { openPicture } = await import('./image.ts');
  const { image, metadata } = await openPicture(from);
  if ((metadata.pages ?? 1) > 1) return false;
  await image.autoOrient().resize({ width }).webp({ quality: QUALITY }).toFile(to);
  return true;
};

/** The one that counts last sees every size that is there. */
const counting = pLimit(1);

/** Adds up all sizes of a picture that are there, bytes: one that is made again, or by two processes, counts once. */
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

/** The image library wraps what the disk says in words of its own. */
const isFault = (error: unknown): boolean =>
  error instanceof Error && ('code' in error || /no space left|unable to write|write error/i.test(error.message));

/** Of the whole process, for its memory and processors are: whoever asks for the same size waits for the same drawing. */
const drawing = pLimit(AT_ONCE);
const underWay = new Map<string, Promise<string | null>>();

/** The maker of sizes for a data folder. A failure to read a picture is remembered; one to write rejects. */
export const createSizes = (making: Making): Sizes => {
  const impossible = new Set<string>();
  const remember = (name: string) => {
    if (impossible.size >= MOST_REMEMBERED) impossible.clear();
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
    if (drawing.pendingCount >= MOST_WAITING) return null;
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
