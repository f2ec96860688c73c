import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Say } from './log.ts';

/** Permission bits of the group and of others. */
const OTHERS = 0o077;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk cannot be written',
  ENOSPC: 'the disk is full',
  EEXIST: 'there is a file where a directory should be',
  ENOTDIR: 'there is a file where a directory should be',
  ENOENT: 'no directory can be made there',
};

/**
 * Creates DATA_DIR where it is missing, and has this process create files that only its own user can read. Logs a warning where
 * other users can read an existing one. Throws one sentence that starts with `DATA_DIR:` where it cannot be created.
 */
export async function openDataDir(dataDir: string, log: Say): Promise<void> {
  process.umask(OTHERS);
  await makeDataDir(dataDir);
  const mode = (await stat(dataDir)).mode & 0o777;
  // Windows has no such bits.
  if ((mode & OTHERS) === 0 || process.platform === 'win32') return;
  const octal = mode.toString(8).padStart(3, '0');
  log(`DATA_DIR: other users of this machine may read ${dataDir} (mode ${octal}): run "chmod -R go= ${dataDir}".`);
}

/** Creates DATA_DIR and its parents where they are missing. Throws one sentence that starts with `DATA_DIR:`. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeDirectory(dataDir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(`DATA_DIR: ${dataDir} cannot be made: ${REASONS[code] ?? code}.`, { cause: error });
  }
}

/** Creates a directory and its parents. Node's own recursive mkdir never returns in /proc, where the parent exists and creates nothing. */
async function makeDirectory(path: string): Promise<void> {
  const exists = await stat(path).catch(() => null);
  if (exists?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await stat(path).catch(() => null))?.isDirectory()) throw error;
  });
}
