/// <reference path="./node-sqlite.d.ts" />

import { statSync } from 'node:fs';
import type { Row, Value } from '../sql/statements.ts';

/** The part of a prepared statement that Node's own SQLite and better-sqlite3 spell alike. */
export interface Statement {
  all(...values: Value[]): Row[];
  get(...values: Value[]): Row | undefined;
  run(...values: Value[]): { changes: number | bigint };
}

/** A connection as the drivers spell it alike, without settings of ours. */
export interface Driver {
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  close(): unknown;
}

/** An open SQLite connection. Statements are prepared once; transactions take the write lock at once, so that none fails halfway. */
export interface Database {
  sql(text: string): Statement;
  exec(text: string): void;
  transaction<T>(work: () => T): T;
  /** Counts transactions that were undone: whoever remembers what was written forgets it then. */
  undone(): number;
  /** Whether its files are still those that were opened: SQLite goes on in deleted ones, of which nothing is left at its end. */
  isThere(): boolean;
  close(): void;
}

/** Opens a file, by Node's own SQLite where there is one. */
export const drive = async (path: string): Promise<Driver> => {
  try {
    const { DatabaseSync } = await import('node:sqlite');
    return new DatabaseSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_BUILTIN_MODULE')) throw error;
  }
  const { default: BetterSqlite } = await import('better-sqlite3');
  const opened = new BetterSqlite(path);
  return {
    prepare: (sql) => opened.prepare<Value[], Row>(sql),
    exec: (sql) => opened.exec(sql),
    close: () => opened.close(),
  };
};

/** On a full disk SQLite has undone it by itself, and says so: what is told is the first error. */
const rollBack = (driver: Driver): void => {
  try {
    driver.exec('ROLLBACK');
  } catch (error) {
    if (!/no transaction is active/.test(String(error))) throw error;
  }
};

const within = <T>(driver: Driver, work: () => T): T => {
  driver.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    driver.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(driver);
    throw error;
  }
};

/** Which files lie at a database's path, by the system's own numbers: microseconds to ask. */
const filesAt = (path: string): string => {
  const numbers = ['', '-wal', '-shm'].map((end) => {
    const found = statSync(path + end, { throwIfNoEntry: false });
    return `${found?.dev} ${found?.ino}`;
  });
  return numbers.join();
};

/** Opens a database file with the settings that every connection needs: durable writes, readers that never wait. */
export const openDatabase = async (path: string): Promise<Database> => {
  const driver = await drive(path);
  // Changing the journal mode does not wait for other connections' locks unless told to, so the timeout comes first.
  driver.exec('PRAGMA busy_timeout = 10000');
  driver.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000');
  // A write that changes nothing: a read-only place is told now, not at the first post, and every file is there from now on.
  driver.exec('BEGIN IMMEDIATE; COMMIT');
  const opened = filesAt(path);
  const prepared = new Map<string, Statement>();
  let isOpen = true;
  let undone = 0;
  return {
    sql(text) {
      const statement = prepared.get(text) ?? driver.prepare(text);
      prepared.set(text, statement);
      return statement;
    },
    exec: (text) => void driver.exec(text),
    transaction(work) {
      try {
        return within(driver, work);
      } catch (error) {
        undone += 1;
        throw error;
      }
    },
    undone: () => undone,
    isThere() {
      try {
        return filesAt(path) === opened;
      } catch {
        return false;
      }
    },
    close() {
      // Node's own SQLite throws at a second close.
      if (isOpen) driver.close();
      isOpen = false;
    },
  };
};
