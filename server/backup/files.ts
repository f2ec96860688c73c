/** Durable file operations for backups: copies that are flushed to the disk, and draft folders. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BackupFile } from './manifest.ts';

/** Size of the chunks in which files are copied, bytes. */
const COPY_CHUNK_BYTES = 256 * 1024;

/** Copies a file to a path that must not exist, and flushes it to the disk. Returns the copy's size and hash. */
export const copyFileDurably = (from: string, to: string): Promise<Omit<BackupFile, 'path'>> =>
  writeFileDurably(createReadStream(from, { highWaterMark: COPY_CHUNK_BYTES }), to);

/** Writes a stream to a path that must not exist, and flushes it to the disk. Returns its size and hash. */
export const writeFileDurably = async (from: AsyncIterable<Buffer>, to: string): Promise<Omit<BackupFile, 'path'>> => {
  await mkdir(dirname(to), { recursive: true });
  const handle = await open(to, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of from) {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
};

/**
 * Returns whether another process with this id runs. If a draft has this process's own id, a dead process created it,
 * whose id was assigned again.
 */
const isRunningElsewhere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
};

/**
 * Creates a draft directory next to `targetPath`, to be renamed when it is complete. Its name contains the process id.
 * Drafts of dead processes are deleted.
 */
export const createDraftFolder = async (targetPath: string): Promise<string> => {
  const [folder, prefix] = [dirname(targetPath), `.${basename(targetPath)}.partial-`];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (name.startsWith(prefix) && !isRunningElsewhere(Number(name.slice(prefix.length))))
      await rm(join(folder, name), { recursive: true, force: true });
  const draft = join(folder, `${prefix}${process.pid}`);
  await mkdir(draft, { mode: 0o700 });
  return draft;
};
