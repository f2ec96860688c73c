import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';

/** Bytes without which nothing new can be kept for long. */
const ROOM = 16 * 1024 * 1024;

/** Throws where a folder cannot be written to, or has no room left. */
export async function requireRoom(folder: string): Promise<void> {
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROOM) throw new Error(`${folder} is full.`);
}
