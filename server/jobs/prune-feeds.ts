/** Pruning of feeds: the job that deletes unused reader-added feeds. */
import type { LogFn } from '../lib/logger.ts';
import { removeChannel } from '../media/garbage-collection.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Store } from '../storage/ports/store.ts';
import { startPeriodicJob } from './periodic-job.ts';

interface PruneFeedsOptions {
  readonly store: Store;
  readonly mediaStore: MediaStore;
  /** Returns the bounded time for retention jobs, unix ms. */
  readonly boundedNow: () => Promise<number>;
}

const START_DELAY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** Retention of a reader-added channel without requests, s: a reader without an account may not visit for that long. */
const EXTERNAL_RETENTION_SECONDS = 30 * 86_400;

/**
 * Deletes unused reader-added feeds: the channels that no line-up contains and that were not requested for 30 days.
 * Returns their number.
 */
export const pruneExternalFeeds = async (options: PruneFeedsOptions): Promise<number> => {
  const ids = await options.store.unrequestedExternalChannels(
    Math.floor((await options.boundedNow()) / 1000) - EXTERNAL_RETENTION_SECONDS,
  );
  for (const id of ids) await removeChannel(id, options);
  return ids.length;
};

/** Starts the job: after ten minutes and then daily. Returns a stop() function. */
export const startPruneFeeds = (options: PruneFeedsOptions, log: LogFn): (() => Promise<void>) =>
  startPeriodicJob(() => pruneExternalFeeds(options), {
    delayMs: START_DELAY_MS,
    intervalMs: DAY_MS,
    onError: (error) => log('Could not delete unused reader-added feeds.', error),
  });
