import type { Say } from '../../lib/logger.ts';
import type { Feed } from '../../storage/ports/feeds.ts';
import type { FeedWork } from './types.ts';

/** Feeds that are asked at once; of one host always one (the store sees to that). */
const PARALLEL = 4;

/** How often is looked for feeds that are due. */
const TICK_MS = 5000;

/** Longer than the longest check, so that only a dead process's feed is taken by another. */
const HOLD_SECONDS = 300;

/** Asks feeds for news while it runs; several may run over one store, also in other processes. */
export interface FeedPoller {
  start(): void;
  /** Ends; what is under way is broken off, and is asked again after the next start. */
  stop(): Promise<void>;
  /** Asks one feed now, due or not; null when there is none or it is being asked. */
  check(channelId: string): Promise<Feed | null>;
}

/** Makes a poller; `log` hears of what went wrong on our side. */
export function createFeedPoller(work: FeedWork & { readonly log: Say }): FeedPoller {
  const running = new Set<Promise<Feed>>();
  let looking: Promise<void> = Promise.resolve();
  let ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const take = (channelId?: string) => {
    const now = Math.floor(work.now() / 1000);
    return work.store.takeFeed(now, now + HOLD_SECONDS, channelId);
  };

  const check = async (feed: Feed, signal: AbortSignal): Promise<Feed> => {
    try {
      // What reads feeds takes 100 ms and 15 MB to load, which a server without feeds never pays.
      const { checkFeed } = await import('./check-feed.ts');
      const next = await checkFeed(feed, work, signal);
      await work.store.putFeed(next);
      return next;
    } catch (error) {
      if (signal.aborted) await work.store.putFeed(feed);
      throw error;
    }
  };

  const begin = (feed: Feed): Promise<Feed> => {
    const checking = check(feed, ending.signal).finally(() => running.delete(checking));
    running.add(checking);
    return checking;
  };

  const tell = (feed: Feed, error: unknown): void => {
    if (ending.signal.aborted) return;
    work.log(`The feed of the channel ${feed.channelId} could not be taken in.`, error);
  };

  const fill = async (): Promise<void> => {
    while (running.size < PARALLEL && !ending.signal.aborted) {
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
        .finally(() => lookIn(TICK_MS));
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
