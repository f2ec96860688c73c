import { performance } from 'node:perf_hooks';
import type { Say } from '../lib/logger.ts';
import { BELIEVED_TIME, type Store } from '../storage/ports/store.ts';

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

/**
 * The time as far as it can be believed, for what erases: never ahead of the machine's clock, and behind one that jumped. It gains
 * on the clock at this many times the pace at which time passes by a measure that nobody sets. So a clock that is a year ahead has
 * fifteen days in which to be put right before anything is taken for a year old, and a server that was off for a month
 * has caught up in thirty hours. Each process adds its own pace.
 */
const PACE = 24;

/** Makes what answers the time that can be believed, unix ms, and notes it for later starts. `passed` is ms since any moment. */
export const createBelievedTime = (
  store: Pick<Store, 'fact' | 'putFact'>,
  now: () => number,
  passed: () => number = () => performance.now(),
): (() => Promise<number>) => {
  let asked = passed();
  return async () => {
    const [clock, since] = [now(), passed() - asked];
    asked += since;
    const noted = await store.fact(BELIEVED_TIME);
    // A store that never noted any takes the clock's word once.
    const believed = noted === null ? clock : Number(noted);
    // A clock that is behind says nothing of the time that was believed.
    const next = Math.max(believed, Math.min(clock, believed + since * PACE));
    if (String(next) !== noted) await store.putFact(BELIEVED_TIME, String(next));
    return Math.min(clock, next);
  };
};
