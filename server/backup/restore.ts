/** Restore: verifies a backup and restores its store and files. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { syncToDisk } from '../lib/sync-to-disk.ts';
import type { MediaStore } from '../media/media-store.ts';
import { openMediaStore } from '../media/open-media-store.ts';
import { DATABASE_FILE, openEngine, type StoreLocation } from '../storage/open.ts';
import { moveStore } from '../storage/transfer/move-store.ts';
import { assertNoStore, markRestored } from '../storage/transfer/snapshot.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';
import { copyFileDurably, createDraftFolder } from './files.ts';
import { type BackupFile, type BackupLocation, type BackupManifest, verifyBackup } from './manifest.ts';

/**
 * Copies a file of the backup into the draft, checks its hash, and returns the path of the copy. The hash is checked
 * again: a disk may return different bytes the second time.
 */
const copyBackupFile = async (backupFolder: string, draft: string, { path, sha256 }: BackupFile): Promise<string> => {
  const copy = await copyFileDurably(join(backupFolder, path), join(draft, path));
  if (copy.sha256 !== sha256) throw new OperationRefusedError(`The backup ${backupFolder} is damaged: ${path} was changed.`);
  return join(draft, path);
};

/**
 * Moves files to the places from which they are served. Existing files are replaced: they have the same name, so their
 * content is the same or damaged.
 */
const restoreFiles = async (
  backupFolder: string,
  draft: string,
  files: readonly BackupFile[],
  { dataDir, mediaStore }: { readonly dataDir: string; readonly mediaStore: MediaStore },
): Promise<void> => {
  const folders = new Set<string>();
  for (const file of files) {
    const targetPath = join(dataDir, file.path);
    const copyPath = await copyBackupFile(backupFolder, draft, file);
    if (mediaStore.setting === 'S3_BUCKET' && file.path.startsWith('media/')) {
      await mediaStore.save(copyPath, basename(file.path));
      await rm(copyPath, { force: true });
      continue;
    }
    await mkdir(dirname(targetPath), { recursive: true });
    await rename(copyPath, targetPath);
    for (let folder = dirname(targetPath); folder.length >= dataDir.length; folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of folders) await syncToDisk(folder);
};

const restoreDatabase = async (draft: string, location: StoreLocation): Promise<void> => {
  await assertNoStore(location);
  if (location.databaseUrl == null) {
    await rename(join(draft, DATABASE_FILE), join(location.dataDir, DATABASE_FILE));
    return syncToDisk(location.dataDir);
  }
  const [{ engine: from }, { engine: to }] = [await openEngine({ dataDir: draft }), await openEngine(location)];
  try {
    await moveStore({ from, to, postgres: to });
  } finally {
    await from.close();
    await to.close();
  }
};

/** Migrates the copy to this program's schema version and makes it the current store. */
const prepareRestoredStore = async (draft: string, id: string): Promise<void> => {
  const { engine } = await openEngine({ dataDir: draft });
  try {
    await engine.write(markRestored(id));
  } finally {
    await engine.close();
  }
};

/**
 * Restores a backup to a location without a store, after verifying every file. Files are restored first and the
 * database last. So an interrupted restore leaves no store or, in PostgreSQL, one that no server opens and that another
 * restore of the same backup completes. If the restore is not possible, throws `OperationRefusedError` with nothing
 * changed.
 */
export const restoreBackup = async (folder: string, location: BackupLocation): Promise<BackupManifest> => {
  const backupFolder = resolve(folder);
  const manifest = await verifyBackup(backupFolder);
  const mediaStore = await openMediaStore(location);
  await assertNoStore(location);
  const draft = await createDraftFolder(join(location.dataDir, 'restore'));
  try {
    const databaseFiles = manifest.files.filter(({ path }) => path === DATABASE_FILE);
    for (const file of databaseFiles) await copyBackupFile(backupFolder, draft, file);
    await prepareRestoredStore(draft, databaseFiles.map(({ sha256 }) => sha256).join());
    await restoreFiles(
      backupFolder,
      draft,
      manifest.files.filter(({ path }) => path !== DATABASE_FILE),
      { dataDir: location.dataDir, mediaStore },
    );
    await restoreDatabase(draft, location);
    return manifest;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};
