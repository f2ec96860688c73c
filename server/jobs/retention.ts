import type { Say } from '../lib/logger.ts';
import type { Store } from '../storage/ports/store.ts';

interface Forgetting {
  readonly store: Store;
  /** Days after which a reader who did not come is erased; 0 for never. */
  readonly days: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** The time that what erases may go by, unix ms. */
  readonly believed: () => Promise<number>;
}

const DAY = 86_400;
const HOUR = 3_600_000;

/** Erases the readers who have not come for so many days, and what is over; answers how many readers. */
export const forget = async ({ store, days, now, believed }: Forgetting): Promise<number> => {
  const seconds = Math.floor((await believed()) / 1000);
  await store.dropOver(seconds);
  await store.settleFuture(Math.floor(now() / 1000));
  return days === 0 ? 0 : store.dropUnseen(Math.floor(seconds / DAY) - days);
};

/** Does so a minute from now and then hourly, in every process: what two do at once is done once. Answers how to stop. */
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
