import type { Say } from '../lib/logger.ts';
import type { Store } from '../storage/ports/store.ts';

interface Forgetting {
  readonly store: Store;
  /** Days without a visit after which a reader is deleted; 0 for never. */
  readonly days: number;
  /** Current time, unix milliseconds. */
  readonly now: () => number;
  /** Returns the bounded time for retention jobs, unix ms. */
  readonly believed: () => Promise<number>;
}

const DAY = 86_400;
const HOUR = 3_600_000;

/** Data retention: deletes expired data, and the readers without a visit for `days`. Returns the number of deleted readers. */
export const forget = async ({ store, days, now, believed }: Forgetting): Promise<number> => {
  const seconds = Math.floor((await believed()) / 1000);
  await store.dropOver(seconds);
  await store.settleFuture(Math.floor(now() / 1000));
  return days === 0 ? 0 : store.dropUnseen(Math.floor(seconds / DAY) - days);
};

/**
 * Starts the job: after a minute and then hourly, in every process. What two processes do at the same time has one effect.
 * Returns a stop() function.
 */
export const startForgetting = (forgetting: Forgetting, log: Say): (() => Promise<void>) => {
  let under: Promise<void> = Promise.resolve();
  const run = () => {
    under = forget(forgetting).then(
      () => {},
      (error: unknown) => log('Readers who do not come any more could not be erased.', error),
    );
    timer = setTimeout(run, HOUR).unref();
  };
  let timer = setTimeout(run, HOUR / 60).unref();
  return async () => {
    clearTimeout(timer);
    await under;
  };
};
