// PostgreSQL transactions: all statements of a transaction run on one connection, and no other statement does.

import type { SqlValue } from '../sql/statements.ts';
import type { AcquiredConnection, DatabaseConnection, Pool } from './connection-pool.ts';
import type { NamedStatement } from './prepared-statements.ts';

interface TransactionOptions {
  /** SQL clause such as `isolation level repeatable read`. */
  readonly isolation?: string;
  /** Statement that is sent together with `BEGIN`. It must change nothing. */
  readonly first?: NamedStatement & { readonly values: readonly SqlValue[] };
}

/** Begins a transaction. Rejects before any other statement is sent if one of these fails. */
const begin = async (connection: DatabaseConnection, { isolation = '', first }: TransactionOptions): Promise<void> => {
  const statements = [connection.query(`BEGIN ${isolation}`)];
  if (first !== undefined) statements.push(connection.query(first.text, first.values, first.name));
  await Promise.all(statements);
};

/** Commits. If a statement failed and the task ignored that, PostgreSQL rolls back without an error. */
const commit = async (connection: DatabaseConnection): Promise<void> => {
  const { command } = await connection.query('COMMIT');
  if (command !== 'COMMIT') throw Object.assign(new Error('A statement of the transaction failed.'), { code: '25P02' });
};

/** Runs a task with a connection that rejects every statement after the task has ended. */
const runTask = async <T>(connection: DatabaseConnection, task: (connection: DatabaseConnection) => Promise<T>): Promise<T> => {
  let isOver = false;
  const assertOpen = () => {
    if (isOver) throw new Error('The transaction has ended.');
  };
  try {
    return await task({
      query: async (...args) => {
        assertOpen();
        return connection.query(...args);
      },
      queryAll: async (...args) => {
        assertOpen();
        return connection.queryAll(...args);
      },
    });
  } finally {
    isOver = true;
  }
};

const runOn = async <T>(
  connection: AcquiredConnection,
  task: (connection: DatabaseConnection) => Promise<T>,
  options: TransactionOptions,
): Promise<T> => {
  try {
    await begin(connection, options);
    const result = await runTask(connection, task);
    await commit(connection);
    return result;
  } catch (error) {
    // Statements of the task may still be running. Their results arrive before that of this one.
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
};

/**
 * Runs `task` in one transaction. Rejects with the task's error after the transaction was rolled back. If a statement
 * or the commit rejects because the connection is lost, the transaction has no effect, except that a lost commit may
 * have succeeded. A connection whose transaction did not end is closed.
 */
export const runInTransaction = async <T>(
  pool: Pool,
  task: (connection: DatabaseConnection) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  const connection = await pool.acquire();
  try {
    return await runOn(connection, task, options);
  } finally {
    connection.release();
  }
};
