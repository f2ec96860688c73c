/** Backup: copies the store, its files and the pinned tags into a folder while servers keep writing. */
import { existsSync } from 'node:fs';
import { chmod, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { syncToDisk } from '../lib/sync-to-disk.ts';
import { HASH_LENGTH } from '../media/files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { openMediaStore } from '../media/open-media-store.ts';
import { DATABASE_FILE, type StoreLocation } from '../storage/open.ts';
import { CURRENT_SCHEMA_VERSION, checkDatabase } from '../storage/sqlite/backup.ts';
import { openBackupSource } from '../storage/transfer/snapshot.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';
import { copyFileDurably, createDraftFolder, writeFileDurably } from './files.ts';
import {
  type BackupFile,
  type BackupLocation,
  type BackupManifest,
  digestFile,
  isBackupPath,
  MANIFEST_FILE,
} from './manifest.ts';

/**
 * Creates a copier of stored files by key, each once. The result is null for a file that is missing, or whose content
 * does not match its name.
 */
const createFileCopier = (mediaStore: MediaStore, draft: string) => {
  const copied = new Map<string, BackupFile | null>();
  const copyKey = async (key: string): Promise<BackupFile | null> => {
    const path = `media/${key.slice(0, 2)}/${key}`;
    if (!isBackupPath(path)) return null;
    const content = await mediaStore.read(key);
    const copy = content && (await writeFileDurably(content, join(draft, path)));
    return copy?.sha256 === key.slice(0, HASH_LENGTH) ? { path, ...copy } : null;
  };
  return {
    copied,
    async copy(keys: readonly string[]) {
      for (const key of keys) {
        if (copied.get(key)) continue;
        const entry = await copyKey(key);
        if (entry === null) await rm(join(draft, 'media', key.slice(0, 2), key), { force: true });
        copied.set(key, entry);
      }
    },
  };
};

/**
 * Copies the pinned tags that an earlier version of this program kept in DATA_DIR, if the server was not started since. They are
 * in the store otherwise.
 */
const copyElementVersions = async (dataDir: string, draft: string): Promise<BackupFile[]> => {
  const names = await readdir(join(dataDir, 'elements'), { recursive: true }).catch(() => []);
  const paths = names.map((name) => `elements/${name}`).filter(isBackupPath);
  const entries = [];
  for (const path of paths.sort()) entries.push({ path, ...(await copyFileDurably(join(dataDir, path), join(draft, path))) });
  return entries;
};

/**
 * Verifies that all files are still complete. Another process may have deleted some of them because it mistook the
 * draft for that of a dead process, for example from another container.
 */
const assertDraftComplete = async (draft: string, { files }: BackupManifest): Promise<void> => {
  for (const { path, bytes } of files)
    if ((await stat(join(draft, path))).size !== bytes) throw new Error(`${path} was changed while it was backed up.`);
};

const syncDraft = async (draft: string): Promise<void> => {
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncToDisk(join(entry.parentPath, entry.name));
  await syncToDisk(draft);
};

/**
 * Copies into a draft. Stored files never change and their names are hashes of their content, so they are copied first:
 * this step takes the longest. Then follows a consistent snapshot of the database, then the files that were added in
 * the meantime. The snapshot does not name files that were removed before it, and writers are not blocked. Only a file
 * that was added and removed within these last seconds is missing, and it is reported.
 */
const fillDraft = async (location: StoreLocation, mediaStore: MediaStore, draft: string): Promise<BackupManifest> => {
  const source = await openBackupSource(location);
  const { copied, copy } = createFileCopier(mediaStore, draft);
  let fileKeys: readonly string[] = [];
  let createdAt = '';
  try {
    await copy(await source.fileKeys());
    await source.copyInto(draft, async (keys) => {
      [fileKeys, createdAt] = [keys, new Date().toISOString()];
      await copy(keys);
    });
  } finally {
    await source.close();
  }
  const snapshotKeys = new Set(fileKeys);
  for (const [key, entry] of copied) if (entry && !snapshotKeys.has(key)) await rm(join(draft, entry.path));
  const databasePath = join(draft, DATABASE_FILE);
  const { problem, version, rowCounts } = await checkDatabase(databasePath);
  if (version > CURRENT_SCHEMA_VERSION)
    throw new OperationRefusedError('The store was written by a newer version of this program.');
  if (problem !== null) throw new OperationRefusedError(`The store cannot be backed up as it is: ${problem}.`);
  await chmod(databasePath, 0o600);
  await syncToDisk(databasePath);
  const mediaEntries = fileKeys.flatMap((key) => copied.get(key) ?? []);
  return {
    version: 1,
    made: createdAt,
    schema: version,
    rows: rowCounts,
    files: [
      { path: DATABASE_FILE, ...(await digestFile(databasePath)) },
      ...mediaEntries,
      ...(await copyElementVersions(location.dataDir, draft)),
    ],
    missing: fileKeys.filter((key) => !copied.get(key)),
  };
};

/**
 * Backs up a store and the files that it names into a new folder while servers keep writing. The folder appears when
 * everything in it is on the disk. Throws `OperationRefusedError` if that is not possible.
 */
export const createBackup = async (location: BackupLocation, folder: string): Promise<BackupManifest> => {
  const mediaStore = await openMediaStore(location);
  const targetFolder = resolve(folder);
  if (existsSync(targetFolder)) throw new OperationRefusedError(`${targetFolder} exists already: a backup needs a new folder.`);
  const draft = await createDraftFolder(targetFolder);
  try {
    const manifest = await fillDraft(location, mediaStore, draft);
    await writeFile(join(draft, MANIFEST_FILE), JSON.stringify(manifest), { mode: 0o600, flush: true });
    await assertDraftComplete(draft, manifest);
    await syncDraft(draft);
    await rename(draft, targetFolder);
    await syncToDisk(dirname(targetFolder));
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
};
