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
export function createFeedPoller(work: FeedDeps & { readonly log: LogFn }): FeedPoller {
  const running = new Set<Promise<SourceFeed>>();
  let looking: Promise<void> = Promise.resolve();
  let ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const take = (channelId?: string) => {
    const now = Math.floor(work.now() / 1000);
    return work.store.claimFeed(now, now + CLAIM_SECONDS, channelId);
  };

  const check = async (feed: SourceFeed, signal: AbortSignal): Promise<SourceFeed> => {
    try {
      // The code that parses feeds takes 100 ms and 15 MB to load; a server without feeds never loads it.
      const { checkFeed } = await import('./check-feed.ts');
      const next = await checkFeed(feed, work, signal);
      await work.store.putFeed(next);
      return next;
    } catch (error) {
      if (signal.aborted) await work.store.putFeed(feed);
      throw error;
    }
  };

  const begin = (feed: SourceFeed): Promise<SourceFeed> => {
    const checking = check(feed, ending.signal).finally(() => running.delete(checking));
    running.add(checking);
    return checking;
  };

  const tell = (feed: SourceFeed, error: unknown): void => {
    if (ending.signal.aborted) return;
    work.log(`The feed of the channel ${feed.channelId} could not be taken in.`, error);
  };

  const fill = async (): Promise<void> => {
    while (running.size < MAX_CONCURRENT_CHECKS && !ending.signal.aborted) {
      const feed = await take();
      if (feed === null) return;
      begin(feed).then(
        () => lookIn(0),
        (error) => tell(feed, error),
      );
    }
  };

  function lookIn(ms: number): void {
    if (ending.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      looking = looking
        .then(fill)
        .catch((error: unknown) => work.log('Feeds that are due could not be looked up.', error))
        .finally(() => lookIn(POLL_INTERVAL_MS));
    }, ms).unref();
  }

  return {
    start: () => {
      ending = new AbortController();
      lookIn(0);
    },
    stop: async () => {
      clearTimeout(timer);
      ending.abort(new Error('The poller was stopped.'));
      await looking;
      await Promise.allSettled(running);
    },
    check: async (channelId) => {
      const feed = await take(channelId);
      return feed === null ? null : begin(feed);
    },
  };
}
