/** Move command: copies all stored data from SQLite to PostgreSQL or back, or all media files to a bucket or back. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { moveMedia } from '../media/move-media.ts';
import { openMediaStore } from '../media/open-media-store.ts';
import { openEngine, type StoreLocation } from '../storage/open.ts';
import { moveStore } from '../storage/transfer/move-store.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';
import { describeError } from './explain-error.ts';

// The move creates databases with readers' data, which other users must not read.
process.umask(0o077);

const USAGE = `npm run move -- --from STORE --to STORE
npm run move -- --media --from PLACE --to PLACE

Copies all stored data from SQLite to PostgreSQL or back, and compares every row. A STORE is DATA_DIR or DATABASE_URL for the value
of that setting (other users of this machine could see a password on the command line), a folder, or a URL. Stop the server first:
writes are blocked during the move. If a move was interrupted, the same command continues it. Media files stay where they are.

With --media, copies all media files from DATA_DIR to S3_BUCKET or back, and compares the size and hash of each. A PLACE is the name
of one of these settings. Stop the server first, or run the command again after the server has started with the new place. The
source keeps its files.`;

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

const PROGRESS_INTERVAL = 1000;

const moveMediaFiles = async (from: string | undefined, to: string | undefined): Promise<void> => {
  if (!((from === 'DATA_DIR' && to === 'S3_BUCKET') || (from === 'S3_BUCKET' && to === 'DATA_DIR')))
    throw new OperationRefusedError(`With --media, the two places are DATA_DIR and S3_BUCKET.\n${USAGE}`);
  const config = loadConfig();
  if (config.s3 === null) throw new OperationRefusedError('S3_BUCKET is not set.');
  const [folder, bucket] = [await openMediaStore({ dataDir: config.dataDir }), await openMediaStore(config)];
  await bucket.assertHealthy();
  const [source, target] = from === 'DATA_DIR' ? [folder, bucket] : [bucket, folder];
  const { movedCount, equalCount, bytes, damaged } = await moveMedia(source, target, (count) => {
    if (count % PROGRESS_INTERVAL === 0) console.log(`${count} files`);
  });
  console.log(`Moved ${movedCount} files and compared ${movedCount + equalCount}, ${bytes} bytes. ${from} keeps its files.`);
  for (const name of damaged) console.error(`The stored file ${name} is not moved: its content does not match its name.`);
  if (damaged.length > 0) process.exitCode = 1;
};

const move = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      media: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(USAGE);
  if (values.media) return moveMediaFiles(values.from, values.to);
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
