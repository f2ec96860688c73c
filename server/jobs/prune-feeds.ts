import type { Say } from '../lib/logger.ts';
import { removeChannel } from '../media/garbage-collection.ts';
import type { Store } from '../storage/ports/store.ts';

interface Collecting {
  readonly store: Store;
  readonly dataDir: string;
  /** Returns the bounded time for retention jobs, unix ms. */
  readonly believed: () => Promise<number>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Retention of a reader-added channel without requests, s: a reader without an account may be away for that long. */
const KEPT = 30 * 86_400;

/**
 * Deletes unused reader-added feeds: the channels that no line-up contains and that were not requested for 30 days. Returns their
 * number.
 */
export const collectElsewhere = async (collecting: Collecting): Promise<number> => {
  const ids = await collecting.store.unasked(Math.floor((await collecting.believed()) / 1000) - KEPT);
  for (const id of ids) await removeChannel(id, collecting);
  return ids.length;
};

/** Starts the job: after ten minutes and then daily. Returns a stop() function. */
export const startCollectingElsewhere = (collecting: Collecting, log: Say): (() => Promise<void>) => {
  let under: Promise<void> = Promise.resolve();
  const run = () => {
    under = collectElsewhere(collecting).then(
      () => {},
      (error: unknown) => log('Channels from elsewhere that nobody wants could not be removed.', error),
    );
    timer = setTimeout(run, DAY).unref();
  };
  let timer = setTimeout(run, HOUR / 6).unref();
  return async () => {
    clearTimeout(timer);
    await under;
  };
};
