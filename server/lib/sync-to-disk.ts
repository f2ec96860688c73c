import { open } from 'node:fs/promises';

/** Flushes a file's content or a directory's entries to the disk (fsync). */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
};
