// Store migration between engines: copies the tables and compares them at the end. Search terms are rebuilt, because SQLite's
// index does not return its contents.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../sql/engine.ts';
import { remakeSome } from '../sql/post-index.ts';
import { factOr, MOVING, putFact, readFact } from '../sql/settings.ts';
import { get, integer, run } from '../sql/statements.ts';
import { compareTable, copyTable, Refused, readTables, type Table } from './tables.ts';

/** Result for one table: rows that were written now, and rows that are equal on both sides. */
export interface Moved {
  readonly table: string;
  readonly written: number;
  readonly same: number;
}

export interface MoveOptions {
  readonly from: Engine;
  readonly to: Engine;
  /** The one of both engines that is PostgreSQL, which can list its tables and columns. */
  readonly postgres: Engine;
  /** Called after each table. */
  readonly onMoved?: (moved: Moved) => void;
}

/** Builds the search terms, from where a previous attempt stopped. */
const makeWords = async ({ to }: MoveOptions): Promise<void> => {
  const made = await to.read(get('SELECT coalesce(max(rowid), -1) AS last FROM words'));
  for (let last: number | null = integer(made ?? {}, 'last'); last !== null; ) last = await to.write(remakeSome(last));
  const heads = integer((await to.read(get('SELECT count(*) AS n FROM messages WHERE head = 1'))) ?? {}, 'n');
  const found = integer((await to.read(get('SELECT count(*) AS n FROM words'))) ?? {}, 'n');
  if (found !== heads) throw new Refused(`${found} of ${heads} posts can be found on the other side.`);
};

const begin = async ({ from, to }: MoveOptions, tables: readonly Table[]): Promise<void> => {
  if ((await from.read(readFact(MOVING))) !== null) throw new Refused('The store to move is itself only half there.');
  const id = await from.write(factOr('store-id', randomUUID()));
  const begun = await to.read(readFact(MOVING));
  if (begun === id) return;
  if (begun !== null) throw new Refused('Another store was being moved there: finish that, or empty it.');
  for (const { name } of tables)
    if (await to.read(get(`SELECT 1 FROM ${name} LIMIT 1`)))
      throw new Refused('There is something there already: empty it first.');
  await to.write(putFact(MOVING, id));
};

/** Sets the sequences of PostgreSQL to continue after the copied ids. */
const countOn = async ({ to, postgres }: MoveOptions, tables: readonly Table[]): Promise<void> => {
  if (to !== postgres) return;
  for (const { name, counted } of tables)
    if (counted !== null)
      await to.read(
        get(
          `SELECT setval(pg_get_serial_sequence('${name}', '${counted}'), (SELECT coalesce(max(${counted}), 0) + 1 FROM ${name}), false)`,
        ),
      );
};

const LET_GO = 'The connection that kept others from writing was lost, so that not everything may have been moved: run it again.';

/** Writes the missing rows, and reads all rows back. */
const carry = async (options: MoveOptions, tables: readonly Table[]): Promise<Moved[]> => {
  const { onMoved = () => {} } = options;
  const written = new Map<string, number>();
  for (const table of tables) written.set(table.name, await copyTable(table, options));
  await makeWords(options);
  await countOn(options, tables);
  const moved: Moved[] = [];
  for (const table of tables) {
    const done = { table: table.name, written: written.get(table.name) ?? 0, same: await compareTable(table, options) };
    moved.push(done);
    onMoved(done);
  }
  return moved;
};

/**
 * Moves a store into an empty one, while no other process writes to it. Work of a previous attempt is not repeated. It ends when
 * every row was read back from the target and is equal. Before that, no server opens the target.
 */
export const moveStore = async (options: MoveOptions): Promise<Moved[]> => {
  const { from, to, postgres } = options;
  const tables = await postgres.read(readTables());
  await begin(options, tables);
  const letGo = await from.hold();
  const moved = await carry(options, tables).catch(async (error: unknown) => {
    await letGo().catch(() => {});
    throw error;
  });
  // A successful release proves that no other process has written meanwhile.
  await letGo().catch(() => {
    throw new Refused(LET_GO);
  });
  await to.write(run('DELETE FROM facts WHERE name = ?', MOVING));
  return moved;
};
