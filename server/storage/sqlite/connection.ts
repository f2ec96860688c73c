/// <reference path="./node-sqlite.d.ts" />

// SQLite connection: driver selection, prepared statements, transactions and error translation.

import { statSync } from 'node:fs';
import type { Row, SqlValue } from '../sql/statements.ts';
import { sqliteResultCode, withSqliteErrors } from './errors.ts';

/** Prepared statement: the methods that `node:sqlite` and `better-sqlite3` have in common. */
export interface PreparedStatement {
  all(...values: SqlValue[]): Row[];
  get(...values: SqlValue[]): Row | undefined;
  run(...values: SqlValue[]): { changes: number | bigint };
}

/** Driver adapter: a connection with the methods that both drivers have in common, without the store's settings. */
export interface Driver {
  prepare(sql: string): PreparedStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

/**
 * An open SQLite connection. Each statement is prepared once. Transactions lock at their start, so that none fails
 * halfway.
 */
export interface Database {
  sql(text: string): PreparedStatement;
  exec(text: string): void;
  transaction<T>(task: () => T): T;
  /**
   * Returns the number of rolled back transactions. Callers that cache written data discard it when this number
   * changes.
   */
  rollbackCount(): number;
  /**
   * Returns true if the files at its path are still the opened ones. SQLite continues to write to deleted files, and
   * that data is lost when the connection closes.
   */
  hasSameFiles(): boolean;
  close(): void;
}

/** Returns the constructor of `node:sqlite` if available, otherwise of `better-sqlite3`. */
const loadDriver = async (): Promise<(path: string) => Driver> => {
  try {
    const { DatabaseSync } = await import('node:sqlite');
    return (path) => new DatabaseSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_BUILTIN_MODULE')) throw error;
  }
  const { default: BetterSqlite } = await import('better-sqlite3');
  return (path) => {
    const database = new BetterSqlite(path);
    return {
      prepare: (sql) => database.prepare<SqlValue[], Row>(sql),
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
    };
  };
};

/** Opens a file. Its methods throw `StorageError` for errors of the disk and of the file. */
export const openDriver = async (path: string): Promise<Driver> => {
  const open = await loadDriver();
  const driver = withSqliteErrors(() => open(path));
  return {
    prepare(sql) {
      const statement = withSqliteErrors(() => driver.prepare(sql));
      return {
        all: (...values) => withSqliteErrors(() => statement.all(...values)),
        get: (...values) => withSqliteErrors(() => statement.get(...values)),
        run: (...values) => withSqliteErrors(() => statement.run(...values)),
      };
    },
    exec: (sql) => withSqliteErrors(() => driver.exec(sql)),
    close: () => driver.close(),
  };
};

/** Result code of a ROLLBACK without an active transaction. */
const NO_TRANSACTION_CODE = 'SQLITE_ERROR';

/**
 * Rolls back. On a full disk SQLite has already rolled back, so that ROLLBACK fails. This error is ignored, because the
 * caller rethrows the first one.
 */
const rollBack = (driver: Driver): void => {
  try {
    driver.exec('ROLLBACK');
  } catch (error) {
    if (sqliteResultCode(error) !== NO_TRANSACTION_CODE) throw error;
  }
};

const runInTransaction = <T>(driver: Driver, task: () => T): T => {
  driver.exec('BEGIN IMMEDIATE');
  try {
    const result = task();
    driver.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(driver);
    throw error;
  }
};

/** Identifies the files at a database's path by device and inode numbers. It takes microseconds. */
const fileIdentity = (path: string): string => {
  const identities = ['', '-wal', '-shm'].map((suffix) => {
    const stats = statSync(path + suffix, { throwIfNoEntry: false });
    return `${stats?.dev} ${stats?.ino}`;
  });
  return identities.join();
};

/** Opens a database file with the settings that every connection needs: durable writes, and readers that never wait. */
export const openSqliteDatabase = async (path: string): Promise<Database> => {
  const driver = await openDriver(path);
  // Changing the journal mode waits for other connections' locks only after a timeout is set, so the timeout comes
  // first.
  driver.exec('PRAGMA busy_timeout = 10000');
  driver.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000');
  // Creates all files.
  driver.exec('BEGIN IMMEDIATE; COMMIT');
  const openedFiles = fileIdentity(path);
  const statements = new Map<string, PreparedStatement>();
  let isOpen = true;
  let rollbacks = 0;
  return {
    sql(text) {
      const statement = statements.get(text) ?? driver.prepare(text);
      statements.set(text, statement);
      return statement;
    },
    exec: (text) => void driver.exec(text),
    transaction(task) {
      try {
        return runInTransaction(driver, task);
      } catch (error) {
        rollbacks += 1;
        throw error;
      }
    },
    rollbackCount: () => rollbacks,
    hasSameFiles() {
      try {
        return fileIdentity(path) === openedFiles;
      } catch {
        return false;
      }
    },
    close() {
      // `node:sqlite` throws at a second close.
      if (isOpen) driver.close();
      isOpen = false;
    },
  };
};
