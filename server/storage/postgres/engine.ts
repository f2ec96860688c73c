// PostgreSQL engine: reads, serialized writes, LISTEN/NOTIFY between processes, and locks.

import { mayReadReplica } from '../../lib/replica-scope.ts';
import { type BusMessage, formatBusMessage, parseBusMessage } from '../ports/bus-message.ts';
import type { Engine } from '../sql/engine.ts';
import type { Operation, SqlStatement } from '../sql/statements.ts';
import { type GuardedRun, runWithoutLimit } from './circuit-breaker.ts';
import type { DatabaseConnection, Pool } from './connection-pool.ts';
import { withPostgresErrors } from './errors.ts';
import { prepareStatement } from './prepared-statements.ts';
import type { Replica } from './replica.ts';
import { createStep, deferStatements, EMPTY_RESULT, type RunStep } from './steps.ts';
import { runInTransaction } from './transaction.ts';

/** Notification channel of the processes of one database. */
const NOTIFY_CHANNEL = 'changer_events';

/** Payload that reports appended events. Every other payload is a bus message. */
const EVENTS_APPENDED_PAYLOAD = '';

/**
 * Interval of the check for events even without a notification: a listening connection may be lost without an error.
 */
const POLL_INTERVAL_MS = 10_000;

/** Advisory locks of transactions: the first number is the kind, the second the owner. */
const CONTENT_LOCK = 1;
const READER_LOCK = 2;

/**
 * Remembers statements with a permanent effect (see `SqlStatement.skipIfExecutedFor`), until a transaction is rolled
 * back.
 */
const createExecutedOnce = () => {
  let executed = new WeakSet<object>();
  return {
    has: ({ skipIfExecutedFor }: SqlStatement): boolean => skipIfExecutedFor !== undefined && executed.has(skipIfExecutedFor),
    addAll: (queries: readonly SqlStatement[]): void => {
      for (const { skipIfExecutedFor } of queries) if (skipIfExecutedFor) executed.add(skipIfExecutedFor);
    },
    clear: (): void => {
      executed = new WeakSet();
    },
  };
};
type ExecutedOnce = ReturnType<typeof createExecutedOnce>;

/** Runs the steps of an operation. The statements of one step are sent together. */
const runOperation = async <T>(operation: Operation<T>, runStep: RunStep, executedOnce: ExecutedOnce): Promise<T> => {
  let step = operation.next([]);
  while (!step.done) {
    const queries = step.value;
    const due = queries.filter((query) => !executedOnce.has(query));
    const results = due.length === 0 ? [] : await runStep(due);
    executedOnce.addAll(queries);
    let next = 0;
    step = operation.next(queries.map((query) => (query === due[next] ? (results[next++] ?? EMPTY_RESULT) : EMPTY_RESULT)));
  }
  return step.value;
};

/** Creates a queue that runs functions one after another, whatever their results. */
const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task, task);
    last = result.catch(() => {});
    return result;
  };
};

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

/** Locks the content, or the rows of one reader, until the end of the transaction. */
const LOCK_STATEMENT = prepareStatement('SELECT pg_advisory_xact_lock(CAST(? AS int), hashtext(?))');

const NOTIFY = 'SELECT pg_notify(?, ?)';
const NOTIFY_STATEMENT = prepareStatement(NOTIFY);

/** Notifies all processes of appended events, after the commit of the transaction. */
const EVENTS_APPENDED_STATEMENT: SqlStatement = {
  text: NOTIFY,
  values: [NOTIFY_CHANNEL, EVENTS_APPENDED_PAYLOAD],
  returns: 'nothing',
};

const notify = async (connection: DatabaseConnection, payload: string): Promise<void> => {
  await connection.query(NOTIFY_STATEMENT.text, [NOTIFY_CHANNEL, payload], NOTIFY_STATEMENT.name);
};

/** Runs writing operations in transactions, under the lock of the content or of one reader. */
const createTransactions = (pool: Pool, guard: GuardedRun, executedOnce: ExecutedOnce) => {
  // Writes of this process wait here and not at the database's lock, where each of them would occupy a connection.
  const enqueue = createSerialQueue();
  const runAttempt = <T>(operation: Operation<T>, readerId: string | undefined, onResponse: () => void): Promise<T> => {
    const lock = readerId === undefined ? [CONTENT_LOCK, ''] : [READER_LOCK, readerId];
    return runInTransaction(
      pool,
      async (connection) => {
        onResponse();
        const steps = deferStatements(createStep(connection, onResponse));
        let hasNotified = false;
        const runStep: RunStep = async (queries) => {
          if (hasNotified || !queries.some((query) => query.appendsEvent === true)) return steps.run(queries);
          hasNotified = true;
          // The database sends the notification after the commit.
          await steps.run([EVENTS_APPENDED_STATEMENT]);
          return steps.run(queries);
        };
        const result = await runOperation(operation, runStep, executedOnce);
        await steps.flush();
        onResponse();
        return result;
      },
      { first: { ...LOCK_STATEMENT, values: lock } },
    );
  };
  return async <T>(operation: Operation<T>, readerId: string | undefined): Promise<T> => {
    const requestedAt = performance.now();
    const attempt = () => guard((onResponse) => runAttempt(operation, readerId, onResponse), requestedAt);
    try {
      return await (readerId === undefined ? enqueue(attempt) : attempt());
    } catch (error) {
      executedOnce.clear();
      throw error;
    }
  };
};

/** Receives the notifications of all processes, from the first listener on. `onNotification` is called before the listeners. */
const createNotifications = (pool: Pool, onNotification: () => void) => {
  const listeners = new Set<() => void>();
  const subscribers = new Set<(message: BusMessage) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isListening = false;
  const notifyListeners = () => {
    onNotification();
    for (const listener of listeners) listener();
  };
  const receive = (payload: string) => {
    if (payload === EVENTS_APPENDED_PAYLOAD) return notifyListeners();
    onNotification();
    const message = parseBusMessage(payload);
    if (message !== null) for (const subscriber of subscribers) subscriber(message);
  };
  const listen = () => {
    if (isListening) return;
    isListening = true;
    // The listeners are also called when a lost connection is back, because something may have happened meanwhile.
    pool.listen(NOTIFY_CHANNEL, receive, notifyListeners);
    timer = setInterval(notifyListeners, POLL_INTERVAL_MS).unref();
  };
  return {
    notifyListeners,
    onChange(listener: () => void) {
      listeners.add(listener);
      listen();
      return () => void listeners.delete(listener);
    },
    subscribe(subscriber: (message: BusMessage) => void) {
      subscribers.add(subscriber);
      listen();
      return () => void subscribers.delete(subscriber);
    },
    stop() {
      listeners.clear();
      subscribers.clear();
      clearInterval(timer);
    },
  };
};

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
  const writeInTransaction = createTransactions(pool, guard, executedOnce);
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
    publish: (message) => guard(() => notify(pool, formatBusMessage(message))),
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
