/** Move command: copies all stored data from SQLite to PostgreSQL or back. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { openEngine, type StoreLocation } from '../storage/open.ts';
import { moveStore } from '../storage/transfer/move-store.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';
import { describeError } from './explain-error.ts';

// The move creates databases with readers' data, which other users must not read.
process.umask(0o077);

const USAGE = `npm run move -- --from STORE --to STORE

Copies all stored data from SQLite to PostgreSQL or back, and compares every row. A STORE is DATA_DIR or DATABASE_URL for the value
of that setting (other users of this machine could see a password on the command line), a folder, or a URL. Stop the server first:
writes are blocked during the move. If a move was interrupted, the same command continues it. Media files stay under DATA_DIR.`;

const parseStoreLocation = (value: string | undefined): StoreLocation => {
  if (value === undefined) throw new OperationRefusedError(`--from and --to are both required.\n${USAGE}`);
  const { dataDir, databaseUrl } = loadConfig();
  if (value === 'DATA_DIR') return { dataDir };
  if (value === 'DATABASE_URL') {
    if (databaseUrl === null) throw new OperationRefusedError('DATABASE_URL is not set.');
    return { dataDir, databaseUrl };
  }
  return /^postgres(ql)?:\/\//.test(value) ? { dataDir, databaseUrl: value } : { dataDir: value };
};

const move = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return console.log(USAGE);
  const locations = [parseStoreLocation(values.from), parseStoreLocation(values.to)] as const;
  const [isFromPostgres, isToPostgres] = locations.map(({ databaseUrl }) => databaseUrl != null);
  if (isFromPostgres === isToPostgres)
    throw new OperationRefusedError(
      'One side must be SQLite and the other PostgreSQL. Use the tools of the database to copy between two stores of the same kind.',
    );
  const [{ engine: from }, { engine: to }] = [await openEngine(locations[0]), await openEngine(locations[1])];
  try {
    const movedTables = await moveStore({
      from,
      to,
      postgres: isFromPostgres ? from : to,
      onMoved: ({ table, writtenCount, equalCount }) =>
        console.log(`${table}: ${equalCount} equal rows, ${writtenCount} written now`),
    });
    console.log(`Moved ${movedTables.reduce((sum, { equalCount }) => sum + equalCount, 0)} rows and compared each of them.`);
  } finally {
    await from.close();
    await to.close();
  }
};

move().catch((error: unknown) => {
  console.error(error instanceof OperationRefusedError ? error.message : describeError(error));
  process.exitCode = 1;
});
