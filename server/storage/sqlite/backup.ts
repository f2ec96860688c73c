// SQLite backup: copies a database while it is in use, and verifies database files.

import { MOVE_SETTING } from '../sql/settings.ts';
import { type Driver, openDriver } from './connection.ts';
import { toSqliteStorageError } from './errors.ts';
import { SQLITE_MIGRATIONS } from './migrations.ts';

/** The schema version that this program knows. */
export const CURRENT_SCHEMA_VERSION = SQLITE_MIGRATIONS.length;

const SET_BUSY_TIMEOUT = 'PRAGMA busy_timeout = 10000';

/** Pages per step: all. With several steps, each write of another process would restart the copy, perhaps without end. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a database as of one moment, while other processes write to it. SQLite's backup API preserves every rowid, which VACUUM
 * INTO does not guarantee; rowids define the order of channels.
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
    source.exec(SET_BUSY_TIMEOUT);
    await native.backup(source, to, { rate: ALL_PAGES }).finally(() => source.close());
  } else {
    const { default: BetterSqlite } = await import('better-sqlite3');
    const source = new BetterSqlite(from, { fileMustExist: true });
    await source.backup(to, { progress: () => ALL_PAGES }).finally(() => source.close());
  }
};

const withDriver = async <T>(path: string, task: (driver: Driver) => T): Promise<T> => {
  const driver = await openDriver(path);
  driver.exec(SET_BUSY_TIMEOUT);
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
  readonly fault: string | null;
  readonly version: number;
  /** Rows by table, except the tables of the search index. */
  readonly rows: Readonly<Record<string, number>>;
}

const TABLES = `
  SELECT name FROM sqlite_master
  WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'words%' AND name <> 'leases' ORDER BY name`;

const checkOpenDatabase = (driver: Driver): DatabaseCheck => {
  const first = (sql: string, ...values: string[]) => Object.values(driver.prepare(sql).get(...values) ?? {})[0];
  const integrity = String(first('PRAGMA integrity_check(1)'));
  const isHalf = integrity === 'ok' && first('SELECT 1 FROM facts WHERE name = ?', MOVE_SETTING) !== undefined;
  const names = driver
    .prepare(TABLES)
    .all()
    .map(({ name }) => String(name));
  return {
    fault: isHalf ? 'a move into it was not finished' : integrity === 'ok' ? null : integrity.replaceAll('\n', ' '),
    version: Number(first('PRAGMA user_version')),
    rows: Object.fromEntries(names.map((name) => [name, Number(first(`SELECT count(*) FROM "${name}"`))])),
  };
};

/** Checks every page of a file to which no process writes. */
export const checkDatabase = (path: string): Promise<DatabaseCheck> =>
  withDriver(path, checkOpenDatabase).catch((error: unknown) => ({
    fault: error instanceof Error ? error.message : String(error),
    version: 0,
    rows: {},
  }));
