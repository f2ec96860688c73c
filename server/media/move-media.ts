/** Move of media files: copies all of them from one media store to another, and verifies each by its size and hash. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HASH_LENGTH, parseThumbnailName } from './files.ts';
import type { MediaEntry, MediaStore } from './media-store.ts';
import { deleteAbandonedFiles } from './save-file.ts';

/** Result of a move. `equalCount` files were there already. `damaged` files do not match their names and are not moved. */
export interface MediaMoveResult {
  readonly movedCount: number;
  readonly equalCount: number;
  readonly bytes: number;
  readonly damaged: readonly string[];
}

const MAX_CONCURRENT_MOVES = 4;
/** Attempts for a file that arrives damaged. Failed requests are repeated by the media store itself. */
const MAX_ATTEMPTS = 3;

const hashOf = async (mediaStore: MediaStore, name: string): Promise<string | null> => {
  const content = await mediaStore.read(name);
  if (content === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
};

/** Returns whether a store has the file with this size and hash. */
const isStored = async (mediaStore: MediaStore, { name, size }: MediaEntry, sha256: string): Promise<boolean> =>
  (await mediaStore.find(name))?.size === size && (await hashOf(mediaStore, name)) === sha256;

const copyFile = async (from: MediaStore, to: MediaStore, { name }: MediaEntry): Promise<void> => {
  const path = join(to.incomingFolder, randomUUID());
  try {
    const content = await from.read(name);
    if (content === null) throw new Error(`The stored file ${name} was deleted during the move.`);
    await pipeline(content, createWriteStream(path, { flush: true }));
    await to.save(path, name);
  } finally {
    await rm(path, { force: true });
  }
};

const moveFile = async (from: MediaStore, to: MediaStore, file: MediaEntry): Promise<'equal' | 'moved' | 'damaged'> => {
  const sha256 = await hashOf(from, file.name);
  // The name of a smaller size contains the hash of its original.
  const isExpected = parseThumbnailName(file.name) !== null || sha256 === file.name.slice(0, HASH_LENGTH);
  if (sha256 === null || !isExpected) return 'damaged';
  if (await isStored(to, file, sha256)) return 'equal';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // A damaged file of the same size would count as stored already.
    await to.delete([file.name]);
    await copyFile(from, to, file);
    if (await isStored(to, file, sha256)) return 'moved';
  }
  throw new Error(`The file ${file.name} arrived damaged ${MAX_ATTEMPTS} times.`);
};

/**
 * Copies all media files. The source keeps them. If the move was interrupted, another one continues it: it verifies the
 * files that arrived, and copies the others.
 */
export const moveMedia = async (
  from: MediaStore,
  to: MediaStore,
  onMoved: (count: number) => void = () => {},
): Promise<MediaMoveResult> => {
  await mkdir(to.incomingFolder, { recursive: true });
  await deleteAbandonedFiles(to);
  const running = new Set<Promise<void>>();
  const counts = { equal: 0, moved: 0 };
  const damaged: string[] = [];
  let bytes = 0;
  const move = async (file: MediaEntry): Promise<void> => {
    const result = await moveFile(from, to, file);
    if (result === 'damaged') return void damaged.push(file.name);
    counts[result] += 1;
    bytes += file.size;
    onMoved(counts.equal + counts.moved);
  };
  for await (const file of from.list()) {
    const moving: Promise<void> = move(file).finally(() => running.delete(moving));
    running.add(moving);
    if (running.size === MAX_CONCURRENT_MOVES) await Promise.race(running);
  }
  await Promise.all(running);
  return { movedCount: counts.moved, equalCount: counts.equal, bytes, damaged };
};
