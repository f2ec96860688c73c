// Data directory: creates DATA_DIR, checks its permissions, and detects processes that share a database but not their
// files.

import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogFn } from '../lib/logger.ts';
import { mediaPath } from '../media/files.ts';
import { StoreOpenError } from './errors.ts';
import type { Store } from './ports/store.ts';

/** Permission bits of the group and of other users. */
const GROUP_AND_OTHERS_MODE = 0o077;

const MKDIR_ERROR_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk cannot be written',
  ENOSPC: 'the disk is full',
  EEXIST: 'there is a file where a directory should be',
  ENOTDIR: 'there is a file where a directory should be',
  ENOENT: 'no directory can be created there',
};

/**
 * Creates DATA_DIR if it is missing, and makes this process create files that only its own user can read. Logs a
 * warning if other users can read an existing directory. Throws one sentence that starts with `DATA_DIR:` if it cannot
 * be created.
 */
export async function openDataDir(dataDir: string, log: LogFn): Promise<void> {
  process.umask(GROUP_AND_OTHERS_MODE);
  await createDataDir(dataDir);
  const mode = (await stat(dataDir)).mode & 0o777;
  // Windows has no such permission bits.
  if ((mode & GROUP_AND_OTHERS_MODE) === 0 || process.platform === 'win32') return;
  const octal = mode.toString(8).padStart(3, '0');
  log(`DATA_DIR: other users of this machine may read ${dataDir} (mode ${octal}): run "chmod -R go= ${dataDir}".`);
}

/** Creates DATA_DIR and its parents if they are missing. Throws one sentence that starts with `DATA_DIR:`. */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    await createDirectory(dataDir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new StoreOpenError(`DATA_DIR: ${dataDir} cannot be created: ${MKDIR_ERROR_REASONS[code] ?? code}.`, { cause: error });
  }
}

/** Returns whether a directory exists at the path and this user may see it. */
export const isDirectory = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true;

/**
 * Creates a directory and its parents. Node's own recursive mkdir never returns in /proc, where the parent exists but
 * rejects new directories.
 */
async function createDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await createDirectory(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Another process may have created it in the meantime.
    if (!(await isDirectory(path))) throw error;
  });
}

/** File in DATA_DIR with the id of that folder. */
const ID_FILE = 'folder-id';
/** Metadata key in a database with the id of the folder of its files. */
export const FOLDER_ID_SETTING = 'data-folder';

/** Number of stored files to check in a folder that has no id. */
const MAX_SAMPLED_FILES = 20;

/**
 * Compares the id of DATA_DIR with the id of the folder that contains the files of a database server. Both ids are
 * created at the first start. Logs a warning if they differ: processes that share a database but not their files return
 * 404 for media that another process stored. A copy of the folder that was made without the id file gets the same id
 * again: it is recognized by its files.
 */
export async function checkDataDir(dataDir: string, store: FolderStore, log: LogFn): Promise<void> {
  const file = join(dataDir, ID_FILE);
  let folderId: string;
  try {
    const idOfCopy = (await pathExists(file)) ? null : await findIdOfCopy(dataDir, store);
    folderId = await readOrCreateId(file, idOfCopy ?? randomUUID());
  } catch (error) {
    return log(`DATA_DIR: ${file} cannot be read or created, so it is unknown whether other processes share this folder.`, error);
  }
  const storedId = await store.getOrCreateSetting(FOLDER_ID_SETTING, folderId);
  if (storedId === folderId) return;
  log(
    `DATA_DIR: ${dataDir} is not the folder with the files of this database: media that another process stored return 404 here. Give all processes of a database the same DATA_DIR. If this folder replaces the other, write ${storedId} into ${file}.`,
  );
}

type FolderStore = Pick<Store, 'getOrCreateSetting' | 'setting' | 'sampleFileKeys'>;

const pathExists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/**
 * Returns the id of the database's folder if all sampled files are in this folder. Returns null if one is missing, or
 * if there are none.
 */
async function findIdOfCopy(dataDir: string, store: FolderStore): Promise<string | null> {
  const storedId = await store.setting(FOLDER_ID_SETTING);
  if (storedId === null) return null;
  const keys = await store.sampleFileKeys(MAX_SAMPLED_FILES);
  const found = await Promise.all(keys.map((key) => pathExists(mediaPath(dataDir, key))));
  return keys.length > 0 && found.every(Boolean) ? storedId : null;
}

/**
 * Returns the id in a file, and creates it if it is missing. Processes that start at the same time agree on one id: a
 * link is created completely or not at all.
 */
async function readOrCreateId(file: string, id: string): Promise<string> {
  const tempPath = `${file}.${randomUUID()}`;
  if (!(await pathExists(file))) {
    try {
      await writeFile(tempPath, id, { flush: true });
      // Some file systems have no hard links.
      await link(tempPath, file).catch((error: unknown) => (isAlreadyExistsError(error) ? undefined : rename(tempPath, file)));
    } finally {
      await rm(tempPath, { force: true });
    }
  }
  return (await readFile(file, 'utf8')).trim();
}

const isAlreadyExistsError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
