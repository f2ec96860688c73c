// Stored media files: their usage, disk space per channel, quota eviction, and deletion of unused files.

import { hideFile } from '../../domain/media-state.ts';
import type { MediaFile } from '../../domain/model.ts';
import type { Droppable, FileStore } from '../ports/files.ts';
import type { Engine } from './engine.ts';
import { type fileQueue, writeMediaFile } from './file-queue.ts';
import { mediaFileOf, showAll } from './file-refs.ts';
import { bodyOf } from './post-index.ts';
import { rewrite } from './reactions-and-polls.ts';
import { putFact, readFact } from './settings.ts';
import { all, get, integer, integerOrNull, type Row, run, text, type Work } from './statements.ts';

/**
 * Conditions under which a file is in use: it is displayed now, a message (perhaps hidden) refers to it, or a hidden message of
 * another source contains it.
 */
const USES = `
  EXISTS (SELECT 1 FROM media_uses u WHERE u.key = f.key)
  OR EXISTS (SELECT 1 FROM source_files s JOIN file_refs r ON r.unique_id = s.unique_id WHERE s.key = f.key)
  OR EXISTS (SELECT 1 FROM messages m WHERE m.hidden IS NOT NULL AND instr(m.body, f.key) > 0)`;

/** Suffix that sorts after every character that a key can contain. */
const END = '\u{10ffff}';

function* keptKeys(limit: number): Work<string[]> {
  return (yield* all('SELECT key FROM media_files ORDER BY key LIMIT ?', limit)).map((row) => text(row, 'key'));
}

function* keysWith(beginning: string): Work<{ known: string[]; unused: string[] }> {
  const rows = yield* all(
    `SELECT f.key, ${USES} AS used FROM media_files f WHERE f.key >= ? AND f.key < ?`,
    beginning,
    beginning + END,
  );
  const keys = (some: readonly Row[]) => some.map((row) => text(row, 'key'));
  return { known: keys(rows), unused: keys(rows.filter((row) => row.used === 0)) };
}

function* forgetFile(key: string, gone: () => void): Work<boolean> {
  if (!(yield* get(`SELECT 1 FROM media_files f WHERE f.key = ? AND NOT (${USES})`, key))) return false;
  yield* run('DELETE FROM source_files WHERE key = ?', key);
  yield* run('DELETE FROM media_files WHERE key = ?', key);
  gone();
  return true;
}

/** Evictable originals, oldest first. Their age is that of the newest post with the same bytes, whatever ids the source uses. */
const ORIGINALS = `
  SELECT f.*, s.posted FROM source_files s JOIN media_files f ON f.key = s.key
  WHERE s.state = 'kept' AND s.lasting = 0 AND NOT EXISTS (
    SELECT 1 FROM source_files n
    WHERE n.key = s.key AND (n.lasting = 1 OR (n.posted, n.unique_id) > (s.posted, s.unique_id))
  ) ORDER BY s.posted, s.unique_id LIMIT ?`;

/**
 * Returns whether a file was imported: a message shows it without a reference in the download queue. The stored copy is then the
 * only one.
 */
function* isImported(key: string): Work<boolean> {
  return (
    (yield* get(
      `SELECT 1 FROM media_uses u WHERE u.key = ? AND NOT EXISTS (
         SELECT 1 FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id
         WHERE r.channel = u.channel AND r.message = u.message AND s.key = u.key AND r.part IN ('file', 'motion')
       ) LIMIT 1`,
      key,
    )) !== undefined
  );
}

function* spare(key: string): Work<void> {
  yield* run('UPDATE source_files SET lasting = 1 WHERE key = ?', key);
}

function* oldestOriginals(limit: number): Work<Droppable[]> {
  return (yield* all(ORIGINALS, limit)).map((row) => ({ ...mediaFileOf(row), width: integerOrNull(row, 'width') }));
}

/** Metadata key of the newest post date among evicted originals, as of their eviction. A file may be posted again later. */
const LEFT_TO = 'originals-left-to';

function* leftTo(): Work<number | null> {
  const left = yield* readFact(LEFT_TO);
  return left === null ? null : Number(left);
}

function* noteLeft(posted: number): Work<void> {
  const held = yield* leftTo();
  if (held === null || held < posted) yield* putFact(LEFT_TO, String(posted));
}

function* keepsOlder(): Work<boolean> {
  const left = yield* leftTo();
  const oldest = left === null ? undefined : yield* get(ORIGINALS, 1);
  return left !== null && oldest !== undefined && integer(oldest, 'posted') < left;
}

function* dropOriginal(key: string, standIn: MediaFile | null): Work<boolean> {
  const files = yield* all('SELECT unique_id, state, lasting, posted FROM source_files WHERE key = ?', key);
  if (files.length === 0 || (yield* isImported(key)) || files.some((row) => row.state !== 'kept' || row.lasting === 1)) {
    yield* spare(key);
    return false;
  }
  if (standIn) yield* writeMediaFile(standIn);
  yield* noteLeft(Math.max(...files.map((file) => integer(file, 'posted'))));
  yield* run(
    "UPDATE source_files SET state = 'dropped', key = ?, reason = 'the quota was full' WHERE key = ?",
    standIn?.key ?? null,
    key,
  );
  for (const file of files) yield* dropFrom(text(file, 'unique_id'), key);
  yield* run('DELETE FROM media_files WHERE key = ?', key);
  return true;
}

function* dropFrom(uniqueId: string, key: string): Work<void> {
  const rows = yield* all(
    `SELECT DISTINCT m.* FROM file_refs r JOIN messages m ON m.channel = r.channel AND m.message = r.message
       WHERE r.unique_id = ?`,
    uniqueId,
  );
  for (const row of rows) {
    const body = bodyOf(row);
    const without = { ...body, media: body.media.map((media) => hideFile(media, key)) };
    yield* rewrite(row, yield* showAll(text(row, 'channel'), integer(row, 'message'), without));
  }
}

const STORAGE = `
  SELECT used.channel, sum(f.size + f.sizes) AS bytes, count(*) AS files FROM (
    SELECT channel, key FROM media_uses
    UNION SELECT r.channel, s.key FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id WHERE s.key IS NOT NULL
  ) used JOIN media_files f ON f.key = used.key GROUP BY used.channel`;

const keysOf = (channels: string) => `
  SELECT key FROM media_uses WHERE channel ${channels}
  UNION SELECT s.key FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id
  WHERE r.channel ${channels} AND s.key IS NOT NULL`;

const KEYS_OF = keysOf('= ?');

/** Starts at the few channels that readers added: the cost grows with their files, not with all stored files. */
const ELSEWHERE_BYTES = `
  SELECT sum(f.size + f.sizes) AS bytes FROM media_files f
  WHERE f.key IN (${keysOf('IN (SELECT id FROM channels WHERE elsewhere = 1)')})
    AND NOT EXISTS (SELECT 1 FROM media_uses u JOIN channels c ON c.id = u.channel WHERE u.key = f.key AND c.elsewhere = 0)
    AND NOT EXISTS (
      SELECT 1 FROM source_files s JOIN file_refs r ON r.unique_id = s.unique_id JOIN channels c ON c.id = r.channel
      WHERE s.key = f.key AND c.elsewhere = 0
    )`;

/** Methods of the store for stored files: their data, their size, and their deletion. */
export const keptFiles = ({ read, write }: Engine): Omit<FileStore, keyof ReturnType<typeof fileQueue>> => ({
  putSizes: async (key, bytes) => void (await write(run('UPDATE media_files SET sizes = ? WHERE key = ?', bytes, key))),
  fileOfHash: async (hash) => {
    const row = await read(
      get('SELECT key FROM media_files WHERE key >= ? AND key < ? ORDER BY key LIMIT 1', `${hash}.`, `${hash}/`),
    );
    return row ? text(row, 'key') : null;
  },
  keptBytes: async () => integer((await read(get('SELECT bytes FROM kept_bytes'))) ?? {}, 'bytes'),
  elsewhereBytes: async () => integer((await read(get(ELSEWHERE_BYTES))) ?? {}, 'bytes'),
  storage: async () =>
    (await read(all(STORAGE))).map((row) => ({
      channelId: text(row, 'channel'),
      bytes: integer(row, 'bytes'),
      files: integer(row, 'files'),
    })),
  oldestOriginals: (limit) => read(oldestOriginals(limit)),
  keepsOlder: () => read(keepsOlder()),
  spareOriginal: (key) => write(spare(key)),
  dropOriginal: (key, standIn) => write(dropOriginal(key, standIn)),
  keysOf: async (channelId) => (await read(all(KEYS_OF, channelId, channelId))).map((row) => text(row, 'key')),
  keptKeys: (limit) => read(keptKeys(limit)),
  keysWith: (beginning) => read(keysWith(beginning)),
  forgetFile: (key, gone) => write(forgetFile(key, gone)),
});
