/** Feed poller: schedules the polling of all feeds that are due. */
import type { LogFn } from '../../lib/logger.ts';
import type { SourceFeed } from '../../storage/ports/feeds.ts';
import type { FeedDeps } from './types.ts';

/** Maximum number of feeds that are fetched in parallel. The store permits only one per host at a time. */
const MAX_CONCURRENT_CHECKS = 4;

/** Interval between queries for feeds that are due. */
const POLL_INTERVAL_MS = 5000;

/** Lease duration of a feed: longer than the longest check, so that another process takes over only the feeds of a dead one. */
const CLAIM_SECONDS = 300;

/** Polls feeds while it runs. Several pollers may share one store, also in different processes. */
export interface FeedPoller {
  start(): void;
  /** Stops the poller. Running checks are aborted and repeated after the next start. */
  stop(): Promise<void>;
  /** Checks one feed now, even if it is not due. Returns null if there is no such feed or it is being checked already. */
  check(channelId: string): Promise<SourceFeed | null>;
}

/** Creates a poller. `log` receives errors of our own side. */
export function createFeedPoller(deps: FeedDeps & { readonly log: LogFn }): FeedPoller {
  const running = new Set<Promise<SourceFeed>>();
  let dueChecks: Promise<void> = Promise.resolve();
  let stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const claim = (channelId?: string) => {
    const now = Math.floor(deps.now() / 1000);
    return deps.store.claimFeed(now, now + CLAIM_SECONDS, channelId);
  };

  const check = async (feed: SourceFeed, signal: AbortSignal): Promise<SourceFeed> => {
    try {
      // The code that parses feeds takes 100 ms and 15 MB to load; a server without feeds never loads it.
      const { checkFeed } = await import('./check-feed.ts');
      const next = await checkFeed(feed, deps, signal);
      await deps.store.putFeed(next);
      return next;
    } catch (error) {
      if (signal.aborted) await deps.store.putFeed(feed);
      throw error;
    }
  };

  const startCheck = (feed: SourceFeed): Promise<SourceFeed> => {
    const checking = check(feed, stopping.signal).finally(() => running.delete(checking));
    running.add(checking);
    return checking;
  };

  const logFailure = (feed: SourceFeed, error: unknown): void => {
    if (stopping.signal.aborted) return;
    deps.log(`Could not process the feed of channel ${feed.channelId}.`, error);
  };

  const startDueChecks = async (): Promise<void> => {
    while (running.size < MAX_CONCURRENT_CHECKS && !stopping.signal.aborted) {
      const feed = await claim();
      if (feed === null) return;
      startCheck(feed).then(
        () => scheduleCheck(0),
        (error) => logFailure(feed, error),
      );
    }
  };

  function scheduleCheck(ms: number): void {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueChecks = dueChecks
        .then(startDueChecks)
        .catch((error: unknown) => deps.log('Could not look up the feeds that are due.', error))
        .finally(() => scheduleCheck(POLL_INTERVAL_MS));
    }, ms).unref();
  }

  return {
    start: () => {
      stopping = new AbortController();
      scheduleCheck(0);
    },
    stop: async () => {
      clearTimeout(timer);
      stopping.abort(new Error('The poller was stopped.'));
      await dueChecks;
      await Promise.allSettled(running);
    },
    check: async (channelId) => {
      const feed = await claim(channelId);
      return feed === null ? null : startCheck(feed);
    },
  };
}
