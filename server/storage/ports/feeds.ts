// Feed port of the store: fetch state of feeds, ids of feed items, and feeds that readers added.

/**
 * Fetch state of a feed that is the source of a channel. Times are unix seconds. `due` is null if it is no longer
 * fetched. `interval` is the current pause between two requests in seconds. `failures` counts consecutive failures,
 * `failingSince` is the time of the first of them, and `error` describes the last one in a sentence.
 */
export interface SourceFeed {
  readonly channelId: string;
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly due: number | null;
  readonly interval: number;
  readonly failures: number;
  readonly failingSince: number | null;
  readonly error: string | null;
  readonly checkedAt: number | null;
}

/**
 * An item as it was just fetched. `key` is its identity in the feed. `hash` is the hash of its content. `shouldFetchFiles`
 * applies to the newest items of a feed. The store keeps its first value. Dates are null if the feed contains none.
 */
export interface UnnumberedItem {
  readonly key: string;
  readonly date: number | null;
  readonly updated: number | null;
  readonly hash: string;
  readonly shouldFetchFiles: boolean;
}

/** An item with its message id and its dates. The id never changes. Dates are unix seconds. */
export interface NumberedItem {
  readonly key: string;
  readonly id: number;
  readonly date: number;
  /** When its content last changed; null if it never did. */
  readonly edited: number | null;
  /** Time of this version, as in `Message`. It increases with each change of the content. */
  readonly modifiedAt: number;
  readonly shouldFetchFiles: boolean;
  /** True if the item is new, or its content differs from before. */
  readonly isChanged: boolean;
}

/** Store of feed states, and of which feeds readers added. Times are unix seconds. */
export interface FeedStore {
  /** Inserts or updates a feed and releases its claim. If its channel was deleted, the feed is not stored again. */
  putFeed(feed: SourceFeed): Promise<void>;
  feed(channelId: string): Promise<SourceFeed | null>;
  /** Returns the feeds of several channels, by channel id. Channels without a feed are left out. */
  feedsByChannel(channelIds: readonly string[]): Promise<ReadonlyMap<string, SourceFeed>>;
  feedByUrl(url: string): Promise<SourceFeed | null>;
  /**
   * Claims a feed until `until`: the requested one, or else the one that has been due longest. The latter is of a host
   * that no process requests at the moment, and of a channel that is neither archived nor soft-deleted. Returns null if
   * there is none, or if it is claimed. Another process gets another feed.
   */
  claimFeed(now: number, until: number, channelId?: string): Promise<SourceFeed | null>;
  /** Returns how many feeds failed at their last fetch, of channels that are neither archived nor soft-deleted. */
  countFailingFeeds(): Promise<number>;
  /**
   * Assigns ids to items, oldest first. Message ids increase with the date and then with the given order, in steps of
   * ten, so that an item's files have separate ids. An item without a date, or with a date in the future, gets the date
   * `now`, when it was first seen.
   */
  numberItems(channelId: string, items: readonly UnnumberedItem[], now: number): Promise<NumberedItem[]>;

  /**
   * Adds the channel of a feed that a reader chose. If there are already `maxChannels` such channels, returns false. An
   * existing one stays the same.
   */
  addExternalChannel(
    channel: { readonly id: string; readonly title: string },
    maxChannels: number,
    now: number,
  ): Promise<boolean>;
  /** Lists channels that readers added, including soft-deleted ones. */
  externalChannelIds(): Promise<string[]>;
  /** Turns a channel that a reader added into an operator's channel, permanently. */
  promoteExternalChannel(channelId: string): Promise<void>;
  /** Records, once a day, that channels of readers were requested. Other channels are ignored. */
  touchExternalChannels(channelIds: readonly string[], now: number): Promise<void>;
  /** Lists channels of readers that no line-up contains and that were not requested since `before`. */
  unrequestedExternalChannels(before: number): Promise<string[]>;
}
