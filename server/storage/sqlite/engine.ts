// SQLite engine: synchronous reads, queued writes, and detection of deleted or damaged files.

import { StorageError } from '../../lib/infrastructure-errors.ts';
import type { LogFn } from '../../lib/logger.ts';
import type { BusMessage } from '../ports/bus-message.ts';
import type { Engine } from '../sql/engine.ts';
import type { Operation, SqlStatement, StatementResult } from '../sql/statements.ts';
import type { Database } from './connection.ts';
import { createWriteQueue } from './write-queue.ts';

/** Interval of the check for writes of other processes. */
const POLL_INTERVAL_MS = 500;

/** How long a statement waits for the lock of another program, ms. It blocks the whole process. */
const BUSY_TIMEOUT_MS = 50;

const EMPTY_RESULT: StatementResult = { rows: [], changes: 0 };

/** Returns a function that runs the steps of a work on an open connection, synchronously. */
export const createOperationRunner = (database: Database): (<T>(work: Operation<T>) => T) => {
  // A rolled back transaction clears the memory of statements that already ran (`Query.once`).
  let said = new WeakSet<object>();
  let undone = 0;
  const isSaid = ({ once }: SqlStatement): boolean => {
    if (undone !== database.rollbackCount()) [said, undone] = [new WeakSet(), database.rollbackCount()];
    return once !== undefined && said.has(once);
  };
  const answer = ({ text, values, returns }: SqlStatement): StatementResult => {
    const statement = database.sql(text);
    if (returns === 'run') return { rows: [], changes: Number(statement.run(...values).changes) };
    if (returns === 'all') return { rows: statement.all(...values), changes: 0 };
    const row = statement.get(...values);
    return { rows: row ? [row] : [], changes: 0 };
  };
  const takeStep = (queries: readonly SqlStatement[]): StatementResult[] => {
    const answers = queries.map((query) => (isSaid(query) ? EMPTY_RESULT : answer(query)));
    for (const { once } of queries) if (once) said.add(once);
    return answers;
  };
  return (work) => {
    let step = work.next([]);
    while (!step.done) step = work.next(takeStep(step.value));
    return step.value;
  };
};

const FILES_REPLACED_MESSAGE =
  'The database under DATA_DIR was deleted or replaced, and nothing is answered from it: put the same files back, or stop the server, put a backup in place and start.';

const DAMAGED_MESSAGE =
  'The database under DATA_DIR is damaged, and what lies there cannot be answered: stop the server, put a backup in its place and start.';

/** Records an error that reports a damaged database, logs it once, and rethrows it. Damage does not disappear by itself. */
const createDamageGuard = (log: LogFn | undefined) => {
  let damage: Error | null = null;
  return {
    damage: () => damage,
    over<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof StorageError && error.kind === 'corrupt')) throw error;
        if (damage === null) log?.(DAMAGED_MESSAGE);
        damage = error;
        throw error;
      }
    },
  };
};

/** Returns a function that throws while the database's files are not the opened ones. It logs that once. */
const createFilesGuard = (database: Database, log: LogFn | undefined): (() => void) => {
  let isTold = false;
  return () => {
    const isThere = database.hasSameFiles();
    if (!isThere && !isTold) log?.(FILES_REPLACED_MESSAGE);
    isTold = !isThere;
    if (!isThere) throw new StorageError('unreachable', 'GONE', 'unable to open database file: it was deleted or replaced');
  };
};

/** Creates the engine on an open SQLite connection. */
export const createSqliteEngine = (database: Database, log?: LogFn): Engine => {
  const now = createOperationRunner(database);
  const requireFiles = createFilesGuard(database, log);
  const write = createWriteQueue();
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const { damage, over } = createDamageGuard(log);
  const listeners = new Set<() => void>();
  const subscribers = new Set<(message: BusMessage) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const dataVersion = () => {
    try {
      return database.sql('PRAGMA data_version').get()?.data_version;
    } catch {
      // Callers of other methods get the error; here it would end the process.
      return undefined;
    }
  };
  const look = () => {
    let seen = dataVersion();
    timer = setInterval(() => {
      const present = dataVersion();
      if (present !== seen) tell();
      seen = present;
    }, POLL_INTERVAL_MS).unref();
  };
  return {
    async read(work) {
      requireFiles();
      return over(() => now(work));
    },
    write: (work) =>
      write((begun) => {
        requireFiles();
        const result = over(() =>
          database.transaction(() => {
            begun();
            return now(work);
          }),
        );
        // A write is only acknowledged if its file still has a name.
        requireFiles();
        tell();
        return result;
      }),
    onChange(listener) {
      listeners.add(listener);
      if (listeners.size === 1) look();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
    async publish(message) {
      for (const subscriber of subscribers) subscriber(message);
    },
    subscribe(listener) {
      subscribers.add(listener);
      return () => void subscribers.delete(listener);
    },
    damage,
    async blockWrites() {
      await write(() => database.exec('BEGIN IMMEDIATE'));
      return async () => database.exec('ROLLBACK');
    },
    async close() {
      listeners.clear();
      subscribers.clear();
      clearInterval(timer);
      database.close();
    },
  };
};
