// Transactions of writes: runs writing operations under the lock of the content or of one reader. Writes of the content
// that wait are committed together (group commit): they share the lock, the commit and the notification.

import type { Operation, SqlStatement } from '../sql/statements.ts';
import type { GuardedRun } from './circuit-breaker.ts';
import type { DatabaseConnection, Pool } from './connection-pool.ts';
import { withPostgresErrors } from './errors.ts';
import { EVENTS_APPENDED_STATEMENT } from './notifications.ts';
import { prepareStatement } from './prepared-statements.ts';
import { type ExecutedOnce, runOperation } from './run-operation.ts';
import { createStep, deferStatements, type RunStep } from './steps.ts';
import { runInTransaction } from './transaction.ts';

/** Advisory locks of transactions: the first number is the kind, the second the owner. */
const CONTENT_LOCK = 1;
const READER_LOCK = 2;

/** Locks the content, or the rows of one reader, until the end of the transaction. */
const LOCK_STATEMENT = prepareStatement('SELECT pg_advisory_xact_lock(CAST(? AS int), hashtext(?))');

/** Maximum number of writes of one transaction. The writes of other processes wait until it ends. */
const MAX_WRITES_PER_TRANSACTION = 10;

const SAVEPOINT = 'before_write';
const SET_SAVEPOINT: SqlStatement = { text: `SAVEPOINT ${SAVEPOINT}`, values: [], returns: 'nothing' };
const RELEASE_SAVEPOINT: SqlStatement = { text: `RELEASE SAVEPOINT ${SAVEPOINT}`, values: [], returns: 'nothing' };

/** A write of the content that waits. */
interface PendingWrite {
  /** When the write was requested, in milliseconds of `performance.now()`. */
  readonly requestedAt: number;
  /** Runs the statements of the write. Returns a function that reports its result, to be called after the commit. */
  readonly execute: (steps: WriteSteps) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Steps of a transaction that writes. */
interface WriteSteps {
  readonly run: RunStep;
  /** Sends the deferred statements. */
  readonly flush: () => Promise<void>;
  /** Drops the deferred statements, and rolls back to the last savepoint of `SET_SAVEPOINT`. */
  readonly rollBack: () => Promise<void>;
}

/** Creates the steps of a transaction. The first step that appends an event also notifies all processes. */
const createWriteSteps = (connection: DatabaseConnection, onResponse: () => void): WriteSteps => {
  const steps = deferStatements(createStep(connection, onResponse));
  let hasNotified = false;
  return {
    async run(queries) {
      if (!hasNotified && queries.some((query) => query.appendsEvent === true)) {
        hasNotified = true;
        // The database sends the notification after the commit.
        await steps.run([EVENTS_APPENDED_STATEMENT]);
      }
      return steps.run(queries);
    },
    flush: steps.flush,
    async rollBack() {
      hasNotified = false;
      // If the savepoint was not sent, neither were the statements after it. The database may have an earlier savepoint of this name.
      if (steps.discard().includes(SET_SAVEPOINT)) return;
      await connection.query(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`);
    },
  };
};

/** Runs one of several writes of a transaction. If it fails, only its own changes are rolled back. */
const executeInSavepoint = async (write: PendingWrite, steps: WriteSteps, executedOnce: ExecutedOnce): Promise<() => void> => {
  try {
    await steps.run([SET_SAVEPOINT]);
    const report = await withPostgresErrors(write.execute(steps));
    await steps.run([RELEASE_SAVEPOINT]);
    return report;
  } catch (error) {
    executedOnce.clear();
    // On a lost connection the transaction fails with the error that reported the loss.
    await steps.rollBack().catch(() => Promise.reject(error));
    return () => write.reject(error);
  }
};

/** Runs a function for the waiting items of a queue, in batches of limited size and one batch at a time. */
const createBatchQueue = <Item>(runBatch: (batch: readonly Item[]) => Promise<void>): ((item: Item) => void) => {
  const waiting: Item[] = [];
  let isRunning = false;
  const runAll = async () => {
    isRunning = true;
    while (waiting.length > 0) await runBatch(waiting.splice(0, MAX_WRITES_PER_TRANSACTION));
    isRunning = false;
  };
  return (item) => {
    waiting.push(item);
    if (!isRunning) void runAll();
  };
};

/** Runs an operation in a transaction. A write of the content waits in this process, and not at the database's lock. */
export type WriteInTransaction = <T>(operation: Operation<T>, readerId: string | undefined) => Promise<T>;

/** Creates the transactions of writes. `guard` limits the time for which they wait for the database. */
export const createWriteTransactions = (pool: Pool, guard: GuardedRun, executedOnce: ExecutedOnce): WriteInTransaction => {
  const runLocked = async <T>(
    lock: readonly [number, string],
    task: (steps: WriteSteps) => Promise<T>,
    requestedAt: number,
  ): Promise<T> => {
    const runAttempt = (onResponse: () => void) =>
      runInTransaction(
        pool,
        async (connection) => {
          onResponse();
          const result = await task(createWriteSteps(connection, onResponse));
          onResponse();
          return result;
        },
        { first: { ...LOCK_STATEMENT, values: lock } },
      );
    try {
      return await guard(runAttempt, requestedAt);
    } catch (error) {
      executedOnce.clear();
      throw error;
    }
  };

  const executeAll = async (writes: readonly PendingWrite[], steps: WriteSteps): Promise<(() => void)[]> => {
    const reports: (() => void)[] = [];
    for (const write of writes) reports.push(await executeInSavepoint(write, steps, executedOnce));
    return reports;
  };

  /** Runs an operation and sends its last statements. */
  const executeOperation = async <T>(operation: Operation<T>, steps: WriteSteps): Promise<T> => {
    const result = await runOperation(operation, steps.run, executedOnce);
    await steps.flush();
    return result;
  };

  const enqueue = createBatchQueue(async (writes: readonly PendingWrite[]) => {
    const [first, ...others] = writes;
    if (first === undefined) return;
    const execute = (steps: WriteSteps) =>
      others.length === 0 ? Promise.all([first.execute(steps)]) : executeAll(writes, steps);
    try {
      for (const report of await runLocked([CONTENT_LOCK, ''], execute, first.requestedAt)) report();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  });

  return <T>(operation: Operation<T>, readerId: string | undefined): Promise<T> => {
    const requestedAt = performance.now();
    if (readerId !== undefined)
      return runLocked([READER_LOCK, readerId], (steps) => executeOperation(operation, steps), requestedAt);
    return new Promise<T>((resolve, reject) => {
      const execute = async (steps: WriteSteps) => {
        const result = await executeOperation(operation, steps);
        return () => resolve(result);
      };
      enqueue({ requestedAt, execute, reject });
    });
  };
};
