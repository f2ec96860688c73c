import { setTimeout as wait } from 'node:timers/promises';
import { createDatabaseTimeoutError } from './infrastructure-errors.ts';

/** Timeout of health checks, metrics and page requests that wait for the store, ms. */
const STORE_TIMEOUT_MS = 2000;

/**
 * Promise timeout: rejects if the promise does not settle within 2 s. The underlying work is not cancelled; its result
 * is ignored.
 */
export async function withTimeout<Value>(promise: Promise<Value>): Promise<Value> {
  const timeoutController = new AbortController();
  const timeout = wait(STORE_TIMEOUT_MS, undefined, { signal: timeoutController.signal }).then(() => {
    throw createDatabaseTimeoutError('The store did not respond in time.');
  });
  return Promise.race([promise, timeout]).finally(() => timeoutController.abort());
}
