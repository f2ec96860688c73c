import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaFile } from '../domain/model.ts';
import type { Store } from '../storage/ports/store.ts';
import { asDocument, mediaPath, SNIFFED_BYTES, type Sniffed, sniff } from './files.ts';
import type { Sizes } from './image.ts';

/** A file that is now kept; `reason` says why an image is kept as a document. */
export interface Kept {
  readonly file: MediaFile;
  readonly src: string;
  readonly kind: Sniffed['kind'];
  readonly reason?: string;
}

interface Keeping {
  readonly dataDir: string;
  readonly store: Pick<Store, 'putMediaFile'>;
}

interface Copy {
  readonly place: string;
  readonly hash: string;
  readonly size: number;
  readonly start: Uint8Array;
}

/** Where bytes come from: a path, the bytes themselves, or a stream whose failure is the keeping's. */
export type Bytes = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Where files are written before they are whole. */
export const incoming = (dataDir: string) => join(dataDir, 'media', 'incoming');

const chunksOf = (source: Bytes): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => {
  if (typeof source === 'string') return createReadStream(source, { highWaterMark: 256 * 1024 });
  return source instanceof Uint8Array ? [source] : source;
};

const copyTo = async (handle: FileHandle, source: Bytes): Promise<Omit<Copy, 'place'>> => {
  const hash = createHash('sha256');
  let [size, start] = [0, new Uint8Array()];
  for await (const bytes of chunksOf(source)) {
    if (start.length < SNIFFED_BYTES) start = Buffer.concat([start, bytes.subarray(0, SNIFFED_BYTES)]);
    hash.update(bytes);
    size += bytes.length;
    await handle.writeFile(bytes);
  }
  return { hash: hash.digest('hex'), size, start };
};

const copyIn = async (dataDir: string, source: Bytes): Promise<Copy> => {
  await mkdir(incoming(dataDir), { recursive: true });
  const place = join(incoming(dataDir), randomUUID());
  const handle = await open(place, 'wx');
  try {
    const copied = await copyTo(handle, source);
    await handle.sync();
    return { place, ...copied };
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};

const syncDirectory = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Moves a file that is whole to where it is served from, for good. */
export const moveIn = async (dataDir: string, place: string, key: string): Promise<void> => {
  const target = mediaPath(dataDir, key);
  const directory = dirname(target);
  await mkdir(directory, { recursive: true });
  await rename(place, target);
  await syncDirectory(directory);
};

/** An image is what can be shown as one; what cannot is still the reader's to download. */
const look = async (copy: Copy): Promise<{ type: Sniffed; sizes?: Sizes; reason?: string }> => {
  const type = sniff(copy.start);
  if (type.kind !== 'image') return { type };
  // Loaded only for the first picture: it brings the image library along.
  const { measurePicture } = await import('./image.ts');
  try {
    return { type, sizes: await measurePicture(copy.place) };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { type: asDocument(), reason: `it says it is ${type.mime} and cannot be read as that: ${reason}` };
  }
};

/**
 * Keeps a file under DATA_DIR/media by its content, so that the same bytes are kept once. Its type is told by its bytes; it is
 * on the disk, whole, before the store knows of it.
 */
export const keepFile = async (source: Bytes, { dataDir, store }: Keeping): Promise<Kept> => {
  const copy = await copyIn(dataDir, source);
  try {
    const { type, sizes, reason } = await look(copy);
    const file: MediaFile = { key: `${copy.hash}.${type.extension}`, mime: type.mime, size: copy.size, ...sizes };
    await moveIn(dataDir, copy.place, file.key);
    await store.putMediaFile(file);
    return { file, src: `/media/${file.key}`, kind: type.kind, ...(reason === undefined ? {} : { reason }) };
  } finally {
    await rm(copy.place, { force: true });
  }
};

const DAY = 24 * 60 * 60 * 1000;

/** Removes what a process that died left half copied. */
export const dropAbandoned = async (dataDir: string): Promise<void> => {
  const names = await readdir(incoming(dataDir)).catch(() => []);
  for (const name of names) {
    const place = join(incoming(dataDir), name);
    const found = await stat(place).catch(() => null);
    if (found && Date.now() - found.mtimeMs > DAY) await rm(place, { force: true });
  }
};
