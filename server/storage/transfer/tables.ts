// Table copy: copies and compares tables between engines. Both engines have the same tables and columns, so rows have one format.
// Rows are read in the order of their key, written, and compared.

import type { Engine } from '../sql/engine.ts';
import { MOVING } from '../sql/settings.ts';
import { all, get, integer, type Row, run, text, type Value, type Work } from '../sql/statements.ts';

/** A request that is impossible in the current state of a store. The message is one sentence with the reason. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Source of rows: an engine, or a snapshot of one. */
export type Readable = Pick<Engine, 'read'>;

/** Source and target of a copy. */
export interface Sides {
  readonly from: Readable;
  readonly to: Engine;
}

/** A table to copy, as both engines have it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
  /** The column that the engine generates. */
  readonly counted: string | null;
}

const FIRST = ['channels', 'site_keys'];
/** Tables that the engine computes or rebuilds itself, or that belong to processes which no longer run. */
const LEFT = ['words', 'spellings', 'kept_bytes', 'leases', 'schema_version'];
const STEP = 500;

const COLUMNS = `
  SELECT c.table_name AS name, c.column_name AS "column", coalesce(k.ordinal_position, 0) AS place, c.is_identity = 'YES' AS counted
  FROM information_schema.columns c
  LEFT JOIN information_schema.table_constraints t
    ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.constraint_type = 'PRIMARY KEY'
  LEFT JOIN information_schema.key_column_usage k
    ON k.constraint_name = t.constraint_name AND k.table_schema = c.table_schema AND k.table_name = c.table_name
      AND k.column_name = c.column_name
  WHERE c.table_schema = current_schema() ORDER BY c.table_name, c.ordinal_position`;

/** Reads the tables to copy from PostgreSQL's catalog. Tables that others refer to come first. */
export function* readTables(): Work<Table[]> {
  const rows = (yield* all(COLUMNS)).filter((row) => !LEFT.includes(text(row, 'name')));
  const names = [...new Set(rows.map((row) => text(row, 'name')))];
  return [...FIRST, ...names.filter((name) => !FIRST.includes(name))].map((name) => {
    const own = rows.filter((row) => row.name === name);
    const keys = own.filter((row) => row.place !== 0).sort((one, other) => integer(one, 'place') - integer(other, 'place'));
    const counted = own.find((row) => row.counted === 1);
    const columns = own.map((row) => text(row, 'column'));
    return { name, columns, key: keys.map((row) => text(row, 'column')), counted: counted ? text(counted, 'column') : null };
  });
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
const marks = (count: number): string => `(${Array(count).fill('?').join(', ')})`;

/** Returns the rows after a row, in the order of their keys. */
const after = ({ name, columns, key }: Table, last: Row | undefined): Work<readonly Row[]> => {
  const beyond = last === undefined ? '' : `WHERE (${quoted(key)}) > ${marks(key.length)}`;
  const values = last === undefined ? [] : key.map((column) => last[column] ?? null);
  return all(`SELECT ${quoted(columns)} FROM ${name} ${beyond} ORDER BY ${quoted(key)} LIMIT ${STEP}`, ...values);
};

/**
 * Returns the last row of a previous attempt, which wrote in the order of keys. The table `facts` is copied again completely: it
 * is small, and contains a row of the move itself.
 */
const lastOf = ({ name, key }: Table): Work<Row | undefined> =>
  name === 'facts'
    ? get('SELECT 1 FROM facts WHERE 1 = 0')
    : get(`SELECT ${quoted(key)} FROM ${name} ORDER BY ${key.map((column) => `"${column}" DESC`).join(', ')} LIMIT 1`);

const write = ({ name, columns }: Table, rows: readonly Row[]): Work<number> =>
  run(
    `INSERT INTO ${name} (${quoted(columns)}) VALUES ${rows.map(() => marks(columns.length)).join(', ')} ON CONFLICT DO NOTHING`,
    ...rows.flatMap((row) => columns.map((column): Value => row[column] ?? null)),
  );

/** Rows of a previous attempt are not written again, so another attempt cannot correct them. */
const CHANGED = 'Something has changed since it was begun: empty the place it goes to, and begin again.';

/** Returns whether a row refers to a row that was not copied: that row was added later, before the position of the copy. */
const isAlone = (error: Error & { readonly code?: unknown }): boolean =>
  error.code === '23503' || error.message === 'FOREIGN KEY constraint failed';

/** Writes the missing rows of a table, and returns how many. */
export const copyTable = async (table: Table, { from, to }: Sides): Promise<number> => {
  let written = 0;
  let last = await to.read(lastOf(table));
  for (;;) {
    const rows = await from.read(after(table, last));
    last = rows.at(-1);
    if (last === undefined) return written;
    written += await to.write(write(table, rows)).catch((error: Error) => {
      throw isAlone(error) ? new Refused(`A row of ${table.name} belongs to none on the other side. ${CHANGED}`) : error;
    });
  }
};

/** Serializes a row for comparison. PostgreSQL stores no NUL. */
const said = (row: Row | undefined, columns: readonly string[]): string =>
  JSON.stringify(row && columns.map((column) => row[column])).replaceAll('\\u0000', '');

const isOwn = (table: Table, row: Row): boolean => table.name === 'facts' && row.name === MOVING;

/** Reads both sides in the order of keys and returns the number of rows. Throws `Refused` at the first difference. */
export const compareTable = async (table: Table, { from, to }: Sides): Promise<number> => {
  const rowsOf = async function* (engine: Readable) {
    for (
      let rows = await engine.read(after(table, undefined));
      rows.length > 0;
      rows = await engine.read(after(table, rows.at(-1)))
    )
      yield* rows.filter((row) => !isOwn(table, row));
  };
  const others = rowsOf(to);
  let same = 0;
  for await (const row of rowsOf(from)) {
    const other = (await others.next()).value ?? undefined;
    if (said(row, table.columns) !== said(other, table.columns)) throw differs(table, row);
    same += 1;
  }
  const more = (await others.next()).value;
  if (more) throw differs(table, more);
  return same;
};

const differs = ({ name, key }: Table, row: Row): Refused =>
  new Refused(`The row ${JSON.stringify(key.map((column) => row[column]))} of ${name} is not the same on both sides. ${CHANGED}`);
