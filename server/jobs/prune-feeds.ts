import type { Say } from '../lib/logger.ts';
import { removeChannel } from '../media/garbage-collection.ts';
import type { Store } from '../storage/ports/store.ts';

interface Collecting {
  readonly store: Store;
  readonly dataDir: string;
  /** The time that what erases may go by, unix ms. */
  readonly believed: () => Promise<number>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Seconds that a channel from elsewhere stays which nobody asks for: a reader without an account may be away for so long. */
const KEPT = 30 * 86_400;

/** Removes the channels from elsewhere that no line-up names and nobody asked for in 30 days; answers how many. */
export const collectElsewhere = async (collecting: Collecting): Promise<number> => {
  const ids = await collecting.store.unasked(Math.floor((await collecting.believed()) / 1000) - KEPT);
  for (const id of ids) await removeChannel(id, collecting);
  return ids.length;
};

/** Does so ten minutes from now and then daily; answers how to stop. */
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
