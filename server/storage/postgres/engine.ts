// PostgreSQL engine: reads, serialized writes, LISTEN/NOTIFY between processes, and locks.

import { type BusMessage, formatBusMessage, parseBusMessage } from '../ports/bus-message.ts';
import type { Engine } from '../sql/engine.ts';
import type { Operation, SqlStatement, StatementResult } from '../sql/statements.ts';
import { type GuardedRun, runWithoutLimit } from './circuit-breaker.ts';
import { execute, type Pool, runInTransaction, type TransactionSql } from './connection.ts';
import { withPostgresErrors } from './errors.ts';

const EMPTY_RESULT: StatementResult = { rows: [], changes: 0 };

/** Notification channel of the processes of one database. */
const NOTIFY_CHANNEL = 'changer_events';

/** Payload that reports appended events. Every other payload is a bus message. */
const EVENTS_APPENDED_PAYLOAD = '';

/** Interval of the check for events even without a notification: a listening connection may be dead without a sign. */
const POLL_INTERVAL_MS = 10_000;

/** Advisory locks of transactions: the first number is the kind, the second the owner. */
const CONTENT_LOCK = 1;
const READER_LOCK = 2;

type Send = (query: SqlStatement) => Promise<StatementResult>;

/** Returns a function that sends statements and calls `heard` after each response. */
const createSend =
  (connection: Pool | TransactionSql, heard: () => void): Send =>
  async (query) => {
    const said = await execute(connection, query);
    heard();
    return said;
  };

/** Remembers statements with a permanent effect (see `Query.once`), until a transaction is rolled back. */
const createExecutedOnce = () => {
  let said = new WeakSet<object>();
  return {
    isSaid: ({ once }: SqlStatement): boolean => once !== undefined && said.has(once),
    note: (queries: readonly SqlStatement[]): void => {
      for (const { once } of queries) if (once) said.add(once);
    },
    forget: (): void => {
      said = new WeakSet();
    },
  };
};
type ExecutedOnce = ReturnType<typeof createExecutedOnce>;

/** Runs the steps of a work. The statements of one step are sent together. */
const runOperation = async <T>(work: Operation<T>, send: Send, memory: ExecutedOnce): Promise<T> => {
  let step = work.next([]);
  while (!step.done) {
    const queries = step.value;
    const answers = await Promise.all(queries.map((query) => (memory.isSaid(query) ? EMPTY_RESULT : send(query))));
    memory.note(queries);
    step = work.next(answers);
  }
  return step.value;
};

/** Creates a queue that runs functions one after another, whatever their results. */
const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act, act);
    last = done.catch(() => {});
    return done;
  };
};

/** Runs reading work in one transaction, on a snapshot of the database. No other transaction waits for it. */
export const withReadSnapshot = (pool: Pool, act: (moment: Pick<Engine, 'read'>) => Promise<void>): Promise<void> =>
  withPostgresErrors(
    runInTransaction(
      pool,
      (connection, demand) => {
        const send = async (query: SqlStatement) => {
          demand();
          return execute(connection, query);
        };
        return act({ read: (work) => runOperation(work, send, createExecutedOnce()) });
      },
      'isolation level repeatable read read only',
    ),
  );

/** Creates the engine on a pool whose schema is up to date. */
export const createPostgresEngine = (pool: Pool, run: GuardedRun = runWithoutLimit): Engine => {
  const patience: GuardedRun = (act, since) => withPostgresErrors(run(act, since));
  const memory = createExecutedOnce();
  // Writes of this process wait here and not at the database's lock, where each of them would occupy a connection.
  const inTurn = createSerialQueue();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  const inTransaction = <T>(work: Operation<T>, readerId: string | undefined, heard: () => void): Promise<T> => {
    let isTold = false;
    return runInTransaction(pool, async (connection) => {
      heard();
      const lock = readerId === undefined ? [CONTENT_LOCK, ''] : [READER_LOCK, readerId];
      await connection`SELECT pg_advisory_xact_lock(${lock[0] ?? 0}::int, hashtext(${lock[1] ?? ''}::text))`;
      heard();
      const send = createSend(connection, heard);
      const result = await runOperation(
        work,
        (query) => {
          isTold ||= query.appendsEvent === true;
          return send(query);
        },
        memory,
      );
      if (isTold) await connection`SELECT pg_notify(${NOTIFY_CHANNEL}, ${EVENTS_APPENDED_PAYLOAD})`;
      heard();
      return result;
    });
  };
  const transaction = async <T>(work: Operation<T>, readerId: string | undefined): Promise<T> => {
    const asked = performance.now();
    const act = () => patience((heard) => inTransaction(work, readerId, heard), asked);
    try {
      return await (readerId === undefined ? inTurn(act) : act());
    } catch (error) {
      memory.forget();
      throw error;
    }
  };

  const subscribers = new Set<(message: BusMessage) => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isListening = false;
  const listen = () => {
    if (isListening) return;
    isListening = true;
    const receive = (payload: string) => {
      if (payload === EVENTS_APPENDED_PAYLOAD) return tell();
      const message = parseBusMessage(payload);
      if (message !== null) for (const subscriber of subscribers) subscriber(message);
    };
    // The listeners are also called when a lost connection is back, because something may have happened meanwhile. Without a
    // database the error has no recipient: the driver retries.
    pool.listen(NOTIFY_CHANNEL, receive, tell).catch(() => {});
    timer = setInterval(tell, POLL_INTERVAL_MS).unref();
  };

  return {
    read: (work) => patience((heard) => runOperation(work, createSend(pool, heard), memory)),
    async write(work, readerId) {
      const result = await transaction(work, readerId);
      if (readerId === undefined) tell();
      return result;
    },
    onChange(listener) {
      listeners.add(listener);
      listen();
      return () => void listeners.delete(listener);
    },
    publish: async (message) => void (await patience(() => pool.notify(NOTIFY_CHANNEL, formatBusMessage(message)))),
    subscribe(listener) {
      subscribers.add(listener);
      listen();
      return () => void subscribers.delete(listener);
    },
    damage: () => null,
    blockWrites: () =>
      new Promise((held, failed) => {
        const hold = async (connection: TransactionSql) => {
          const tables =
            await connection`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`;
          await connection.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN SHARE MODE`);
          await new Promise<void>((letGo) =>
            held(async () => {
              letGo();
              await done;
            }),
          );
        };
        const done = withPostgresErrors(runInTransaction(pool, hold));
        // A later failure is reported by the returned function.
        done.catch(failed);
      }),
    async close() {
      listeners.clear();
      subscribers.clear();
      clearInterval(timer);
      await pool.end({ timeout: 5 });
    },
  };
};
