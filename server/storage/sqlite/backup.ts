// SQLite backup: copies a database while it is in use, and verifies database files.

import { MOVE_SETTING } from '../sql/settings.ts';
import { type Driver, openDriver } from './connection.ts';
import { toSqliteStorageError } from './errors.ts';
import { SQLITE_MIGRATIONS } from './migrations.ts';

/** The schema version that this program knows. */
export const CURRENT_SCHEMA_VERSION = SQLITE_MIGRATIONS.length;

/** Waits up to 10 s for the lock of another process. */
const SET_BUSY_TIMEOUT_SQL = 'PRAGMA busy_timeout = 10000';

/**
 * Pages per step: all of them. With several steps, each write of another process would restart the copy, possibly
 * forever.
 */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a database as of one moment, while other processes write to it. SQLite's backup API preserves every rowid,
 * which VACUUM INTO does not guarantee; rowids define the order of channels.
 */
export const copyDatabase = async (from: string, to: string): Promise<void> => {
  await copyPages(from, to).catch((error: unknown) => {
    throw toSqliteStorageError(error);
  });
  await makeSingleFile(to);
};

const copyPages = async (from: string, to: string): Promise<void> => {
  const native = await import('node:sqlite').catch(() => null);
  if (native?.backup) {
    const source = new native.DatabaseSync(from);
    source.exec(SET_BUSY_TIMEOUT_SQL);
    await native.backup(source, to, { rate: ALL_PAGES }).finally(() => source.close());
  } else {
    const { default: BetterSqlite } = await import('better-sqlite3');
    const source = new BetterSqlite(from, { fileMustExist: true });
    await source.backup(to, { progress: () => ALL_PAGES }).finally(() => source.close());
  }
};

/** Runs a task on an open database, and closes it afterwards. */
const withDriver = async <T>(path: string, task: (driver: Driver) => T): Promise<T> => {
  const driver = await openDriver(path);
  driver.exec(SET_BUSY_TIMEOUT_SQL);
  try {
    return task(driver);
  } finally {
    driver.close();
  }
};

/** Converts a database to a single file without a WAL, so that it can be read from a read-only location. */
export const makeSingleFile = (path: string): Promise<unknown> =>
  withDriver(path, (driver) => driver.prepare('PRAGMA journal_mode = DELETE').get());

/** Lists the keys of the files that a database refers to. */
export const readFileKeys = (path: string): Promise<string[]> =>
  withDriver(path, (driver) =>
    driver
      .prepare('SELECT key FROM media_files ORDER BY key')
      .all()
      .map(({ key }) => String(key)),
  );

/** Result of checking a database file. */
export interface DatabaseCheck {
  /** The problem of the file; null if there is none. */
  readonly problem: string | null;
  /** Schema version. */
  readonly version: number;
  /** Number of rows by table, except the tables of the search index and the leases. */
  readonly rowCounts: Readonly<Record<string, number>>;
}

const TABLE_NAMES_SQL = `
  SELECT name FROM sqlite_master
  WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'words%' AND name <> 'leases' ORDER BY name`;

const checkOpenDatabase = (driver: Driver): DatabaseCheck => {
  const firstValue = (sql: string, ...values: string[]) => Object.values(driver.prepare(sql).get(...values) ?? {})[0];
  const integrity = String(firstValue('PRAGMA integrity_check(1)'));
  const isMoveUnfinished = integrity === 'ok' && firstValue('SELECT 1 FROM facts WHERE name = ?', MOVE_SETTING) !== undefined;
  const integrityFault = integrity === 'ok' ? null : integrity.replaceAll('\n', ' ');
  const tableNames = driver
    .prepare(TABLE_NAMES_SQL)
    .all()
    .map(({ name }) => String(name));
  return {
    problem: isMoveUnfinished ? 'a move into it was not finished' : integrityFault,
    version: Number(firstValue('PRAGMA user_version')),
    rowCounts: Object.fromEntries(tableNames.map((name) => [name, Number(firstValue(`SELECT count(*) FROM "${name}"`))])),
  };
};

/** Checks every page of a file to which no process writes. Never rejects: an error is reported as `problem`. */
export const checkDatabase = (path: string): Promise<DatabaseCheck> =>
  withDriver(path, checkOpenDatabase).catch((error: unknown) => ({
    problem: error instanceof Error ? error.message : String(error),
    version: 0,
    rowCounts: {},
  }));
