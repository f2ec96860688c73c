/// <reference path="./node-sqlite.d.ts" />

/** What a statement takes. */
export type Value = string | number | null;

/** A row as SQLite answers one. */
export type Row = Record<string, string | number | null>;

/** The part of a prepared statement that Node's own SQLite and better-sqlite3 spell alike. */
export interface Statement {
  all(...values: Value[]): Row[];
  get(...values: Value[]): Row | undefined;
  /** Gives rows as they are taken; until then the connection does nothing else. */
  iterate(...values: Value[]): Iterable<Row>;
  run(...values: Value[]): { changes: number | bigint };
}

interface Driver {
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
  close(): void;
}

const drive = async (path: string): Promise<Driver> => {
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

const within = <T>(driver: Driver, work: () => T): T => {
  driver.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    driver.exec('COMMIT');
    return result;
  } catch (error) {
    driver.exec('ROLLBACK');
    throw error;
  }
};

/** Opens a database file with the settings that every connection needs: durable writes, readers that never wait. */
export const openDatabase = async (path: string): Promise<Database> => {
  const driver = await drive(path);
  // Changing the journal mode does not wait for other connections' locks unless told to, so the timeout comes first.
  driver.exec('PRAGMA busy_timeout = 10000');
  driver.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000');
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
    close() {
      // Node's own SQLite throws at a second close.
      if (isOpen) driver.close();
      isOpen = false;
    },
  };
};

/** Reads a column that the schema promises to be text. */
export const text = (row: Row, column: string): string => String(row[column] ?? '');

/** Reads a column that the schema promises to be a number. */
export const integer = (row: Row, column: string): number => Number(row[column] ?? 0);

/** Puts a column under a key unless it is null: absent stays absent. */
export const present = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> => {
  const out: Partial<Record<K, V>> = {};
  if (value !== null && value !== undefined) out[key] = value;
  return out;
};
