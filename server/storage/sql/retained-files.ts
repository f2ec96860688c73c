// Retained files of the web app: SQL of the table `retained_files`. The content is compressed, and text in base64, because the
// engines share no type of binary data.

import { gunzipSync, gzipSync } from 'node:zlib';
import type { NewRetainedFile, RetainedFile, RetainedFileStore } from '../ports/retained-files.ts';
import type { Engine } from './engine.ts';
import {
  type ChangeStatement,
  execute,
  executeEach,
  integer,
  integerOrNull,
  jsonListOf,
  type Operation,
  queryAll,
  queryFirst,
  type Row,
  text,
} from './statements.ts';

/** Files per transaction: few enough that another writer waits only some milliseconds. */
const FILES_PER_TRANSACTION = 25;

/** Condition that a path begins with a prefix, which is the value of both placeholders. */
const HAS_PREFIX = 'substr(path, 1, length(?)) = ?';

const toRetainedFile = (row: Row): RetainedFile => ({
  path: text(row, 'path'),
  size: integer(row, 'size'),
  integrity: text(row, 'integrity'),
  since: integer(row, 'since'),
  retiredAt: integerOrNull(row, 'retired'),
});

function* readRetainedFiles(prefix: string): Operation<RetainedFile[]> {
  const rows = yield* queryAll(
    `SELECT path, size, integrity, since, retired FROM retained_files WHERE ${HAS_PREFIX} ORDER BY path`,
    prefix,
    prefix,
  );
  return rows.map(toRetainedFile);
}

function* readContent(path: string): Operation<Buffer | null> {
  const row = yield* queryFirst('SELECT content FROM retained_files WHERE path = ?', path);
  return row ? gunzipSync(Buffer.from(text(row, 'content'), 'base64')) : null;
}

const insertFile = ({ path, size, integrity, since, retiredAt, content }: NewRetainedFile): ChangeStatement => ({
  text: `INSERT INTO retained_files (path, size, integrity, since, retired, content) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (path) DO UPDATE SET size = excluded.size, integrity = excluded.integrity, content = excluded.content`,
  values: [path, size, integrity, since, retiredAt, gzipSync(content).toString('base64')],
});

function* retire(prefix: string, currentPaths: readonly string[], now: number, retiredBefore: number): Operation<void> {
  const current = jsonListOf(currentPaths);
  yield* execute(
    'UPDATE retained_files SET retired = NULL WHERE retired IS NOT NULL AND path IN (SELECT value FROM json_each(?))',
    current,
  );
  yield* execute(
    `UPDATE retained_files SET retired = ? WHERE retired IS NULL AND ${HAS_PREFIX} AND path NOT IN (SELECT value FROM json_each(?))`,
    now,
    prefix,
    prefix,
    current,
  );
  yield* execute(`DELETE FROM retained_files WHERE retired < ? AND ${HAS_PREFIX}`, retiredBefore, prefix, prefix);
}

/** Creates the retained-file methods of a store. */
export const createRetainedFileStore = ({ read, write }: Engine): RetainedFileStore => ({
  retainedFiles: (prefix) => read(readRetainedFiles(prefix)),
  // No such path exists: PostgreSQL cannot store a NUL.
  retainedFileContent: async (path) => (path.includes('\0') ? null : read(readContent(path))),
  async putRetainedFiles(files) {
    for (let start = 0; start < files.length; start += FILES_PER_TRANSACTION)
      await write(executeEach(files.slice(start, start + FILES_PER_TRANSACTION).map(insertFile)));
  },
  retireFiles: (prefix, currentPaths, now, retiredBefore) => write(retire(prefix, currentPaths, now, retiredBefore)),
});
