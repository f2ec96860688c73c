// Table copy: copies and compares tables between engines. Both engines have the same tables and columns, so rows have
// one format. Rows are read in the order of their key, written, and compared.

import type { Engine } from '../sql/engine.ts';
import { MOVE_SETTING } from '../sql/settings.ts';
import {
  executeAndCount,
  integer,
  type Operation,
  queryAll,
  queryFirst,
  type Row,
  type SqlValue,
  text,
} from '../sql/statements.ts';
import { sqliteResultCode } from '../sqlite/errors.ts';

/** A request that is impossible in the current state of a store. The message is one sentence with the reason. */
export class OperationRefusedError extends Error {
  override readonly name = 'OperationRefusedError';
}

/** Source of rows: an engine, or a snapshot of one. */
export type ReadableEngine = Pick<Engine, 'read'>;

/** Source and target of a copy. */
export interface TransferSides {
  readonly from: ReadableEngine;
  readonly to: Engine;
}

/** A table to copy, as both engines have it. */
export interface StoreTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
  /** The column that the engine generates. */
  readonly identityColumn: string | null;
}

/** Tables that others refer to with foreign keys. */
const TABLES_COPIED_FIRST = ['channels', 'site_keys'];
/** Tables that the engine computes or rebuilds itself, or that belong to processes which no longer run. */
const SKIPPED_TABLES = ['words', 'spellings', 'kept_bytes', 'leases', 'schema_version'];
const ROWS_PER_STEP = 500;

/** Lists all columns, with their position in the primary key (0 if they are not part of it). */
const COLUMNS_SQL = `
  SELECT c.table_name AS name, c.column_name AS "column", coalesce(k.ordinal_position, 0) AS key_position,
    c.is_identity = 'YES' AS counted
  FROM information_schema.columns c
  LEFT JOIN information_schema.table_constraints t
    ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.constraint_type = 'PRIMARY KEY'
  LEFT JOIN information_schema.key_column_usage k
    ON k.constraint_name = t.constraint_name AND k.table_schema = c.table_schema AND k.table_name = c.table_name
      AND k.column_name = c.column_name
  WHERE c.table_schema = current_schema() ORDER BY c.table_name, c.ordinal_position`;

/** Reads the tables to copy from PostgreSQL's catalog. Tables that others refer to are first. */
export function* readTables(): Operation<StoreTable[]> {
  const rows = (yield* queryAll(COLUMNS_SQL)).filter((row) => !SKIPPED_TABLES.includes(text(row, 'name')));
  const names = [...new Set(rows.map((row) => text(row, 'name')))];
  return [...TABLES_COPIED_FIRST, ...names.filter((name) => !TABLES_COPIED_FIRST.includes(name))].map((name) => {
    const columnRows = rows.filter((row) => row.name === name);
    const keyRows = columnRows
      .filter((row) => row.key_position !== 0)
      .sort((a, b) => integer(a, 'key_position') - integer(b, 'key_position'));
    const identityRow = columnRows.find((row) => row.counted === 1);
    const columns = columnRows.map((row) => text(row, 'column'));
    return {
      name,
      columns,
      key: keyRows.map((row) => text(row, 'column')),
      identityColumn: identityRow ? text(identityRow, 'column') : null,
    };
  });
}

const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
const placeholders = (count: number): string => `(${Array(count).fill('?').join(', ')})`;

/** Reads the next rows after a row, or the first rows with undefined, in the order of their keys. */
const readRowsAfter = ({ name, columns, key }: StoreTable, last: Row | undefined): Operation<readonly Row[]> => {
  const where = last === undefined ? '' : `WHERE (${quoteNames(key)}) > ${placeholders(key.length)}`;
  const values = last === undefined ? [] : key.map((column) => last[column] ?? null);
  return queryAll(
    `SELECT ${quoteNames(columns)} FROM ${name} ${where} ORDER BY ${quoteNames(key)} LIMIT ${ROWS_PER_STEP}`,
    ...values,
  );
};

/**
 * Reads the last row that a previous attempt wrote, because it wrote in the order of keys. Returns no row for the table
 * `facts`, which is copied again completely: it is small, and contains a row of the move itself.
 */
const readLastCopiedRow = ({ name, key }: StoreTable): Operation<Row | undefined> =>
  name === 'facts'
    ? queryFirst('SELECT 1 FROM facts WHERE 1 = 0')
    : queryFirst(`SELECT ${quoteNames(key)} FROM ${name} ORDER BY ${key.map((column) => `"${column}" DESC`).join(', ')} LIMIT 1`);

const insertRows = ({ name, columns }: StoreTable, rows: readonly Row[]): Operation<number> =>
  executeAndCount(
    `INSERT INTO ${name} (${quoteNames(columns)}) VALUES ${rows.map(() => placeholders(columns.length)).join(', ')} ON CONFLICT DO NOTHING`,
    ...rows.flatMap((row) => columns.map((column): SqlValue => row[column] ?? null)),
  );

/** Error text. Rows of a previous attempt are not written again, so that another attempt cannot correct them. */
const CHANGED_MESSAGE = 'The data changed after the move began: empty the target and start again.';

/**
 * Returns true if an insert failed because a row refers to a row that is missing in the target. The missing row was
 * added after the copy had passed its key.
 */
const isForeignKeyError = (error: Error & { readonly code?: unknown }): boolean =>
  error.code === '23503' || sqliteResultCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY';

/** Writes the missing rows of a table. Returns the number of written rows. */
export const copyTable = async (table: StoreTable, { from, to }: TransferSides): Promise<number> => {
  let writtenCount = 0;
  let last = await to.read(readLastCopiedRow(table));
  for (;;) {
    const rows = await from.read(readRowsAfter(table, last));
    last = rows.at(-1);
    if (last === undefined) return writtenCount;
    writtenCount += await to.write(insertRows(table, rows)).catch((error: Error) => {
      throw isForeignKeyError(error)
        ? new OperationRefusedError(`A row of ${table.name} refers to a row that is missing in the target. ${CHANGED_MESSAGE}`)
        : error;
    });
  }
};

/** Serializes a row for comparison, without NUL characters, because PostgreSQL cannot store them. */
const serializeRow = (row: Row | undefined, columns: readonly string[]): string =>
  JSON.stringify(row && columns.map((column) => row[column])).replaceAll('\\u0000', '');

const isMoveSetting = (table: StoreTable, row: Row): boolean => table.name === 'facts' && row.name === MOVE_SETTING;

/**
 * Reads both sides in the order of keys and returns the number of rows. Throws `OperationRefusedError` at the first
 * difference.
 */
export const compareTable = async (table: StoreTable, { from, to }: TransferSides): Promise<number> => {
  const readAllRows = async function* (engine: ReadableEngine) {
    for (
      let rows = await engine.read(readRowsAfter(table, undefined));
      rows.length > 0;
      rows = await engine.read(readRowsAfter(table, rows.at(-1)))
    )
      yield* rows.filter((row) => !isMoveSetting(table, row));
  };
  const targetRows = readAllRows(to);
  let sameCount = 0;
  for await (const row of readAllRows(from)) {
    const targetRow = (await targetRows.next()).value ?? undefined;
    if (serializeRow(row, table.columns) !== serializeRow(targetRow, table.columns)) throw rowDiffersError(table, row);
    sameCount += 1;
  }
  const extraRow = (await targetRows.next()).value;
  if (extraRow) throw rowDiffersError(table, extraRow);
  return sameCount;
};

const rowDiffersError = ({ name, key }: StoreTable, row: Row): OperationRefusedError =>
  new OperationRefusedError(
    `The row ${JSON.stringify(key.map((column) => row[column]))} of ${name} differs between source and target. ${CHANGED_MESSAGE}`,
  );
