/** Media store in a folder: files under DATA_DIR/media, in subfolders by the first two digits of their names. */
import { createReadStream, rmSync } from 'node:fs';
import { mkdir, readdir, rename, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { syncToDisk } from '../lib/sync-to-disk.ts';
import { mediaPath } from './files.ts';
import type { MediaEntry, MediaRange, MediaStore } from './media-store.ts';

/** Opens a file, so that a missing one is known before any byte is sent. */
const openStream = async (path: string, range?: MediaRange) => {
  const stream = createReadStream(path, range);
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    finished(stream).catch(reject);
  });
  return stream;
};

const nullIfMissing = (error: unknown): null => {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
};

/** Creates the media store of a data folder. */
export const createFolderMediaStore = (dataDir: string): MediaStore => {
  const root = join(dataDir, 'media');
  const pathOf = (name: string) => mediaPath(dataDir, name);

  const find = async (name: string): Promise<MediaEntry | null> => {
    const stats = await stat(pathOf(name)).catch(() => null);
    return stats?.isFile() ? { name, size: stats.size, modifiedAt: stats.mtimeMs } : null;
  };

  async function* list(prefix?: string): AsyncGenerator<MediaEntry> {
    const folders = prefix === undefined ? (await readdir(root).catch(() => [])).sort() : [prefix];
    for (const folder of folders.filter((name) => name !== 'incoming'))
      for (const name of (await readdir(join(root, folder)).catch(() => [])).sort()) {
        const file = await find(name);
        if (file !== null) yield file;
      }
  }

  return {
    setting: 'DATA_DIR',
    incomingFolder: join(root, 'incoming'),
    find,
    list,
    async save(incomingPath, name) {
      const directory = dirname(pathOf(name));
      await mkdir(directory, { recursive: true });
      await rename(incomingPath, pathOf(name));
      await syncToDisk(directory);
    },
    read: (name, range) => openStream(pathOf(name), range).catch(nullIfMissing),
    withLocalCopy: (name, task) => task(pathOf(name)),
    async delete(names) {
      // Synchronous, so that a caller can delete a file within a transaction of the store.
      for (const name of names) rmSync(pathOf(name), { force: true });
    },
    async freeBytes() {
      const stats = await statfs(dataDir).catch(() => null);
      return stats && stats.bavail * stats.bsize;
    },
    publish: async () => null,
    unpublish: async () => {},
    async *listPublished() {},
    assertHealthy: async () => {},
  };
};
