import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';

/** Minimum free disk space to accept new data, bytes. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

/** Free space check: throws if a directory is not writable or its disk is full. */
export async function assertFreeSpace(folder: string): Promise<void> {
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`${folder} is full.`);
}
