// Retries with backoff: repeats calls of the store while the database cannot be reached, for imports.

import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionError } from '../lib/infrastructure-errors.ts';
import type { Store } from './ports/store.ts';

/** Milliseconds for which a call of an import is retried while the database cannot be reached. */
const RETRY_FOR_MS = 60_000;
/** First and maximum delay between two attempts, in milliseconds. Each delay is twice the previous one. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5000;

/** Methods that return at once and have no effect that could be lost. */
const SYNCHRONOUS_METHODS: ReadonlySet<string | symbol> = new Set(['onChange', 'subscribe', 'isReplicaCurrent', 'close']);

const isUnreachable = (error: unknown): boolean =>
  isConnectionError(error) || (error instanceof Error && 'code' in error && error.code === 'DATABASE_SILENT');

/**
 * Returns a store that retries calls while the database cannot be reached, for `retryForMs` each. After that, calls
 * fail with their error. Only for callers whose writes may be repeated, such as imports: a write may have succeeded
 * although its response was lost. `log` is called once for each outage, however many calls are retried.
 */
export function withRetries(store: Store, log: (line: string) => void, retryForMs = RETRY_FOR_MS): Store {
  let isOutageReported = false;
  const callWithRetries = async (call: () => Promise<unknown>): Promise<unknown> => {
    const deadline = performance.now() + retryForMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const result = await call();
        isOutageReported = false;
        return result;
      } catch (error) {
        if (!isUnreachable(error) || performance.now() + pauseMs > deadline) throw error;
        if (!isOutageReported) log('The database cannot be reached: trying again for a minute.');
        isOutageReported = true;
        await wait(pauseMs);
      }
    }
  };
  const wrapStore = (wrapped: Store): Store =>
    new Proxy(wrapped, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        const call = (...args: unknown[]): unknown => Reflect.apply(method, target, args);
        if (name === 'withAuditEntries') return (...args: unknown[]) => wrapStore(call(...args) as Store);
        return SYNCHRONOUS_METHODS.has(name) ? call : (...args: unknown[]) => callWithRetries(async () => call(...args));
      },
    });
  return wrapStore(store);
}
