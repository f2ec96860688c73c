// Stored media files: their usage, disk space per channel, quota eviction, and deletion of unused files.

import { removeFile } from '../../domain/media-state.ts';
import type { MediaFile } from '../../domain/model.ts';
import type { EvictableFile, FileStore } from '../ports/files.ts';
import type { Engine } from './engine.ts';
import { type createFileQueue, writeMediaFile } from './file-queue.ts';
import { mediaFileOf, refreshMessageFiles } from './file-refs.ts';
import { bodyOf } from './post-index.ts';
import { rewriteMessageBody } from './reactions-and-polls.ts';
import { putSetting, readSetting } from './settings.ts';
import { execute, integer, integerOrNull, type Operation, queryAll, queryFirst, type Row, text } from './statements.ts';

/**
 * Conditions under which a file is in use: it is displayed now, a message (perhaps hidden) refers to it, or a hidden
 * message of another source contains it.
 */
const IS_USED = `
  EXISTS (SELECT 1 FROM media_uses u WHERE u.key = f.key)
  OR EXISTS (SELECT 1 FROM source_files s JOIN file_refs r ON r.unique_id = s.unique_id WHERE s.key = f.key)
  OR EXISTS (SELECT 1 FROM messages m WHERE m.hidden IS NOT NULL AND instr(m.body, f.key) > 0)`;

/** Suffix that sorts after every character that a key can contain. */
const END_OF_KEYS = '\u{10ffff}';

function* readSampleFileKeys(limit: number): Operation<string[]> {
  return (yield* queryAll('SELECT key FROM media_files ORDER BY key LIMIT ?', limit)).map((row) => text(row, 'key'));
}

function* readFileKeysWithPrefix(prefix: string): Operation<{ known: string[]; unused: string[] }> {
  const rows = yield* queryAll(
    `SELECT f.key, ${IS_USED} AS used FROM media_files f WHERE f.key >= ? AND f.key < ?`,
    prefix,
    prefix + END_OF_KEYS,
  );
  const keysOf = (keyRows: readonly Row[]) => keyRows.map((row) => text(row, 'key'));
  return { known: keysOf(rows), unused: keysOf(rows.filter((row) => row.used === 0)) };
}

function* deleteFileIfUnused(key: string, onDeleted: () => void): Operation<boolean> {
  if (!(yield* queryFirst(`SELECT 1 FROM media_files f WHERE f.key = ? AND NOT (${IS_USED})`, key))) return false;
  yield* execute('DELETE FROM source_files WHERE key = ?', key);
  yield* execute('DELETE FROM media_files WHERE key = ?', key);
  onDeleted();
  return true;
}

/**
 * Evictable originals, oldest first. Their age is that of the newest post with the same bytes, whatever ids the source
 * uses.
 */
const OLDEST_ORIGINALS = `
  SELECT f.*, s.posted FROM source_files s JOIN media_files f ON f.key = s.key
  WHERE s.state = 'kept' AND s.lasting = 0 AND NOT EXISTS (
    SELECT 1 FROM source_files n
    WHERE n.key = s.key AND (n.lasting = 1 OR (n.posted, n.unique_id) > (s.posted, s.unique_id))
  ) ORDER BY s.posted, s.unique_id LIMIT ?`;

/**
 * Returns whether a file was imported: a message shows it without a reference in the download queue. The stored copy is
 * then the only one.
 */
function* isImportedFile(key: string): Operation<boolean> {
  return (
    (yield* queryFirst(
      `SELECT 1 FROM media_uses u WHERE u.key = ? AND NOT EXISTS (
         SELECT 1 FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id
         WHERE r.channel = u.channel AND r.message = u.message AND s.key = u.key AND r.part IN ('file', 'motion')
       ) LIMIT 1`,
      key,
    )) !== undefined
  );
}

function* retainOriginal(key: string): Operation<void> {
  yield* execute('UPDATE source_files SET lasting = 1 WHERE key = ?', key);
}

function* readOldestOriginals(limit: number): Operation<EvictableFile[]> {
  return (yield* queryAll(OLDEST_ORIGINALS, limit)).map((row) => ({ ...mediaFileOf(row), width: integerOrNull(row, 'width') }));
}

/**
 * Metadata key of the newest post date among evicted originals, as of their eviction. A file may be posted again later.
 */
const EVICTED_UP_TO_SETTING = 'originals-left-to';

function* readEvictedUpTo(): Operation<number | null> {
  const evictedUpTo = yield* readSetting(EVICTED_UP_TO_SETTING);
  return evictedUpTo === null ? null : Number(evictedUpTo);
}

function* recordEvictedUpTo(posted: number): Operation<void> {
  const evictedUpTo = yield* readEvictedUpTo();
  if (evictedUpTo === null || evictedUpTo < posted) yield* putSetting(EVICTED_UP_TO_SETTING, String(posted));
}

function* hasOriginalOlderThanEvicted(): Operation<boolean> {
  const evictedUpTo = yield* readEvictedUpTo();
  const oldest = evictedUpTo === null ? undefined : yield* queryFirst(OLDEST_ORIGINALS, 1);
  return evictedUpTo !== null && oldest !== undefined && integer(oldest, 'posted') < evictedUpTo;
}

function* evictOriginal(key: string, replacement: MediaFile | null): Operation<boolean> {
  const files = yield* queryAll('SELECT unique_id, state, lasting, posted FROM source_files WHERE key = ?', key);
  if (files.length === 0 || (yield* isImportedFile(key)) || files.some((row) => row.state !== 'kept' || row.lasting === 1)) {
    yield* retainOriginal(key);
    return false;
  }
  if (replacement) yield* writeMediaFile(replacement);
  yield* recordEvictedUpTo(Math.max(...files.map((file) => integer(file, 'posted'))));
  yield* execute(
    "UPDATE source_files SET state = 'dropped', key = ?, reason = 'the quota was full' WHERE key = ?",
    replacement?.key ?? null,
    key,
  );
  for (const file of files) yield* removeFileFromMessages(text(file, 'unique_id'), key);
  yield* execute('DELETE FROM media_files WHERE key = ?', key);
  return true;
}

function* removeFileFromMessages(uniqueId: string, key: string): Operation<void> {
  const rows = yield* queryAll(
    `SELECT DISTINCT m.* FROM file_refs r JOIN messages m ON m.channel = r.channel AND m.message = r.message
       WHERE r.unique_id = ?`,
    uniqueId,
  );
  for (const row of rows) {
    const body = bodyOf(row);
    const bodyWithoutFile = { ...body, media: body.media.map((media) => removeFile(media, key)) };
    yield* rewriteMessageBody(row, yield* refreshMessageFiles(text(row, 'channel'), integer(row, 'message'), bodyWithoutFile));
  }
}

const STORAGE_BY_CHANNEL = `
  SELECT used.channel, sum(f.size + f.sizes) AS bytes, count(*) AS files FROM (
    SELECT channel, key FROM media_uses
    UNION SELECT r.channel, s.key FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id WHERE s.key IS NOT NULL
  ) used JOIN media_files f ON f.key = used.key GROUP BY used.channel`;

const selectFileKeys = (channels: string) => `
  SELECT key FROM media_uses WHERE channel ${channels}
  UNION SELECT s.key FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id
  WHERE r.channel ${channels} AND s.key IS NOT NULL`;

const FILE_KEYS_OF_CHANNEL = selectFileKeys('= ?');

/** Starts at the few channels that readers added: the cost grows with their files, not with all stored files. */
const EXTERNAL_BYTES = `
  SELECT sum(f.size + f.sizes) AS bytes FROM media_files f
  WHERE f.key IN (${selectFileKeys('IN (SELECT id FROM channels WHERE elsewhere = 1)')})
    AND NOT EXISTS (SELECT 1 FROM media_uses u JOIN channels c ON c.id = u.channel WHERE u.key = f.key AND c.elsewhere = 0)
    AND NOT EXISTS (
      SELECT 1 FROM source_files s JOIN file_refs r ON r.unique_id = s.unique_id JOIN channels c ON c.id = r.channel
      WHERE s.key = f.key AND c.elsewhere = 0
    )`;

/** Methods of the store for stored files: their data, their size, and their deletion. */
export const createFileLibrary = ({ read, write }: Engine): Omit<FileStore, keyof ReturnType<typeof createFileQueue>> => ({
  putThumbnailBytes: async (key, bytes) => write(execute('UPDATE media_files SET sizes = ? WHERE key = ?', bytes, key)),
  findFileByHash: async (hash) => {
    const row = await read(
      queryFirst('SELECT key FROM media_files WHERE key >= ? AND key < ? ORDER BY key LIMIT 1', `${hash}.`, `${hash}/`),
    );
    return row ? text(row, 'key') : null;
  },
  storedBytes: async () => integer((await read(queryFirst('SELECT bytes FROM kept_bytes'))) ?? {}, 'bytes'),
  externalBytes: async () => integer((await read(queryFirst(EXTERNAL_BYTES))) ?? {}, 'bytes'),
  storageByChannel: async () =>
    (await read(queryAll(STORAGE_BY_CHANNEL))).map((row) => ({
      channelId: text(row, 'channel'),
      bytes: integer(row, 'bytes'),
      files: integer(row, 'files'),
    })),
  oldestOriginals: (limit) => read(readOldestOriginals(limit)),
  hasOriginalOlderThanEvicted: () => read(hasOriginalOlderThanEvicted()),
  retainOriginal: (key) => write(retainOriginal(key)),
  evictOriginal: (key, replacement) => write(evictOriginal(key, replacement)),
  fileKeysOfChannel: async (channelId) =>
    (await read(queryAll(FILE_KEYS_OF_CHANNEL, channelId, channelId))).map((row) => text(row, 'key')),
  sampleFileKeys: (limit) => read(readSampleFileKeys(limit)),
  fileKeysWithPrefix: (prefix) => read(readFileKeysWithPrefix(prefix)),
  deleteFileIfUnused: (key, onDeleted) => write(deleteFileIfUnused(key, onDeleted)),
});
