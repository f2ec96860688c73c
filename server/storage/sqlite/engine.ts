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

/** Maximum time that a statement waits for the lock of another program, ms. The wait blocks the complete process. */
const BUSY_TIMEOUT_MS = 50;

const EMPTY_RESULT: StatementResult = { rows: [], changes: 0 };

/** Returns a function that runs the steps of an operation on an open connection, synchronously. */
export const createOperationRunner = (database: Database): (<T>(operation: Operation<T>) => T) => {
  // Objects of executed statements (`SqlStatement.skipIfExecutedFor`). A rollback clears them.
  let executed = new WeakSet<object>();
  let rollbacks = 0;
  const wasExecuted = ({ skipIfExecutedFor }: SqlStatement): boolean => {
    if (rollbacks !== database.rollbackCount()) [executed, rollbacks] = [new WeakSet(), database.rollbackCount()];
    return skipIfExecutedFor !== undefined && executed.has(skipIfExecutedFor);
  };
  const execute = ({ text, values, returns }: SqlStatement): StatementResult => {
    const statement = database.sql(text);
    if (returns === 'changeCount' || returns === 'nothing')
      return { rows: [], changes: Number(statement.run(...values).changes) };
    if (returns === 'rows') return { rows: statement.all(...values), changes: 0 };
    const row = statement.get(...values);
    return { rows: row ? [row] : [], changes: 0 };
  };
  const runStep = (queries: readonly SqlStatement[]): StatementResult[] => {
    const results = queries.map((query) => (wasExecuted(query) ? EMPTY_RESULT : execute(query)));
    for (const { skipIfExecutedFor } of queries) if (skipIfExecutedFor) executed.add(skipIfExecutedFor);
    return results;
  };
  return (operation) => {
    let step = operation.next([]);
    while (!step.done) step = operation.next(runStep(step.value));
    return step.value;
  };
};

const FILES_REPLACED_MESSAGE =
  'The database under DATA_DIR was deleted or replaced, so no request can use it: put the same files back, or stop the server, put a backup in place and start it.';

const DAMAGED_MESSAGE =
  'The database under DATA_DIR is damaged, so requests for the damaged data fail: stop the server, put a backup in its place and start it.';

/**
 * Creates a guard that stores an error about a damaged database, logs it once, and rethrows it. Damage is permanent.
 */
const createDamageGuard = (log: LogFn | undefined) => {
  let damage: Error | null = null;
  return {
    damage: () => damage,
    guard<T>(task: () => T): T {
      try {
        return task();
      } catch (error) {
        if (!(error instanceof StorageError && error.kind === 'corrupt')) throw error;
        if (damage === null) log?.(DAMAGED_MESSAGE);
        damage = error;
        throw error;
      }
    },
  };
};

/**
 * Returns a function that throws while the database's files are not the opened ones. It logs each change to that state
 * once.
 */
const createFilesGuard = (database: Database, log: LogFn | undefined): (() => void) => {
  let isReported = false;
  return () => {
    const isPresent = database.hasSameFiles();
    if (!isPresent && !isReported) log?.(FILES_REPLACED_MESSAGE);
    isReported = !isPresent;
    if (!isPresent) throw new StorageError('unreachable', 'GONE', 'unable to open database file: it was deleted or replaced');
  };
};

/** Creates the engine on an open SQLite connection. */
export const createSqliteEngine = (database: Database, log?: LogFn): Engine => {
  const runOperation = createOperationRunner(database);
  const requireFiles = createFilesGuard(database, log);
  const write = createWriteQueue();
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const { damage, guard } = createDamageGuard(log);
  const listeners = new Set<() => void>();
  const subscribers = new Set<(message: BusMessage) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  const dataVersion = () => {
    try {
      return database.sql('PRAGMA data_version').get()?.data_version;
    } catch {
      // The other methods report the error to their callers. In a timer, it would end the process.
      return undefined;
    }
  };
  const startPolling = () => {
    let lastVersion = dataVersion();
    timer = setInterval(() => {
      const version = dataVersion();
      if (version !== lastVersion) notifyListeners();
      lastVersion = version;
    }, POLL_INTERVAL_MS).unref();
  };
  return {
    async read(operation) {
      requireFiles();
      return guard(() => runOperation(operation));
    },
    write: (operation) =>
      write((onBegin) => {
        requireFiles();
        const result = guard(() =>
          database.transaction(() => {
            onBegin();
            return runOperation(operation);
          }),
        );
        // Checks again: a write to a file that was deleted in the meantime must not be acknowledged.
        requireFiles();
        notifyListeners();
        return result;
      }),
    onChange(listener) {
      listeners.add(listener);
      if (listeners.size === 1) startPolling();
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
    isReplicaCurrent: () => null,
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
