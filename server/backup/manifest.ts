// Backup manifest: a backup is a folder with `changer.sqlite` (also if the store was in PostgreSQL), the files that it
// names under `media/`, pinned tags of an earlier version under `elements/`, and `manifest.json`, which lists the size and
// hash of each file. A backup is complete or does not exist: see `create.ts`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { MediaLocation } from '../media/open-media-store.ts';
import { DATABASE_FILE, type StoreLocation } from '../storage/open.ts';
import { CURRENT_SCHEMA_VERSION, checkDatabase } from '../storage/sqlite/backup.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';

/** Size of the chunks in which files are read, bytes. */
const READ_CHUNK_BYTES = 256 * 1024;

/** Location of a store and of its media files, which are under `dataDir` without a bucket. */
export type BackupLocation = StoreLocation & MediaLocation;

export const MANIFEST_FILE = 'manifest.json';

/** Patterns of the accepted paths, none of which leads out of the folder. */
const MEDIA_PATTERN = 'media/[0-9a-f]{2}/[0-9a-f]{64}\\.[a-z0-9]{1,8}';
const ELEMENTS_PATTERN = 'elements/(?!\\.+/)[\\w.-]+/[\\w-]+\\.js|elements/ledger\\.json';

const BackupFileSchema = Type.Object({
  path: Type.String({ pattern: `^(changer\\.sqlite|${MEDIA_PATTERN}|${ELEMENTS_PATTERN})$` }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/** A file of a backup; `path` is relative to its folder. */
export type BackupFile = Static<typeof BackupFileSchema>;

const BackupManifestSchema = Type.Object({
  /** Version of the backup format. */
  version: Type.Literal(1),
  /** Time of the store's snapshot, such as 2026-11-22T10:00:00.000Z. */
  made: Type.String(),
  /** Schema version of `changer.sqlite`. */
  schema: Type.Integer(),
  rows: Type.Record(Type.String(), Type.Integer()),
  files: Type.Array(BackupFileSchema),
  /**
   * Stored files that the store names and that were missing at the time of the backup, or did not match their names.
   */
  missing: Type.Array(Type.String()),
});

/** Manifest of a backup. */
export type BackupManifest = Static<typeof BackupManifestSchema>;

/** Returns whether a path is allowed in a backup. */
export const isBackupPath = (path: string): boolean => Value.Check(BackupFileSchema.properties.path, path);

/** Measures a file's length and hash. */
export const digestFile = async (path: string): Promise<Omit<BackupFile, 'path'>> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_CHUNK_BYTES })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
};

const readManifest = async (folder: string): Promise<BackupManifest> => {
  const body = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new OperationRefusedError(`${folder} is not a backup: it has no ${MANIFEST_FILE}.`);
  });
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    throw new OperationRefusedError(`The backup ${folder} is damaged: its ${MANIFEST_FILE} is cut off.`);
  }
  if (typeof raw === 'object' && raw !== null && 'version' in raw && typeof raw.version === 'number' && raw.version > 1)
    throw new OperationRefusedError(`The backup ${folder} was made by a newer version of this program.`);
  if (Value.Check(BackupManifestSchema, raw) && raw.files.some(({ path }) => path === DATABASE_FILE)) return raw;
  const [first] = Value.Errors(BackupManifestSchema, raw);
  throw new OperationRefusedError(
    `The backup ${folder} is damaged: its ${MANIFEST_FILE} is not valid (${first?.instancePath ?? ''}).`,
  );
};

/**
 * Returns the fault of a file; null for none. A symbolic link in the folder leads to content that is not in the backup.
 */
const findFileFault = async (folder: string, { path, bytes, sha256 }: BackupFile): Promise<string | null> => {
  const filePath = join(folder, path);
  const stats = await lstat(filePath).catch(() => null);
  if (stats === null) return 'is missing';
  if (!stats.isFile() || (await realpath(filePath)) !== filePath) return 'is no file but a link or something else';
  if (stats.size !== bytes) return `has ${stats.size} bytes instead of ${bytes}`;
  return (await digestFile(filePath)).sha256 === sha256 ? null : 'was changed';
};

/**
 * Returns the manifest of a backup after verifying every file and every row against it. Throws `OperationRefusedError`
 * otherwise.
 */
export const verifyBackup = async (folder: string): Promise<BackupManifest> => {
  const manifest = await readManifest(folder);
  const realFolder = await realpath(folder);
  for (const file of manifest.files) {
    const fault = await findFileFault(realFolder, file);
    if (fault !== null) throw new OperationRefusedError(`The backup ${folder} is damaged: ${file.path} ${fault}.`);
  }
  const { problem, version, rowCounts } = await checkDatabase(join(realFolder, DATABASE_FILE));
  if (version > CURRENT_SCHEMA_VERSION)
    throw new OperationRefusedError(
      `The backup ${folder} was made by a newer version of this program (schema ${version}, this one knows ${CURRENT_SCHEMA_VERSION}).`,
    );
  if (problem !== null) throw new OperationRefusedError(`The backup ${folder} is damaged: ${DATABASE_FILE}: ${problem}.`);
  const mismatchedTable = Object.keys(manifest.rows).find((table) => rowCounts[table] !== manifest.rows[table]);
  if (mismatchedTable !== undefined)
    throw new OperationRefusedError(
      `The backup ${folder} is damaged: ${mismatchedTable} has ${rowCounts[mismatchedTable] ?? 0} rows instead of ${manifest.rows[mismatchedTable]}.`,
    );
  return manifest;
};
