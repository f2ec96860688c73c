// PostgreSQL engine: reads, serialized writes, LISTEN/NOTIFY between processes, and locks.

import { mayReadReplica } from '../../lib/replica-scope.ts';
import type { Engine } from '../sql/engine.ts';
import { type GuardedRun, runWithoutLimit } from './circuit-breaker.ts';
import type { DatabaseConnection, Pool } from './connection-pool.ts';
import { withPostgresErrors } from './errors.ts';
import { createNotifications, publish } from './notifications.ts';
import type { Replica } from './replica.ts';
import { createExecutedOnce, runOperation } from './run-operation.ts';
import { createStep } from './steps.ts';
import { runInTransaction } from './transaction.ts';
import { createWriteTransactions } from './write-transactions.ts';

/** Runs reading operations in one transaction, on a snapshot of the database. No other transaction waits for it. */
export const withReadSnapshot = (pool: Pool, task: (snapshot: Pick<Engine, 'read'>) => Promise<void>): Promise<void> =>
  withPostgresErrors(
    runInTransaction(
      pool,
      (connection) => {
        const runStep = createStep(connection);
        return task({ read: (operation) => runOperation(operation, runStep, createExecutedOnce()) });
      },
      { isolation: 'isolation level repeatable read read only' },
    ),
  );

/** Blocks all writers by locking every table against writes. See `Engine.blockWrites`. */
const blockWrites = (pool: Pool): Promise<() => Promise<void>> =>
  new Promise((resolve, reject) => {
    const holdLocks = async (connection: DatabaseConnection) => {
      const { rows } = await connection.query<{ name: string }>(
        'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()',
      );
      await connection.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN SHARE MODE`);
      await new Promise<void>((release) =>
        resolve(async () => {
          release();
          await done;
        }),
      );
    };
    const done = withPostgresErrors(runInTransaction(pool, holdLocks));
    // After the promise has resolved, this has no effect: the returned function reports a later failure.
    done.catch(reject);
  });

/** Creates the engine on a pool whose schema is up to date. */
export const createPostgresEngine = (pool: Pool, run: GuardedRun = runWithoutLimit, replica: Replica | null = null): Engine => {
  const guard: GuardedRun = (task, since) => withPostgresErrors(run(task, since));
  const executedOnce = createExecutedOnce();
  const writeInTransaction = createWriteTransactions(pool, guard, executedOnce);
  const notifications = createNotifications(pool, () => replica?.invalidate());
  return {
    read: (operation) =>
      guard((onResponse) => {
        const onPrimary = createStep(pool, onResponse);
        return runOperation(
          operation,
          mayReadReplica() ? (replica?.preferReplica(onPrimary) ?? onPrimary) : onPrimary,
          executedOnce,
        );
      }),
    async write(operation, readerId) {
      const result = await writeInTransaction(operation, readerId);
      if (readerId === undefined) notifications.notifyListeners();
      return result;
    },
    onChange: notifications.onChange,
    publish: (message) => guard(() => publish(pool, message)),
    subscribe: notifications.subscribe,
    damage: () => null,
    isReplicaCurrent: () => replica?.isCurrent() ?? null,
    blockWrites: () => blockWrites(pool),
    async close() {
      notifications.stop();
      await Promise.all([pool.end(), replica?.close()]);
    },
  };
};
