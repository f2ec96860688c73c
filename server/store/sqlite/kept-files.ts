import type { Droppable, FileStore } from '../files.ts';
import { hideFile } from '../show-file.ts';
import type { MediaFile } from '../store.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { mediaFileOf, showAll } from './file-refs.ts';
import { type fileQueue, writeMediaFile } from './files.ts';
import { rewrite } from './told.ts';

/** What a file is used by: shown now, wanted by a message that may be hidden, or in a hidden message of another source. */
const USES = `
  EXISTS (SELECT 1 FROM media_uses u WHERE u.key = f.key)
  OR EXISTS (SELECT 1 FROM source_files s JOIN file_refs r ON r.unique_id = s.unique_id WHERE s.key = f.key)
  OR EXISTS (SELECT 1 FROM messages m WHERE m.hidden IS NOT NULL AND instr(m.body, f.key) > 0)`;

/** A key's end that no key's character comes after. */
const END = '\u{10ffff}';

const keysWith = (database: Database, beginning: string) => {
  const rows = database
    .sql(`SELECT f.key, ${USES} AS used FROM media_files f WHERE f.key >= ? AND f.key < ?`)
    .all(beginning, beginning + END);
  const keys = (some: Row[]) => some.map((row) => text(row, 'key'));
  return { known: keys(rows), unused: keys(rows.filter((row) => row.used === 0)) };
};

const forgetFile = (database: Database, key: string, gone: () => void): boolean => {
  if (!database.sql(`SELECT 1 FROM media_files f WHERE f.key = ? AND NOT (${USES})`).get(key)) return false;
  database.sql('DELETE FROM source_files WHERE key = ?').run(key);
  database.sql('DELETE FROM media_files WHERE key = ?').run(key);
  gone();
  return true;
};

/** The newest post that shows the same bytes counts, whatever the source calls them. */
const ORIGINALS = `
  SELECT f.*, s.posted FROM source_files s JOIN media_files f ON f.key = s.key
  WHERE s.state = 'kept' AND s.lasting = 0 AND NOT EXISTS (
    SELECT 1 FROM source_files n
    WHERE n.key = s.key AND (n.lasting = 1 OR (n.posted, n.unique_id) > (s.posted, s.unique_id))
  ) ORDER BY s.posted, s.unique_id LIMIT ?`;

/** A file that a message of another source shows too is an imported one, and the only copy. */
const isImported = (database: Database, key: string): boolean =>
  database
    .sql(
      `SELECT 1 FROM media_uses u WHERE u.key = ? AND NOT EXISTS (
         SELECT 1 FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id
         WHERE r.channel = u.channel AND r.message = u.message AND s.key = u.key AND r.part IN ('file', 'motion')
       ) LIMIT 1`,
    )
    .get(key) !== undefined;

const spare = (database: Database, key: string): void =>
  void database.sql('UPDATE source_files SET lasting = 1 WHERE key = ?').run(key);

const oldestOriginals = (database: Database, limit: number): Droppable[] =>
  database
    .sql(ORIGINALS)
    .all(limit)
    .map((row) => ({ ...mediaFileOf(row), width: row.width === null ? null : integer(row, 'width') }));

/** The fact that holds up to which post's date originals have left, as of when they left: the same file may be posted again. */
const LEFT_TO = 'originals-left-to';

const noteLeft = (database: Database, posted: number): void =>
  void database
    .sql(
      `INSERT INTO facts (name, value) VALUES ('${LEFT_TO}', ?)
       ON CONFLICT DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`,
    )
    .run(String(posted));

const keepsOlder = (database: Database): boolean => {
  const left = database.sql('SELECT value FROM facts WHERE name = ?').get(LEFT_TO);
  const [oldest] = left ? database.sql(ORIGINALS).all(1) : [];
  return left !== undefined && oldest !== undefined && integer(oldest, 'posted') < Number(left.value);
};

const dropOriginal = (database: Database, key: string, standIn: MediaFile | null): boolean => {
  const files = database.sql('SELECT unique_id, state, lasting, posted FROM source_files WHERE key = ?').all(key);
  if (files.length === 0 || isImported(database, key) || files.some((row) => row.state !== 'kept' || row.lasting === 1)) {
    spare(database, key);
    return false;
  }
  if (standIn) writeMediaFile(database, standIn);
  noteLeft(database, Math.max(...files.map((file) => integer(file, 'posted'))));
  database
    .sql("UPDATE source_files SET state = 'dropped', key = ?, reason = 'the quota was full' WHERE key = ?")
    .run(standIn?.key ?? null, key);
  for (const file of files) dropFrom(database, text(file, 'unique_id'), key);
  database.sql('DELETE FROM media_files WHERE key = ?').run(key);
  return true;
};

const dropFrom = (database: Database, uniqueId: string, key: string): void => {
  const rows = database
    .sql(
      `SELECT DISTINCT m.* FROM file_refs r JOIN messages m ON m.channel = r.channel AND m.message = r.message
       WHERE r.unique_id = ?`,
    )
    .all(uniqueId);
  for (const row of rows)
    rewrite(database, row, (body) =>
      showAll(database, text(row, 'channel'), integer(row, 'message'), {
        ...body,
        media: body.media.map((media) => hideFile(media, key)),
      }),
    );
};

const STORAGE = `
  SELECT used.channel, sum(f.size + f.sizes) AS bytes, count(*) AS files FROM (
    SELECT channel, key FROM media_uses
    UNION SELECT r.channel, s.key FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id WHERE s.key IS NOT NULL
  ) used JOIN media_files f ON f.key = used.key GROUP BY used.channel`;

/** What is kept of files, what it takes, and how it leaves. */
export const keptFiles = (
  database: Database,
  write: <T>(work: () => T) => Promise<T>,
): Omit<FileStore, keyof ReturnType<typeof fileQueue>> => ({
  sizeKept: async (key, bytes) => void database.sql('UPDATE media_files SET sizes = sizes + ? WHERE key = ?').run(bytes, key),
  fileOfHash: async (hash) => {
    const row = database
      .sql('SELECT key FROM media_files WHERE key >= ? AND key < ? ORDER BY key LIMIT 1')
      .get(`${hash}.`, `${hash}/`);
    return row ? text(row, 'key') : null;
  },
  keptBytes: async () => integer(database.sql('SELECT bytes FROM kept_bytes').get() ?? {}, 'bytes'),
  storage: async () =>
    database
      .sql(STORAGE)
      .all()
      .map((row) => ({ channelId: text(row, 'channel'), bytes: integer(row, 'bytes'), files: integer(row, 'files') })),
  oldestOriginals: async (limit) => oldestOriginals(database, limit),
  keepsOlder: async () => keepsOlder(database),
  spareOriginal: async (key) => spare(database, key),
  dropOriginal: (key, standIn) => write(() => dropOriginal(database, key, standIn)),
  keysOf: async (channelId) =>
    database
      .sql(
        `SELECT key FROM media_uses WHERE channel = ?
         UNION SELECT s.key FROM file_refs r JOIN source_files s ON s.unique_id = r.unique_id
         WHERE r.channel = ? AND s.key IS NOT NULL`,
      )
      .all(channelId, channelId)
      .map((row) => text(row, 'key')),
  keysWith: async (beginning) => keysWith(database, beginning),
  forgetFile: (key, gone) => write(() => forgetFile(database, key, gone)),
});
