/**
 * A feed that a channel is read from. Times are unix seconds. `due` null means that it is not asked any more; `interval` is the
 * present pause between two questions in seconds; `failures` counts those in a row, `failingSince` is the first of them, and
 * `error` says in a sentence what the last one was.
 */
export interface Feed {
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
 * An item as it was read now: `key` is its identity in the feed, `hash` stands for its contents, and `fresh` says whether its
 * files should be fetched if it is a new one among those listed before. Dates are null where none is told.
 */
export interface ReadItem {
  readonly key: string;
  readonly date: number | null;
  readonly updated: number | null;
  readonly hash: string;
  readonly fresh: boolean;
}

/** An item's place among the channel's messages: the same for the same item, ever; `edited` and `seen` move with its contents. */
export interface NumberedItem {
  readonly key: string;
  readonly id: number;
  readonly date: number;
  readonly edited: number | null;
  readonly seen: number;
  readonly fresh: boolean;
  /** True where the item is new, or has other contents than before. */
  readonly changed: boolean;
}

/** The part of the store that keeps how feeds are doing, and which of them came from readers. Times are unix seconds. */
export interface FeedStore {
  /** Adds or changes a feed and ends whoever's hold on it; one whose channel is gone is not brought back. */
  putFeed(feed: Feed): Promise<void>;
  feed(channelId: string): Promise<Feed | null>;
  feedAt(url: string): Promise<Feed | null>;
  /**
   * Takes hold of a feed until `until`: the one asked for, else the one due longest, of a host that nobody asks just now and a
   * channel that is neither archived nor withdrawn. Null when there is none, or it is held. Another process gets another one.
   */
  takeFeed(now: number, until: number, channelId?: string): Promise<Feed | null>;
  /** How many feeds failed at their last try, of channels that are neither archived nor withdrawn. */
  failingFeeds(): Promise<number>;
  /**
   * Gives items, oldest first, their places: message ids grow with the date and then the order given, ten apart, so that an item's
   * files have numbers of their own. An item without a date is dated `now`, when it was first seen, as is one from the future.
   */
  numberItems(channelId: string, items: readonly ReadItem[], now: number): Promise<NumberedItem[]>;

  /** Adds the channel of a feed that a reader named, unless there are `most` such; false then. One that is there stays as it is. */
  addElsewhere(channel: { readonly id: string; readonly title: string }, most: number, now: number): Promise<boolean>;
  /** Channels from elsewhere, withdrawn ones too. */
  elsewhere(): Promise<string[]>;
  /** Puts a channel from elsewhere among the operators' own for good. */
  adopt(channelId: string): Promise<void>;
  /** Notes, once a day, that channels from elsewhere were asked for; others are passed over. */
  noteAsked(channelIds: readonly string[], now: number): Promise<void>;
  /** Channels from elsewhere that no line-up names and that nobody asked for since `before`. */
  unasked(before: number): Promise<string[]>;
}
