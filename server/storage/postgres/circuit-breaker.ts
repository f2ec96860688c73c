// Circuit breaker for PostgreSQL: statement timeouts, a health probe, and fast failure while the database does not
// respond.

import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createDatabaseTimeoutError, isConnectionError, type StorageError } from '../../lib/infrastructure-errors.ts';

/** Maximum milliseconds that a task of the server waits for a response of the database. */
export const DATABASE_TIMEOUT_MS = 10_000;

/** Milliseconds after which a waiting task causes a probe of the database, and after which that probe fails. */
const PROBE_TIMEOUT_MS = 800;

/** Milliseconds for reading a response to the probe that has already arrived. */
const PROBE_GRACE_MS = PROBE_TIMEOUT_MS / 10;

/** Interval in milliseconds at which waiting tasks are checked. */
const CHECK_INTERVAL_MS = 200;

/**
 * Runs a task that queries the database. The task calls `onResponse` after each response. `onResponse` throws if the
 * task was abandoned meanwhile. `since` is when the task was requested, in milliseconds of `performance.now()`, by
 * default now.
 */
export type GuardedRun = <T>(task: (onResponse: () => void) => Promise<T>, since?: number) => Promise<T>;

/** A `GuardedRun` that knows whether an abandoned task still waits for a response. */
export interface CircuitBreaker {
  readonly run: GuardedRun;
  readonly hasOverdueStatement: () => boolean;
}

/** Waits without a limit, because an administrator's task may take long. */
export const runWithoutLimit: GuardedRun = (task) => task(() => {});

const silentError = (): StorageError => createDatabaseTimeoutError('The database does not respond.');

/** Returns a function that resolves to whether `connect` succeeds in time. Concurrent callers share one probe. */
const createProbe = (connect: () => Promise<unknown>): (() => Promise<boolean>) => {
  let pendingProbe: Promise<boolean> | null = null;
  const probe = async (): Promise<boolean> => {
    const response = connect().then(
      () => true,
      // "Too many connections" is a response; a lost connection is not.
      (error: unknown) => !isConnectionError(error),
    );
    const result = await Promise.race([response, wait(PROBE_TIMEOUT_MS, null, { ref: false })]);
    if (result !== null) return result;
    // A response may have arrived unread, if this process itself was blocked.
    await yieldToEventLoop();
    return Promise.race([response, wait(PROBE_GRACE_MS, false, { ref: false })]);
  };
  return () => {
    pendingProbe ??= probe().finally(() => {
      pendingProbe = null;
    });
    return pendingProbe;
  };
};

/** A task that waits for a response. */
interface PendingTask {
  lastResponseAt: number;
  readonly fail: () => void;
}

/**
 * Rejects tasks to which a silent database does not respond: a suspended process, or a network that drops packets,
 * causes no error. While a task waits, the database is probed on a new connection (`connect`). If the probe gets no
 * response either, the database is silent, and the task fails within two seconds. If the probe succeeds (a statement is
 * slow, or another one holds a lock), the task waits for `timeoutMs`. A failed task occupies its connection until the
 * response arrives, and then stops. While the database is silent, one task at a time tries it. All others fail at once,
 * because they would only wait in a queue.
 */
export const createCircuitBreaker = (timeoutMs: number, connect: () => Promise<unknown>): CircuitBreaker => {
  const probe = createProbe(connect);
  const waiting = new Set<PendingTask>();
  let abandonedCount = 0;
  let silentAt: number | null = null;
  let isRetrying = false;

  const inspect = async (): Promise<void> => {
    const silentMsOf = ({ lastResponseAt }: PendingTask): number => performance.now() - lastResponseAt;
    if (![...waiting].some((pendingTask) => silentMsOf(pendingTask) >= PROBE_TIMEOUT_MS)) return;
    const responds = await probe();
    const overdue = [...waiting].filter((pendingTask) => silentMsOf(pendingTask) >= (responds ? timeoutMs : PROBE_TIMEOUT_MS));
    if (!responds && overdue.length > 0) silentAt ??= performance.now();
    for (const pendingTask of overdue) pendingTask.fail();
  };

  setInterval(() => void inspect(), CHECK_INTERVAL_MS).unref();

  const guardedRun: GuardedRun = async (task, since = performance.now()) => {
    const isRetry = silentAt !== null;
    if (silentAt !== null && (isRetrying || since < silentAt)) throw silentError();
    isRetrying ||= isRetry;
    let isAbandoned = false;
    let pendingTask: PendingTask | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      pendingTask = {
        lastResponseAt: performance.now(),
        fail() {
          isAbandoned = true;
          reject(silentError());
        },
      };
      waiting.add(pendingTask);
    });
    const onResponse = () => {
      silentAt = null;
      if (pendingTask) pendingTask.lastResponseAt = performance.now();
      if (isAbandoned) throw silentError();
    };
    const pending = task(onResponse);
    try {
      return await Promise.race([pending, timeout]);
    } finally {
      if (pendingTask) waiting.delete(pendingTask);
      if (isRetry) isRetrying = false;
      if (isAbandoned) {
        abandonedCount += 1;
        const release = () => {
          abandonedCount -= 1;
        };
        pending.then(release, release);
      }
    }
  };
  return { run: guardedRun, hasOverdueStatement: () => abandonedCount > 0 };
};
