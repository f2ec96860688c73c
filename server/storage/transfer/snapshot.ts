// Store snapshot: copies a store as of one moment for backups, and prepares a restored copy.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectPostgres, DATABASE_FILE, openEngine, type StoreLocation } from '../open.ts';
import { readLastEventId } from '../sql/events.ts';
import { MOVE_SETTING, putSetting, readSetting } from '../sql/settings.ts';
import { execute, type Operation, queryAll, queryFirst, runStatement, text } from '../sql/statements.ts';
import { copyDatabase, makeSingleFile, readFileKeys } from '../sqlite/backup.ts';
import { compareTable, copyTable, OperationRefusedError, type ReadableEngine, readTables } from './tables.ts';

/** A store that is copied while others write to it. The copy changes nothing in it, not even its schema. */
export interface BackupSource {
  /** Lists the keys of the files that it refers to now. */
  fileKeys(): Promise<string[]>;
  /**
   * Copies the store as of one moment into `folder`, as a SQLite store. `onMoment` receives the keys of the files that it
   * referred to at that moment, as soon as possible.
   */
  copyInto(folder: string, onMoment: (keys: readonly string[]) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store at a location. Throws `OperationRefusedError` if there is none that can be copied. */
export const openBackupSource = async ({ dataDir, databaseUrl = null }: StoreLocation): Promise<BackupSource> =>
  databaseUrl === null ? sqliteBackupSource(join(dataDir, DATABASE_FILE)) : postgresBackupSource(databaseUrl);

const sqliteBackupSource = (path: string): BackupSource => {
  if (!existsSync(path)) throw new OperationRefusedError(`There is no store in ${dirname(path)}.`);
  return {
    fileKeys: () => readFileKeys(path),
    async copyInto(folder, onMoment) {
      const copy = join(folder, DATABASE_FILE);
      await copyDatabase(path, copy);
      await onMoment(await readFileKeys(copy));
    },
    close: async () => {},
  };
};

function* readFileKeysOf() {
  return (yield* queryAll('SELECT key FROM media_files ORDER BY key')).map((row) => text(row, 'key'));
}

/** Copies all rows except search terms: they are rebuilt when the copy is opened, as after a migration. */
const copyRows = async (from: ReadableEngine, folder: string): Promise<void> => {
  const { engine: to } = await openEngine({ dataDir: folder });
  try {
    const tables = await from.read(readTables());
    for (const table of tables) await copyTable(table, { from, to });
    for (const table of tables) await compareTable(table, { from, to });
    await to.write(putSetting('words-to-remake', ''));
  } finally {
    await to.close();
  }
  await makeSingleFile(join(folder, DATABASE_FILE));
};

/** Connects to a database without changing it. */
const openPostgresStore = async (url: string) => {
  const [{ withReadSnapshot, createPostgresEngine }, { readSchemaVersion }] = await Promise.all([
    import('../postgres/engine.ts'),
    import('../postgres/migrations.ts'),
  ]);
  return connectPostgres(url, async (pool) => {
    const [engine, version] = [createPostgresEngine(pool), await readSchemaVersion(pool)];
    const isIncomplete = version !== null && (await engine.read(readSetting(MOVE_SETTING))) !== null;
    return {
      engine,
      version,
      isIncomplete,
      readSnapshot: (task: Parameters<typeof withReadSnapshot>[1]) => withReadSnapshot(pool, task),
    };
  }).catch((error: Error) => {
    throw new OperationRefusedError(error.message);
  });
};

const problemOf = ({ version, isIncomplete }: Awaited<ReturnType<typeof openPostgresStore>>): string | null => {
  if (version === null) return 'There is no store in the database of DATABASE_URL.';
  if (isIncomplete) return 'The store in DATABASE_URL is incomplete, because a move into it was not finished.';
  if (version.stored === version.supported) return null;
  return `The store in DATABASE_URL has version ${version.stored}, and this program needs ${version.supported}: back it up with the program of its version.`;
};

const postgresBackupSource = async (url: string): Promise<BackupSource> => {
  const store = await openPostgresStore(url);
  const problem = problemOf(store);
  if (problem !== null) {
    await store.engine.close();
    throw new OperationRefusedError(problem);
  }
  return {
    fileKeys: () => store.engine.read(readFileKeysOf()),
    copyInto: (folder, onMoment) =>
      store.readSnapshot(async (snapshot) => {
        await onMoment(await snapshot.read(readFileKeysOf()));
        await copyRows(snapshot, folder);
      }),
    close: () => store.engine.close(),
  };
};

const assertNoSqliteStore = (dataDir: string): void => {
  // Files next to a database would be treated as part of the restored one.
  const found = ['', '-wal', '-shm', '-journal']
    .map((end) => DATABASE_FILE + end)
    .find((name) => existsSync(join(dataDir, name)));
  if (found !== undefined)
    throw new OperationRefusedError(
      `There is a store in ${dataDir} already: stop its server and move ${found} away, or name another DATA_DIR.`,
    );
};

const assertNoPostgresStore = async (url: string): Promise<void> => {
  const { engine, version, isIncomplete } = await openPostgresStore(url);
  try {
    if (version === null || isIncomplete) return;
    if (await engine.read(queryFirst('SELECT 1 FROM facts UNION ALL SELECT 1 FROM channels LIMIT 1')))
      throw new OperationRefusedError('There is a store in DATABASE_URL already: stop its server and name an empty database.');
  } finally {
    await engine.close();
  }
};

/**
 * Throws `OperationRefusedError` if a location contains a store, which a server may be using. An incomplete one is allowed: its restore can
 * continue.
 */
export const assertNoStore = async ({ dataDir, databaseUrl = null }: StoreLocation): Promise<void> =>
  databaseUrl === null ? assertNoSqliteStore(dataDir) : assertNoPostgresStore(databaseUrl);

/** More than the number of events that can have occurred since the backup. */
const EVENT_ID_GAP = 1_000_000;

/** Turns a copy into the active store. `id` identifies the backup, so that an interrupted restore continues with the same one. */
export function* markRestored(id: string): Operation<void> {
  // Smaller sizes of pictures are in no backup: they are created again, and counted, at their first request.
  yield* execute('UPDATE media_files SET sizes = 0 WHERE sizes > 0');
  // Devices have received later events that this store never had. Its own ids continue above those, and all clients fetch
  // everything again.
  const last = yield* readLastEventId();
  yield* execute('DELETE FROM events');
  yield* runStatement({
    text: "INSERT INTO events (id, kind, channel) VALUES (?, 'refresh', '')",
    values: [last + EVENT_ID_GAP],
    returns: 'changeCount',
    appendsEvent: true,
  });
  // Its files are in the folder into which it was restored.
  yield* execute("DELETE FROM facts WHERE name = 'data-folder'");
  yield* putSetting('store-id', id);
}
