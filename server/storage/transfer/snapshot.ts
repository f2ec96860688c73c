// Store snapshot: copies a store as of one moment for backups, and prepares a restored copy.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FOLDER_ID_SETTING } from '../data-dir.ts';
import { connectPostgres, DATABASE_FILE, openEngine, type StoreLocation } from '../open.ts';
import { readLastEventId } from '../sql/events.ts';
import { resetNotifications } from '../sql/notification-matching.ts';
import { SEARCH_INDEX_DUE_SETTING } from '../sql/post-index.ts';
import { MOVE_SETTING, putSetting, readSetting } from '../sql/settings.ts';
import { execute, type Operation, queryAll, queryFirst, runStatement, text } from '../sql/statements.ts';
import { copyDatabase, makeSingleFile, readFileKeys } from '../sqlite/backup.ts';
import { compareTable, copyTable, OperationRefusedError, type ReadableEngine, readTables } from './tables.ts';

/** A store that is copied while others write to it. The copy changes nothing in it, not even its schema. */
export interface BackupSource {
  /** Lists the keys of the files that it refers to now. */
  fileKeys(): Promise<string[]>;
  /**
   * Copies the store as of one moment into `folder`, as a SQLite store. Calls `onFileKeys` as soon as possible, with
   * the keys of the files that the store referred to at that moment.
   */
  copyInto(folder: string, onFileKeys: (keys: readonly string[]) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store at a location. Throws `OperationRefusedError` if there is none that can be copied. */
export const openBackupSource = async ({ dataDir, databaseUrl = null }: StoreLocation): Promise<BackupSource> =>
  databaseUrl === null ? sqliteBackupSource(join(dataDir, DATABASE_FILE)) : postgresBackupSource(databaseUrl);

const sqliteBackupSource = (path: string): BackupSource => {
  if (!existsSync(path)) throw new OperationRefusedError(`There is no store in ${dirname(path)}.`);
  return {
    fileKeys: () => readFileKeys(path),
    async copyInto(folder, onFileKeys) {
      const copyPath = join(folder, DATABASE_FILE);
      await copyDatabase(path, copyPath);
      await onFileKeys(await readFileKeys(copyPath));
    },
    close: async () => {},
  };
};

/** Lists the keys of the files that a store refers to. */
function* queryFileKeys() {
  return (yield* queryAll('SELECT key FROM media_files ORDER BY key')).map((row) => text(row, 'key'));
}

/** Copies all rows except search terms: they are rebuilt when the copy is opened, as after a migration. */
const copyRows = async (from: ReadableEngine, folder: string): Promise<void> => {
  const { engine: to } = await openEngine({ dataDir: folder });
  try {
    const tables = await from.read(readTables());
    for (const table of tables) await copyTable(table, { from, to });
    for (const table of tables) await compareTable(table, { from, to });
    await to.write(putSetting(SEARCH_INDEX_DUE_SETTING, ''));
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

/** Returns why a store cannot be copied; null if it can. */
const describeProblem = ({ version, isIncomplete }: Awaited<ReturnType<typeof openPostgresStore>>): string | null => {
  if (version === null) return 'There is no store in the database of DATABASE_URL.';
  if (isIncomplete) return 'The store in DATABASE_URL is incomplete, because a move into it was not finished.';
  if (version.stored === version.supported) return null;
  return `The store in DATABASE_URL has version ${version.stored}, and this program needs ${version.supported}: back it up with the program of its version.`;
};

const postgresBackupSource = async (url: string): Promise<BackupSource> => {
  const store = await openPostgresStore(url);
  const problem = describeProblem(store);
  if (problem !== null) {
    await store.engine.close();
    throw new OperationRefusedError(problem);
  }
  return {
    fileKeys: () => store.engine.read(queryFileKeys()),
    copyInto: (folder, onFileKeys) =>
      store.readSnapshot(async (snapshot) => {
        await onFileKeys(await snapshot.read(queryFileKeys()));
        await copyRows(snapshot, folder);
      }),
    close: () => store.engine.close(),
  };
};

const assertNoSqliteStore = (dataDir: string): void => {
  // SQLite would treat journal files of a previous database as part of the restored one.
  const existingFile = ['', '-wal', '-shm', '-journal']
    .map((suffix) => DATABASE_FILE + suffix)
    .find((name) => existsSync(join(dataDir, name)));
  if (existingFile !== undefined)
    throw new OperationRefusedError(
      `There is a store in ${dataDir} already: stop its server and move ${existingFile} away, or name another DATA_DIR.`,
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
 * Throws `OperationRefusedError` if a location contains a store, because a server may be using it. An incomplete store
 * is allowed: its restore can continue.
 */
export const assertNoStore = async ({ dataDir, databaseUrl = null }: StoreLocation): Promise<void> =>
  databaseUrl === null ? assertNoSqliteStore(dataDir) : assertNoPostgresStore(databaseUrl);

/**
 * Gap between the last event id of the backup and the next one. It is larger than the number of events since the
 * backup.
 */
const EVENT_ID_GAP = 1_000_000;

/**
 * Turns a restored copy into the active store. `id` identifies the backup, so that an interrupted restore continues
 * with it.
 */
export function* markRestored(id: string): Operation<void> {
  // Resized pictures are in no backup. They are created and counted again at their first request.
  yield* execute('UPDATE media_files SET sizes = 0 WHERE sizes > 0');
  // Devices may have received events after the backup, which this store does not have. New ids start above their ids,
  // and the `refresh` event makes all clients fetch everything again.
  const lastEventId = yield* readLastEventId();
  yield* execute('DELETE FROM events');
  yield* runStatement({
    text: "INSERT INTO events (id, kind, channel) VALUES (?, 'refresh', '')",
    values: [lastEventId + EVENT_ID_GAP],
    returns: 'changeCount',
    appendsEvent: true,
  });
  yield* resetNotifications();
  // Its files are in the folder into which it was restored.
  yield* execute('DELETE FROM facts WHERE name = ?', FOLDER_ID_SETTING);
  yield* putSetting('store-id', id);
}
