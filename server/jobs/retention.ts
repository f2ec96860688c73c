/** Data retention: the job that deletes expired data and inactive readers. */
import type { LogFn } from '../lib/logger.ts';
import type { Store } from '../storage/ports/store.ts';
import { startPeriodicJob } from './periodic-job.ts';

interface RetentionOptions {
  readonly store: Store;
  /** Days without a visit after which a reader is deleted; 0 for never. */
  readonly days: number;
  /** Current time, unix milliseconds. */
  readonly now: () => number;
  /** Returns the bounded time for retention jobs, unix ms. */
  readonly boundedNow: () => Promise<number>;
}

const DAY_SECONDS = 86_400;
const START_DELAY_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Deletes expired data, and the readers without a visit for `days`. Returns the number of deleted readers. */
export const applyRetention = async ({ store, days, now, boundedNow }: RetentionOptions): Promise<number> => {
  const boundedSeconds = Math.floor((await boundedNow()) / 1000);
  await store.deleteExpired(boundedSeconds);
  await store.clampFutureTimes(Math.floor(now() / 1000));
  return days === 0 ? 0 : store.deleteInactiveReaders(Math.floor(boundedSeconds / DAY_SECONDS) - days);
};

/**
 * Starts the job: after a minute and then hourly, in every process. If two of them run at the same time, the effect is
 * the same. Returns a stop() function.
 */
export const startRetention = (options: RetentionOptions, log: LogFn): (() => Promise<void>) =>
  startPeriodicJob(() => applyRetention(options), {
    delayMs: START_DELAY_MS,
    intervalMs: HOUR_MS,
    onError: (error) => log('Could not delete expired data and inactive readers.', error),
  });
