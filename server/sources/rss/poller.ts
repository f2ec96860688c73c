/** Feed poller: schedules the polling of all feeds that are due. */
import type { LogFn } from '../../lib/logger.ts';
import type { SourceFeed } from '../../storage/ports/feeds.ts';
import type { FeedDeps } from './types.ts';

/** Maximum number of feeds that are fetched in parallel. The store permits only one per host at a time. */
const MAX_CONCURRENT_CHECKS = 4;

/** Interval between queries for feeds that are due. */
const POLL_INTERVAL_MS = 5000;

/**
 * Lease duration of a feed: longer than any check, so that another process takes over only the feeds of a dead process.
 */
const CLAIM_SECONDS = 300;

/** Polls feeds while it runs. Several pollers may share one store, also in different processes. */
export interface FeedPoller {
  start(): void;
  /** Stops the poller. Running checks are aborted and repeated after the next start. */
  stop(): Promise<void>;
  /**
   * Checks one feed now, even if it is not due. Returns null if there is no such feed or it is being checked already.
   */
  check(channelId: string): Promise<SourceFeed | null>;
}

/** Creates a poller. `log` receives errors of our own side. */
export function createFeedPoller(deps: FeedDeps & { readonly log: LogFn }): FeedPoller {
  const running = new Set<Promise<SourceFeed>>();
  let dueChecks: Promise<void> = Promise.resolve();
  let stopController = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const claim = (channelId?: string) => {
    const now = Math.floor(deps.now() / 1000);
    return deps.store.claimFeed(now, now + CLAIM_SECONDS, channelId);
  };

  const check = async (feed: SourceFeed, signal: AbortSignal): Promise<SourceFeed> => {
    try {
      // The code that parses feeds takes 100 ms and 15 MB to load; a server without feeds never loads it.
      const { checkFeed } = await import('./check-feed.ts');
      const checkedFeed = await checkFeed(feed, deps, signal);
      await deps.store.putFeed(checkedFeed);
      return checkedFeed;
    } catch (error) {
      // Writing the unchanged feed releases the claim, so that the feed is due after the next start.
      if (signal.aborted) await deps.store.putFeed(feed);
      throw error;
    }
  };

  const startCheck = (feed: SourceFeed): Promise<SourceFeed> => {
    const runningCheck = check(feed, stopController.signal).finally(() => running.delete(runningCheck));
    running.add(runningCheck);
    return runningCheck;
  };

  const logFailure = (feed: SourceFeed, error: unknown): void => {
    if (stopController.signal.aborted) return;
    deps.log(`Could not process the feed of channel ${feed.channelId}.`, error);
  };

  const startDueChecks = async (): Promise<void> => {
    while (running.size < MAX_CONCURRENT_CHECKS && !stopController.signal.aborted) {
      const feed = await claim();
      if (feed === null) return;
      startCheck(feed).then(
        () => scheduleCheck(0),
        (error) => logFailure(feed, error),
      );
    }
  };

  function scheduleCheck(delayMs: number): void {
    if (stopController.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueChecks = dueChecks
        .then(startDueChecks)
        .catch((error: unknown) => deps.log('Could not look up the feeds that are due.', error))
        .finally(() => scheduleCheck(POLL_INTERVAL_MS));
    }, delayMs).unref();
  }

  return {
    start: () => {
      stopController = new AbortController();
      scheduleCheck(0);
    },
    stop: async () => {
      clearTimeout(timer);
      stopController.abort(new Error('The poller was stopped.'));
      await dueChecks;
      await Promise.allSettled(running);
    },
    check: async (channelId) => {
      const feed = await claim(channelId);
      return feed === null ? null : startCheck(feed);
    },
  };
}
