/** File storage: writes files to the media store by the hash of their content. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaFile } from '../domain/model.ts';
import type { Store } from '../storage/ports/store.ts';
import { detectFileType, type FileType, SNIFFED_BYTES, unknownFileType } from './files.ts';
import type { ImageMeasures } from './image.ts';
import type { MediaStore } from './media-store.ts';

/** Stored file. `reason` states why an image is stored as a document. */
export interface SavedFile {
  readonly file: MediaFile;
  readonly src: string;
  readonly kind: FileType['kind'];
  readonly reason?: string;
}

interface SaveFileDeps {
  readonly mediaStore: MediaStore;
  readonly store: Pick<Store, 'putMediaFile'>;
}

/** Copy in the directory of incomplete files. `start` contains its first bytes, for type detection. */
interface IncomingCopy {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly start: Uint8Array;
}

/** Input: a path, the bytes themselves, or a stream. If the stream fails, storing fails. */
export type ByteSource = string | Uint8Array | AsyncIterable<Uint8Array>;

const READ_CHUNK_BYTES = 256 * 1024;

const chunksOf = (source: ByteSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => {
  if (typeof source === 'string') return createReadStream(source, { highWaterMark: READ_CHUNK_BYTES });
  return source instanceof Uint8Array ? [source] : source;
};

const copyTo = async (handle: FileHandle, source: ByteSource): Promise<Omit<IncomingCopy, 'path'>> => {
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

const copyToIncoming = async ({ incomingFolder }: MediaStore, source: ByteSource): Promise<IncomingCopy> => {
  await mkdir(incomingFolder, { recursive: true });
  const incomingPath = join(incomingFolder, randomUUID());
  const handle = await open(incomingPath, 'wx');
  try {
    const copy = await copyTo(handle, source);
    await handle.sync();
    return { path: incomingPath, ...copy };
  } catch (error) {
    await rm(incomingPath, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};

/** Detects the type. An image that cannot be decoded is stored as a document, which the reader can download. */
const inspectFile = async (copy: IncomingCopy): Promise<{ type: FileType; sizes?: ImageMeasures; reason?: string }> => {
  const type = detectFileType(copy.start);
  if (type.kind !== 'image') return { type };
  // Loaded only for the first picture: it loads the image library.
  const { measurePicture } = await import('./image.ts');
  try {
    return { type, sizes: await measurePicture(copy.path) };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { type: unknownFileType(), reason: `its content looks like ${type.mime} but could not be decoded: ${reason}` };
  }
};

/**
 * Stores a file by the hash of its content, so that the same bytes are stored once. Its type is detected from its
 * bytes. The complete file is in the media store before the store refers to it.
 */
export const saveMediaFile = async (source: ByteSource, { mediaStore, store }: SaveFileDeps): Promise<SavedFile> => {
  const copy = await copyToIncoming(mediaStore, source);
  try {
    const { type, sizes, reason } = await inspectFile(copy);
    const file: MediaFile = { key: `${copy.hash}.${type.extension}`, mime: type.mime, size: copy.size, ...sizes };
    await mediaStore.save(copy.path, file.key);
    await store.putMediaFile(file);
    return { file, src: `/media/${file.key}`, kind: type.kind, ...(reason === undefined ? {} : { reason }) };
  } finally {
    await rm(copy.path, { force: true });
  }
};

/** Age from which an incomplete copy belongs to a dead process: no copy takes a day. */
const MAX_INCOMING_AGE_MS = 24 * 60 * 60 * 1000;

/** Deletes incomplete copies of processes that died. */
export const deleteAbandonedFiles = async ({ incomingFolder }: Pick<MediaStore, 'incomingFolder'>): Promise<void> => {
  const names = await readdir(incomingFolder).catch(() => []);
  for (const name of names) {
    const incomingPath = join(incomingFolder, name);
    const stats = await stat(incomingPath).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > MAX_INCOMING_AGE_MS) await rm(incomingPath, { force: true });
  }
};
