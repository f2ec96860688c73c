import type { LineupContents } from '../../../contract/lineup.ts';
import type { Signal } from '../../lib/signal.ts';
import type { Connection } from '../connection/connection.ts';
import { DEFAULT_LINEUP, feedChannelIds } from '../lineup/selectors.ts';
import type { InfinitePostList } from './post-list/types.ts';

/** Channels of the feeds over the line-up. A feed restarts when its channels change. */
export interface FeedMembership {
  /** Returns the ids of the channels in the feed now; undefined for the default line-up, which the server knows. */
  channelIds(): readonly string[] | undefined;
  /** Adds a feed over the line-up, which restarts when the line-up's channels change. */
  add(feed: InfinitePostList): void;
}

/**
 * Creates the membership. `muteExpiry` is the time when a mute last expired. `nowSeconds` returns the current time, unix seconds.
 */
export function createFeedMembership(
  connection: Connection,
  lineup: Signal<LineupContents | null>,
  muteExpiry: Signal<number>,
  nowSeconds: () => number,
): FeedMembership {
  const feeds = new Set<InfinitePostList>();
  const channelIds = (): readonly string[] | undefined => feedChannelIds(lineup.get() ?? DEFAULT_LINEUP, nowSeconds());
  /** Sorted ids of the channels of the feeds; null before the line-up is known. */
  let previous: string | null = null;

  function restartIfChanged(): void {
    const ids = channelIds();
    const current = ids?.toSorted().join() ?? 'all';
    if (previous !== null && current !== previous)
      for (const feed of feeds) void feed.reset((post) => ids === undefined || ids.includes(post.channelId));
    previous = current;
  }
  lineup.subscribe(() => {
    if (lineup.get() !== null) restartIfChanged();
  });
  muteExpiry.subscribe(() => {
    if (!connection.isClosed()) restartIfChanged();
  });

  return { channelIds, add: (feed) => void feeds.add(feed) };
}
