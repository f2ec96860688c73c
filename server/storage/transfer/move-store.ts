// Store migration between engines: copies the tables and compares them at the end. Search terms are rebuilt, because
// SQLite's index does not return its contents.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../sql/engine.ts';
import { rebuildSearchIndexBatch } from '../sql/post-index.ts';
import { getOrCreateSetting, MOVE_SETTING, putSetting, readSetting } from '../sql/settings.ts';
import { execute, integer, queryFirst } from '../sql/statements.ts';
import { compareTable, copyTable, OperationRefusedError, readTables, type StoreTable } from './tables.ts';

/** Result for one table: the number of rows that were written now, and of rows that are equal on both sides. */
export interface MovedTable {
  readonly table: string;
  readonly writtenCount: number;
  readonly equalCount: number;
}

export interface MoveOptions {
  /** Engine of the source. */
  readonly from: Engine;
  /** Engine of the target. */
  readonly to: Engine;
  /** The PostgreSQL engine: `from` or `to`. It can list its tables and columns. */
  readonly postgres: Engine;
  /** Called after each table. */
  readonly onMoved?: (moved: MovedTable) => void;
}

/** Builds the search terms. Continues after the last row of a previous attempt. */
const completeSearchIndex = async ({ to }: MoveOptions): Promise<void> => {
  const lastRow = await to.read(queryFirst('SELECT coalesce(max(rowid), -1) AS last FROM words'));
  for (let lastRowId: number | null = integer(lastRow ?? {}, 'last'); lastRowId !== null; )
    lastRowId = await to.write(rebuildSearchIndexBatch(lastRowId));
  const postCount = integer((await to.read(queryFirst('SELECT count(*) AS n FROM messages WHERE head = 1'))) ?? {}, 'n');
  const indexedCount = integer((await to.read(queryFirst('SELECT count(*) AS n FROM words'))) ?? {}, 'n');
  if (indexedCount !== postCount)
    throw new OperationRefusedError(`${indexedCount} of ${postCount} posts are in the search index of the target.`);
};

/**
 * Marks the target with the id of the source. Throws if the target contains another store or an unfinished move of
 * another one.
 */
const beginMove = async ({ from, to }: MoveOptions, tables: readonly StoreTable[]): Promise<void> => {
  if ((await from.read(readSetting(MOVE_SETTING))) !== null)
    throw new OperationRefusedError('The store to move is itself incomplete.');
  const storeId = await from.write(getOrCreateSetting('store-id', randomUUID()));
  const movingStoreId = await to.read(readSetting(MOVE_SETTING));
  if (movingStoreId === storeId) return;
  if (movingStoreId !== null)
    throw new OperationRefusedError(
      'An unfinished move of another store is in the target: finish that move, or empty the target.',
    );
  for (const { name } of tables)
    if (await to.read(queryFirst(`SELECT 1 FROM ${name} LIMIT 1`)))
      throw new OperationRefusedError('The target is not empty: empty it first.');
  await to.write(putSetting(MOVE_SETTING, storeId));
};

/** Sets the sequences of PostgreSQL to continue after the copied ids. */
const advanceSequences = async ({ to, postgres }: MoveOptions, tables: readonly StoreTable[]): Promise<void> => {
  if (to !== postgres) return;
  for (const { name, identityColumn } of tables)
    if (identityColumn !== null)
      await to.read(
        queryFirst(
          `SELECT setval(pg_get_serial_sequence('${name}', '${identityColumn}'), (SELECT coalesce(max(${identityColumn}), 0) + 1 FROM ${name}), false)`,
        ),
      );
};

const LOCK_LOST_MESSAGE = 'The connection that blocked other writers was lost, so some rows may be missing: run the move again.';

/** Writes the missing rows, and compares all rows of both sides. */
const copyAndCompare = async (options: MoveOptions, tables: readonly StoreTable[]): Promise<MovedTable[]> => {
  const { onMoved = () => {} } = options;
  const writtenCounts = new Map<string, number>();
  for (const table of tables) writtenCounts.set(table.name, await copyTable(table, options));
  await completeSearchIndex(options);
  await advanceSequences(options, tables);
  const moved: MovedTable[] = [];
  for (const table of tables) {
    const result = {
      table: table.name,
      writtenCount: writtenCounts.get(table.name) ?? 0,
      equalCount: await compareTable(table, options),
    };
    moved.push(result);
    onMoved(result);
  }
  return moved;
};

/**
 * Moves a store into an empty one, while no other process writes to it. Work of a previous attempt is not repeated. The
 * move is complete when every row was read back from the target and is equal. Before that, no server opens the target.
 */
export const moveStore = async (options: MoveOptions): Promise<MovedTable[]> => {
  const { from, to, postgres } = options;
  const tables = await postgres.read(readTables());
  await beginMove(options, tables);
  const unblockWrites = await from.blockWrites();
  const moved = await copyAndCompare(options, tables).catch(async (error: unknown) => {
    await unblockWrites().catch(() => {});
    throw error;
  });
  // A successful release proves that no other process has written meanwhile.
  await unblockWrites().catch(() => {
    throw new OperationRefusedError(LOCK_LOST_MESSAGE);
  });
  await to.write(execute('DELETE FROM facts WHERE name = ?', MOVE_SETTING));
  return moved;
};
