// Walks the store's tables: both engines have the same, with the same columns, so a row is a row. It is read in the order of its
// key, written, and compared.

import type { Engine } from '../sql/engine.ts';
import { MOVING } from '../sql/settings.ts';
import { all, get, integer, type Row, run, text, type Value, type Work } from '../sql/statements.ts';

/** What was asked for cannot be done with a store as it is: one sentence that says why. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** What rows are read from: an engine, or what one was at a moment. */
export type Readable = Pick<Engine, 'read'>;

/** Where rows come from, and where they go. */
export interface Sides {
  readonly from: Readable;
  readonly to: Engine;
}

/** A table that is carried, as it is in both engines. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its key, in their order. */
  readonly key: readonly string[];
  /** The column that the engine counts by itself. */
  readonly counted: string | null;
}

const FIRST = ['channels', 'site_keys'];
/** Counted or made anew by the engine itself, or of processes that run no more. */
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

/** Reads from PostgreSQL, which knows it, what there is to carry; those that others name come first. */
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

/** The rows after one, in the order of their keys. */
const after = ({ name, columns, key }: Table, last: Row | undefined): Work<readonly Row[]> => {
  const beyond = last === undefined ? '' : `WHERE (${quoted(key)}) > ${marks(key.length)}`;
  const values = last === undefined ? [] : key.map((column) => last[column] ?? null);
  return all(`SELECT ${quoted(columns)} FROM ${name} ${beyond} ORDER BY ${quoted(key)} LIMIT ${STEP}`, ...values);
};

/** Where a former try stopped: it wrote in the order of keys. Facts are few, and one of them is the move's own. */
const lastOf = ({ name, key }: Table): Work<Row | undefined> =>
  name === 'facts'
    ? get('SELECT 1 FROM facts WHERE 1 = 0')
    : get(`SELECT ${quoted(key)} FROM ${name} ORDER BY ${key.map((column) => `"${column}" DESC`).join(', ')} LIMIT 1`);

const write = ({ name, columns }: Table, rows: readonly Row[]): Work<number> =>
  run(
    `INSERT INTO ${name} (${quoted(columns)}) VALUES ${rows.map(() => marks(columns.length)).join(', ')} ON CONFLICT DO NOTHING`,
    ...rows.flatMap((row) => columns.map((column): Value => row[column] ?? null)),
  );

/** What a former try wrote is not written again, so no further try mends it. */
const CHANGED = 'Something has changed since it was begun: empty the place it goes to, and begin again.';

/** Whether a row belongs to one that was not copied: it came among those that were. */
const isAlone = (error: Error & { readonly code?: unknown }): boolean =>
  error.code === '23503' || error.message === 'FOREIGN KEY constraint failed';

/** Writes the rows of a table that are not there yet; answers how many. */
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

/** A row as text; PostgreSQL keeps no NUL. */
const said = (row: Row | undefined, columns: readonly string[]): string =>
  JSON.stringify(row && columns.map((column) => row[column])).replaceAll('\\u0000', '');

const isOwn = (table: Table, row: Row): boolean => table.name === 'facts' && row.name === MOVING;

/** Reads both sides in the order of keys; answers how many rows there are, throws Refused at the first that differs. */
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
