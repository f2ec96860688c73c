// Circuit breaker for PostgreSQL: statement timeouts, a health probe, and fast failure while the database does not respond.

import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { databaseSilentError, isConnectionError, type StorageError } from '../../lib/infrastructure-errors.ts';

/** How long the database may leave the server's own work without a response, ms. */
export const DATABASE_TIMEOUT_MS = 10_000;

/**
 * Work that waits for this long triggers a probe of the database. Without a response in the same time, the probe has failed. Ms.
 */
const PROBE_TIMEOUT_MS = 800;

/** How often waiting work is checked, ms. */
const CHECK_INTERVAL_MS = 200;

/** Runs work that queries the database. It calls `heard` after each response, which throws if the response came too late. */
export type GuardedRun = <T>(act: (heard: () => void) => Promise<T>, since?: number) => Promise<T>;

/** A `Patience` that knows whether abandoned work still waits for a response. */
export interface CircuitBreaker {
  readonly run: GuardedRun;
  readonly hasOverdueStatement: () => boolean;
}

/** Waits without a limit, because an administrator's work may take long. */
export const runWithoutLimit: GuardedRun = (act) => act(() => {});

const silentError = (): StorageError => databaseSilentError('The database says nothing, and is not waited for.');

/** Returns a function that resolves to whether `ask` succeeds in time. Concurrent callers share one probe. */
const createProbe = (ask: () => Promise<unknown>): (() => Promise<boolean>) => {
  let underWay: Promise<boolean> | null = null;
  const probe = async (): Promise<boolean> => {
    const asked = ask().then(
      () => true,
      // "Too many connections" is a response; a lost connection is not.
      (error: unknown) => !isConnectionError(error),
    );
    const inTime = await Promise.race([asked, wait(PROBE_TIMEOUT_MS, null, { ref: false })]);
    if (inTime !== null) return inTime;
    // A response may have arrived unread, if this process itself was blocked.
    await breathe();
    return Promise.race([asked, wait(PROBE_TIMEOUT_MS / 10, false, { ref: false })]);
  };
  return () => {
    underWay ??= probe().finally(() => {
      underWay = null;
    });
    return underWay;
  };
};

/** Work that waits for a response. */
interface PendingWork {
  lastResponseAt: number;
  readonly fail: () => void;
}

/**
 * Rejects work to which a silent database does not respond: a suspended process, or a network that drops packets, causes no
 * error. While work waits, the database is probed on a new connection (`ask`). If the probe gets no response either, the database
 * is silent, and the work fails within two seconds. If the probe succeeds (a statement is slow, or another one holds a lock), the
 * work waits for `limit` ms. A failed work occupies its connection until the response comes, and then stops. While the database
 * is silent, one work at a time tries it. All others fail at once, because they would only wait in a queue.
 */
export const createCircuitBreaker = (limit: number, ask: () => Promise<unknown>): CircuitBreaker => {
  const probe = createProbe(ask);
  const waiting = new Set<PendingWork>();
  let givenUp = 0;
  let silentAt: number | null = null;
  let isTrying = false;

  const inspect = async (): Promise<void> => {
    const waited = ({ lastResponseAt }: PendingWork): number => performance.now() - lastResponseAt;
    if (![...waiting].some((work) => waited(work) >= PROBE_TIMEOUT_MS)) return;
    const isAnswered = await probe();
    const late = [...waiting].filter((work) => waited(work) >= (isAnswered ? limit : PROBE_TIMEOUT_MS));
    if (!isAnswered && late.length > 0) silentAt ??= performance.now();
    for (const work of late) work.fail();
  };

  setInterval(() => void inspect(), CHECK_INTERVAL_MS).unref();

  const patience: GuardedRun = async (act, since = performance.now()) => {
    const isTry = silentAt !== null;
    if (silentAt !== null && (isTrying || since < silentAt)) throw silentError();
    isTrying ||= isTry;
    let isOver = false;
    let work: PendingWork | undefined;
    const late = new Promise<never>((_, fail) => {
      work = {
        lastResponseAt: performance.now(),
        fail() {
          isOver = true;
          fail(silentError());
        },
      };
      waiting.add(work);
    });
    const heard = () => {
      silentAt = null;
      if (work) work.lastResponseAt = performance.now();
      if (isOver) throw silentError();
    };
    const acting = act(heard);
    try {
      return await Promise.race([acting, late]);
    } finally {
      if (work) waiting.delete(work);
      if (isTry) isTrying = false;
      if (isOver) {
        givenUp += 1;
        const end = () => {
          givenUp -= 1;
        };
        acting.then(end, end);
      }
    }
  };
  return { run: patience, hasOverdueStatement: () => givenUp > 0 };
};
