// SQLite backup: copies a database while it is in use, and verifies database files.

import { MOVING } from '../sql/settings.ts';
import { type Driver, drive } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';

/** The schema version that this program knows. */
export const KNOWN_VERSION = MIGRATIONS.length;

const WAITS = 'PRAGMA busy_timeout = 10000';

/** Pages per step: all. With several steps, each write of another process would restart the copy, perhaps without end. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a database as of one moment, while other processes write to it. SQLite's backup API preserves every rowid, which VACUUM
 * INTO does not guarantee; rowids define the order of channels.
 */
export const copyDatabase = async (from: string, to: string): Promise<void> => {
  const native = await import('node:sqlite').catch(() => null);
  if (native?.backup) {
    const source = new native.DatabaseSync(from);
    source.exec(WAITS);
    await native.backup(source, to, { rate: ALL_PAGES }).finally(() => source.close());
  } else {
    const { default: BetterSqlite } = await import('better-sqlite3');
    const source = new BetterSqlite(from, { fileMustExist: true });
    await source.backup(to, { progress: () => ALL_PAGES }).finally(() => source.close());
  }
  await seal(to);
};

const opened = async <T>(path: string, act: (driver: Driver) => T): Promise<T> => {
  const driver = await drive(path);
  driver.exec(WAITS);
  try {
    return act(driver);
  } finally {
    driver.close();
  }
};

/** Converts a database to a single file without a WAL, so that it can be read from a read-only location. */
export const seal = (path: string): Promise<unknown> =>
  opened(path, (driver) => driver.prepare('PRAGMA journal_mode = DELETE').get());

/** Lists the keys of the files that a database refers to. */
export const readKeys = (path: string): Promise<string[]> =>
  opened(path, (driver) =>
    driver
      .prepare('SELECT key FROM media_files ORDER BY key')
      .all()
      .map(({ key }) => String(key)),
  );

/** Result of checking a database file. */
export interface Examined {
  /** The problem of the file; null if there is none. */
  readonly fault: string | null;
  readonly version: number;
  /** Rows by table, except the tables of the search index. */
  readonly rows: Readonly<Record<string, number>>;
}

const TABLES = `
  SELECT name FROM sqlite_master
  WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'words%' AND name <> 'leases' ORDER BY name`;

const examineOpen = (driver: Driver): Examined => {
  const first = (sql: string, ...values: string[]) => Object.values(driver.prepare(sql).get(...values) ?? {})[0];
  const said = String(first('PRAGMA integrity_check(1)'));
  const isHalf = said === 'ok' && first('SELECT 1 FROM facts WHERE name = ?', MOVING) !== undefined;
  const names = driver
    .prepare(TABLES)
    .all()
    .map(({ name }) => String(name));
  return {
    fault: isHalf ? 'a move into it was not finished' : said === 'ok' ? null : said.replaceAll('\n', ' '),
    version: Number(first('PRAGMA user_version')),
    rows: Object.fromEntries(names.map((name) => [name, Number(first(`SELECT count(*) FROM "${name}"`))])),
  };
};

/** Checks every page of a file to which no process writes. */
export const examine = (path: string): Promise<Examined> =>
  opened(path, examineOpen).catch((error: unknown) => ({
    fault: error instanceof Error ? error.message : String(error),
    version: 0,
    rows: {},
  }));
