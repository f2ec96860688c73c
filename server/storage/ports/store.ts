import type { ChannelUnread, DeviceState, ReadMarker, Star } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Lineup, LineupChange } from '../../../contract/lineup.ts';
import type { Poll, Post, Reaction } from '../../../contract/post.ts';
import type {
  AccessScope,
  ChannelChange,
  DirectoryQuery,
  MediaFile,
  Message,
  ReadState,
  VersionStamp,
} from '../../domain/model.ts';
import type { Pinning } from '../../domain/pins.ts';
import type { AuditLogStore, NewAuditEntry } from './audit-log.ts';
import type { BusMessage } from './bus-message.ts';
import type { ConnectionStore } from './connections.ts';
import type { FeedStore } from './feeds.ts';
import type { FileStore } from './files.ts';
import type { NotificationStore } from './notifications.ts';
import type { PostReader } from './posts.ts';
import type { RetainedFileStore } from './retained-files.ts';

/**
 * Store port: the only interface to the server's persistent data. Two engines implement it and pass one conformance
 * suite.
 *
 * Every write is durable when its promise resolves, and idempotent: the same messages in any order result in the same
 * rows. An older version never overwrites a newer one. An album is one post in lists. A channel that the caller may not
 * read is treated as if it did not exist.
 */
export interface Store
  extends AuditLogStore,
    ConnectionStore,
    EventLog,
    FeedStore,
    FileStore,
    ImportStore,
    NotificationStore,
    PostReader,
    RetainedFileStore,
    RetentionStore,
    SiteKeyStore {
  /**
   * Returns a store whose first write also stores these audit events, in the same transaction: both are stored, or
   * neither. If that write returns false, there was nothing to do, and no audit event is stored.
   */
  withAuditEntries(entries: readonly NewAuditEntry[]): Store;
  /**
   * Lists the directory, in the order in which channels were added; an update does not change a channel's position.
   * Channels that readers added are not in the directory. Those that `additionalIds` contains, for example a reader's
   * line-up, come after it. Other ids in `additionalIds` have no effect.
   */
  channels(accessScope: AccessScope, additionalIds?: readonly string[]): Promise<Channel[]>;
  /**
   * Reads a page of the directory, in the same order. A channel that is added while a client reads page after page is on
   * a later page; no channel is on two pages.
   */
  channelPage(query: DirectoryQuery, accessScope: AccessScope): Promise<DirectoryPage>;
  /** Returns the ids of all channels that everyone may read, also of those that readers added. */
  publicChannelIds(): Promise<string[]>;
  /** Returns the ids of the channels of the demo. */
  demoChannelIds(): Promise<string[]>;
  /** Finds a channel by id, username or previous username (case-insensitive). */
  channel(idOrUsername: string, accessScope: AccessScope): Promise<Channel | null>;
  /** Finds several channels in the same way, without duplicates, in the given order. */
  channelsNamed(idsOrUsernames: readonly string[], accessScope: AccessScope): Promise<Channel[]>;
  /**
   * Inserts or updates a channel. After a change of username, the previous one stays as an alias. Absent fields are not
   * changed, null fields are removed. `elsewhere` applies only to an insert; later only `promoteExternalChannel`
   * changes it.
   */
  putChannel(channel: ChannelChange): Promise<void>;
  /** Hides a channel from all responses, as if it did not exist, or shows it again. The stored data remains. */
  setSoftDeleted(channelId: string, isSoftDeleted: boolean): Promise<void>;
  removeChannels(ids: readonly string[]): Promise<void>;

  putMessages(messages: readonly Message[]): Promise<{ inserted: number; updated: number; unchanged: number }>;
  /** Sets a message's reaction counts, which a bot receives separately from it. */
  putReactions(channelId: string, messageId: number, reactions: readonly Reaction[], version: VersionStamp): Promise<void>;
  /** Sets the state of a poll by its id at the source. */
  putPoll(pollId: string, poll: Poll, version: VersionStamp): Promise<void>;
  /**
   * Stores the newest pinned message (by its id), null for none, as of `at` (unix seconds, now when absent). Newer
   * messages are no longer pinned; older pins remain. An earlier report never reverts a later one.
   */
  putNewestPin(channelId: string, newest: number | null, at?: number): Promise<void>;
  /** Stores that messages were pinned. The store keeps the 100 newest pins of a channel, of which 20 are shown. */
  addPins(channelId: string, pins: readonly Pinning[]): Promise<void>;
  /** Marks a range of message ids as known, both ends included: ids in it that are not stored are not missing. */
  markRangeKnown(channelId: string, from: number, to: number): Promise<void>;
  /**
   * Hides the post that contains a message from all responses as of `at` (unix seconds), or shows it again with null.
   * Returns false if there is none.
   */
  hidePost(channelId: string, messageId: number, at: number | null): Promise<boolean>;
  /** Lists the hidden posts of a channel, most recently hidden first. */
  hiddenPosts(channelId: string, limit: number): Promise<{ readonly post: Post; readonly at: number }[]>;
  /**
   * Finds the post that contains a message, also a hidden one, and returns the id of its first message, which is an
   * album's id. Null if there is none.
   */
  findPostOfMessage(channelId: string, messageId: number): Promise<{ readonly id: number; readonly hidden: boolean } | null>;
  /** Stores when a message was found deleted at its source (unix seconds), or with null that it exists. */
  markDeletedAtSource(channelId: string, messageId: number, at: number | null): Promise<void>;
  /** Lists the posts of a channel that follow a gap, newest first, with the number of missing ids. */
  gaps(channelId: string, limit: number): Promise<{ readonly messageId: number; readonly missing: number }[]>;
  /**
   * Counts, up to 100, the posts newer than each read marker and those that are kept unread. Missing channels are left
   * out.
   */
  unreadCounts(readStates: readonly ReadState[], accessScope: AccessScope): Promise<ChannelUnread[]>;

  putMediaFile(file: MediaFile): Promise<void>;
  /**
   * Finds a stored file. `private` is true if only posts of private channels show it. `used` is false if no post shows
   * it: all are hidden or deleted.
   */
  mediaFile(key: string): Promise<(MediaFile & { readonly private: boolean; readonly used: boolean }) | null>;

  putSession(session: { tokenHash: string; readerId: string; expires: number }): Promise<void>;
  /** Returns a session; null if it is unknown or expired. Times are unix seconds. */
  session(tokenHash: string, now: number): Promise<{ readonly readerId: string; readonly expires: number } | null>;
  /**
   * Returns the reader of a session and extends it to `expires`; null if it is unknown or expired. Times are unix
   * seconds.
   */
  touchSession(tokenHash: string, now: number, expires: number): Promise<{ readerId: string } | null>;
  /** Lists a reader's sessions that have not expired, most recently used first. */
  sessions(readerId: string, now: number): Promise<{ readonly tokenHash: string; readonly expires: number }[]>;
  deleteSession(tokenHash: string): Promise<void>;
  /** Ends sessions of a reader from another session. `now` is unix seconds. */
  endSessions(readerId: string, tokenHashes: readonly string[], now: number): Promise<void>;
  /** Returns when a reader last ended sessions, in unix seconds; 0 for never. */
  sessionsEndedAt(readerId: string): Promise<number>;
  putReader(reader: { id: string; name: string; username?: string; language?: string }): Promise<void>;
  reader(id: string): Promise<{ id: string; name: string; username?: string; language?: string } | null>;
  /** Deletes a reader and all data stored about that reader, including sessions. */
  deleteReader(id: string): Promise<void>;

  // Each change below may have an idempotency key (`key`). A change whose key was applied within the last 30 days, and
  // is among the reader's last 10,000, is not applied again. The call then returns the stored state.

  lineup(readerId: string): Promise<Lineup>;
  /**
   * Saves a line-up. If it is based on another version than the stored one, it is merged with it (`merge-lineup.ts`).
   */
  putLineup(readerId: string, change: LineupChange, key?: string): Promise<Lineup>;
  readMarkers(readerId: string): Promise<ReadMarker[]>;
  /** Moves a read marker forwards. `exact` also moves it backwards ("mark unread"), and deletes it at 0. */
  putReadMarker(readerId: string, marker: ReadMarker, exact: boolean, key?: string): Promise<ReadMarker>;
  stars(readerId: string, before: { at: number; channelId: string; postId: number } | null, limit: number): Promise<Star[]>;
  putStar(readerId: string, star: Star, key?: string): Promise<void>;
  deleteStar(readerId: string, channelId: string, postId: number, key?: string): Promise<void>;
  /** Lists the posts that a reader keeps unread, each as `channelId/postId`. */
  keptUnread(readerId: string): Promise<string[]>;
  /**
   * Returns false and stores nothing if the reader has reached MAX_KEPT_UNREAD. Entries outside of `accessScope` are
   * deleted first.
   */
  putKeptUnread(readerId: string, channelId: string, postId: number, accessScope: AccessScope, key?: string): Promise<boolean>;
  deleteKeptUnread(readerId: string, channelId: string, postId: number, key?: string): Promise<void>;
  /**
   * Merges a device's anonymous state into the reader's state, in one transaction. Entries that the line-up lacks are
   * appended (an empty line-up takes the device's order). Of two read markers the higher one wins. Stars, and posts
   * kept unread, are combined. A second call with the same state changes nothing.
   */
  mergeAnonymousState(readerId: string, deviceState: DeviceState, key?: string): Promise<void>;

  /** Metadata of the store by key, such as the created demo or a server secret. */
  setting(name: string): Promise<string | null>;
  putSetting(name: string, value: string): Promise<void>;
  /**
   * Inserts a metadata value if the key has none. Returns the stored value, which is the same for all concurrent
   * callers.
   */
  getOrCreateSetting(name: string, value: string): Promise<string>;
  deleteSetting(name: string): Promise<void>;

  isEmpty(): Promise<boolean>;
  /** Rejects if the database cannot be read, or was found damaged since it was opened. */
  assertHealthy(): Promise<void>;
  /** Returns whether reads may use the replica of the database now, or null without a replica. */
  isReplicaCurrent(): boolean | null;
  /** Closes the store. Further calls of `close` do nothing. */
  close(): Promise<void>;
}

/** A page of the directory. `next` is the position after which the next page starts; null on the last page. */
export interface DirectoryPage {
  readonly channels: readonly Channel[];
  readonly next: number | null;
}

/**
 * An event for clients. `new` and `edited` contain the id of a post. `hidden` contains a post that is no longer
 * visible, or with messageId null a complete channel that may no longer be read. `channel` means that the channel
 * itself changed, and `refresh` that many of its posts changed.
 */
export interface StoredEvent {
  readonly id: number;
  readonly kind: 'new' | 'edited' | 'hidden' | 'channel' | 'refresh';
  readonly channelId: string;
  readonly messageId: number | null;
}

/**
 * Event log of the store. Events are inserted in the transaction of the change, with increasing ids. The oldest are
 * deleted.
 */
export interface EventLog {
  /**
   * Lists the events after an id, in order; null if some of them were deleted, so that the client must fetch everything
   * again.
   */
  eventsAfter(after: number, limit: number): Promise<StoredEvent[] | null>;
  /** Returns the id of the newest event, 0 before the first. */
  lastEventId(): Promise<number>;
  /** Inserts a single event. */
  appendEvent(kind: 'channel' | 'refresh', channelId: string): Promise<void>;
  /**
   * Calls the listener within a second of possible new events, also of another process. Returns a function that
   * unsubscribes.
   */
  onChange(listener: () => void): () => void;
  /** Sends a message to all subscribers of this store; with PostgreSQL, in every process. */
  publish(message: BusMessage): Promise<void>;
  /** Calls the listener with each message. Returns a function that unsubscribes. */
  subscribe(listener: (message: BusMessage) => void): () => void;
}

/**
 * Import port of the store. An import may be killed before its end: an incomplete import is marked as such, and no
 * reader sees an incomplete channel.
 */
export interface ImportStore {
  /** Inserts or updates a channel that is being imported. A new one is in no response until the import is complete. */
  beginImport(channel: ChannelChange): Promise<void>;
  /** Marks an import as complete, and sends an event to readers. */
  completeImport(channelId: string): Promise<void>;
  /** Lists the ids of channels whose import has started and is not complete. */
  incompleteImports(): Promise<string[]>;
}

/** Seconds that a session lasts after its last use. */
export const SESSION_LIFETIME_SECONDS = 86_400;
/** Seconds for which a membership in a private channel is cached. */
export const MEMBER_CACHE_SECONDS = 300;
/** Metadata key of the last bounded (trusted) clock time, unix ms. */
export const TRUSTED_TIME_SETTING = 'believed-time';

/** Rows by table. */
export type RowsByTable = Record<string, Record<string, string | number | null>[]>;

/** Retention port of the store: deletes data that is no longer needed. */
export interface RetentionStore {
  /**
   * Deletes the readers last seen before a day (days since 1970), as `deleteReader` does, and returns how many. Also
   * deletes the ids of people who added the bot before that day and never signed in.
   */
  deleteInactiveReaders(day: number): Promise<number>;
  /**
   * Deletes rows that have expired at `now` (unix seconds): sessions, memberships, connect requests, idempotency keys,
   * updates that wait or could not be parsed, operators' audit events, and remaining rows of deleted readers.
   */
  deleteExpired(now: number): Promise<void>;
  /**
   * Corrects times that a clock set while it was ahead, as of `now` in unix seconds. No feed or file waits for more
   * than two days, and no membership or session lasts longer than one that starts now. If the clock is behind, sessions
   * count from the bounded clock.
   */
  clampFutureTimes(now: number): Promise<void>;
  /** Returns all data stored about a reader, by table, except token hashes. */
  readerData(readerId: string): Promise<RowsByTable>;
}

/**
 * Permission for a third-party site to show private channels. `origin` is that of the site, such as
 * https://club.example; `at` is unix seconds.
 */
export interface StoredSiteKey {
  readonly id: string;
  readonly origin: string;
  /** Ids of its channels that still exist. */
  readonly channels: readonly string[];
  readonly at: number;
}

/** Store of site keys. A deleted channel is removed from its keys permanently. A key without channels is invalid. */
export interface SiteKeyStore {
  putSiteKey(key: StoredSiteKey): Promise<void>;
  siteKey(id: string): Promise<StoredSiteKey | null>;
  /** Lists the keys, newest first. */
  siteKeys(): Promise<StoredSiteKey[]>;
  /** Returns false if there is none. */
  deleteSiteKey(id: string): Promise<boolean>;
}
