import type { Mark, Merge, Star, Unread } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Lineup, LineupChange } from '../../../contract/lineup.ts';
import type { Poll, Post, Reaction } from '../../../contract/post.ts';
import type {
  Audience,
  ChannelChange,
  DateRange,
  MediaFile,
  Message,
  PostDate,
  PostsQuery,
  ReadState,
  Told,
} from '../../domain/model.ts';
import type { Pinning } from '../../domain/pins.ts';
import type { ActLog, NewAct } from './audit-log.ts';
import type { ConnectionStore } from './connections.ts';
import type { FeedStore } from './feeds.ts';
import type { FileStore } from './files.ts';

/**
 * The one door to what the server keeps. Two engines stand behind it and pass one conformance suite.
 *
 * Every write is durable when its promise resolves, and idempotent: the same messages in any order give the same rows. An
 * older version never overwrites a newer one. Lists hold albums as one post. Nothing of a channel outside the audience is
 * answered: it is as if it were not there.
 */
export interface Store
  extends ActLog,
    ConnectionStore,
    EventLog,
    FeedStore,
    FileStore,
    ImportStore,
    RetentionStore,
    SiteKeyStore {
  /**
   * Returns a store whose first write also writes these acts, in the same transaction: both are there, or neither. No act is written
   * where that write answers false, which says that there was nothing to do.
   */
  withActs(acts: readonly NewAct[]): Store;
  /**
   * The directory, in the order in which they were added; a change keeps a channel its place. Channels from elsewhere are not in
   * it: those of them that `also` names, as a reader's line-up does, come after it, and what else it names changes nothing.
   */
  channels(audience: Audience, also?: readonly string[]): Promise<Channel[]>;
  /** Finds by id, username or former username (case-insensitive). */
  channel(idOrUsername: string, audience: Audience): Promise<Channel | null>;
  /** Finds several in the same way, each once, in the order in which they are named. */
  channelsNamed(idsOrUsernames: readonly string[], audience: Audience): Promise<Channel[]>;
  /**
   * Adds or changes; a changed username keeps the former one as an alias. Absent fields are left as they are, null ones go.
   * `elsewhere` counts when a channel is added, and is changed by `adopt` alone.
   */
  putChannel(channel: ChannelChange): Promise<void>;
  /** Takes a channel out of every answer, as if it were not there, or brings it back; what is kept of it stays. */
  withdraw(channelId: string, withdrawn: boolean): Promise<void>;
  removeChannels(ids: readonly string[]): Promise<void>;

  putMessages(messages: readonly Message[]): Promise<{ inserted: number; updated: number; unchanged: number }>;
  /** Sets a message's reaction counts, which a bot is told apart from it. */
  putReactions(channelId: string, messageId: number, reactions: readonly Reaction[], told: Told): Promise<void>;
  /** Sets the state of a poll by the source's id of it. */
  putPoll(pollId: string, poll: Poll, told: Told): Promise<void>;
  /**
   * Stores the newest pinned message (by its id), null for none, as of `at` (unix seconds, now when absent). Newer messages are no
   * longer pinned; older pins stay. An earlier report never undoes a later one.
   */
  pin(channelId: string, newest: number | null, at?: number): Promise<void>;
  /** Stores that messages were pinned. The 100 newest of a channel are kept, of which 20 are shown. */
  addPins(channelId: string, pins: readonly Pinning[]): Promise<void>;
  /** Notes that these message ids, both ends included, are all that there is: what is not held among them is not missing. */
  explain(channelId: string, from: number, to: number): Promise<void>;
  /** Hides the post that holds a message from every answer as of `at` (unix seconds), or with null shows it again. False where there is none. */
  hide(channelId: string, messageId: number, at: number | null): Promise<boolean>;
  /** The hidden posts of a channel, the last hidden first. */
  hiddenPosts(channelId: string, limit: number): Promise<{ readonly post: Post; readonly at: number }[]>;
  /** Finds the post that holds a message by its first message, which names an album; hidden ones too. Null where there is none. */
  postHolding(channelId: string, messageId: number): Promise<{ readonly id: number; readonly hidden: boolean } | null>;
  /** Notes when a message was found deleted at its source (unix seconds), or with null that it is there. */
  markGone(channelId: string, messageId: number, at: number | null): Promise<void>;
  /** The posts of a channel that come after something missing, the newest first, with how many ids nothing explains. */
  gaps(channelId: string, limit: number): Promise<{ readonly messageId: number; readonly missing: number }[]>;
  posts(query: PostsQuery, audience: Audience): Promise<Post[]>;
  /** The post or the album that holds this message. */
  post(channelId: string, messageId: number, audience: Audience): Promise<Post | null>;
  /** The posts of a channel, the oldest first, and when each was last changed; what only says what happened is left out. */
  postDates(channelId: string, range: DateRange, audience: Audience): Promise<PostDate[]>;
  /** When the post was posted that comes `skip` posts after the oldest one dated `from` or later; null where there is none. */
  dateAfter(channelId: string, from: number, skip: number, audience: Audience): Promise<number | null>;
  /** Posts newer than each mark, and those that are kept unread, counted to 100. Channels that are not there are left out. */
  unread(marks: readonly ReadState[], audience: Audience): Promise<Unread[]>;

  putMediaFile(file: MediaFile): Promise<void>;
  /** A kept file; `private` when only posts of private channels show it, not `used` when none does: they are hidden or gone. */
  mediaFile(key: string): Promise<(MediaFile & { readonly private: boolean; readonly used: boolean }) | null>;

  putSession(session: { tokenHash: string; readerId: string; expires: number }): Promise<void>;
  /** A live session; null when unknown or past. Times are unix seconds. */
  session(tokenHash: string, now: number): Promise<{ readonly readerId: string; readonly expires: number } | null>;
  /** The reader of a live session, its expiry moved to `expires`; null when unknown or past. Times are unix seconds. */
  touchSession(tokenHash: string, now: number, expires: number): Promise<{ readerId: string } | null>;
  /** A reader's live sessions, the last used first. */
  sessions(readerId: string, now: number): Promise<{ readonly tokenHash: string; readonly expires: number }[]>;
  dropSession(tokenHash: string): Promise<void>;
  /** Ends sessions of a reader from another session; `now` is unix seconds. */
  endSessions(readerId: string, tokenHashes: readonly string[], now: number): Promise<void>;
  /** When a reader last did so, unix seconds; 0 for never. */
  signedOut(readerId: string): Promise<number>;
  putReader(reader: { id: string; name: string; username?: string; language?: string }): Promise<void>;
  reader(id: string): Promise<{ id: string; name: string; username?: string; language?: string } | null>;
  /** Erases a reader and everything that is kept of him, sessions included. */
  dropReader(id: string): Promise<void>;

  // Each change below may have a name (`key`): one that was made within the last 30 days, among the reader's last 10,000, is not
  // made again, and what is held is given.

  lineup(readerId: string): Promise<Lineup>;
  /** Saves a line-up; one that was changed from another version than the present is merged with it (merge-lineup.ts). */
  putLineup(readerId: string, change: LineupChange, key?: string): Promise<Lineup>;
  marks(readerId: string): Promise<Mark[]>;
  /** Moves a mark forwards; `exact` sets it also backwards ("mark unread"), at 0 takes it away. */
  putMark(readerId: string, mark: Mark, exact: boolean, key?: string): Promise<Mark>;
  stars(readerId: string, before: { at: number; channelId: string; postId: number } | null, limit: number): Promise<Star[]>;
  putStar(readerId: string, star: Star, key?: string): Promise<void>;
  dropStar(readerId: string, channelId: string, postId: number, key?: string): Promise<void>;
  /** The posts that a reader keeps unread, each as `channelId/postId`. */
  keptUnread(readerId: string): Promise<string[]>;
  /** Returns false, and keeps nothing, where the reader has MAX_KEPT_UNREAD of them; those that `audience` cannot read make space. */
  putKeptUnread(readerId: string, channelId: string, postId: number, audience: Audience, key?: string): Promise<boolean>;
  dropKeptUnread(readerId: string, channelId: string, postId: number, key?: string): Promise<void>;
  /**
   * Unites a device's anonymous state with the reader's, in one transaction: entries the line-up lacks go to its end (an
   * empty line-up takes the device's order), marks take the higher, stars and posts kept unread unite. Twice does the same as once.
   */
  merge(readerId: string, merge: Merge, key?: string): Promise<void>;

  /** Facts about the store itself (which demo was made, a server secret), by name. */
  fact(name: string): Promise<string | null>;
  putFact(name: string, value: string): Promise<void>;
  /** Notes a fact where there is none; gives the one that stands, the same to all who come at once. */
  factOr(name: string, value: string): Promise<string>;
  dropFact(name: string): Promise<void>;

  isEmpty(): Promise<boolean>;
  /** Fails where the database cannot be read, or was found damaged since it was opened. */
  requireSound(): Promise<void>;
  /** Ends it; ending it again does nothing. */
  close(): Promise<void>;
}

/**
 * What happened that readers should hear of: `new` and `edited` name a post by its id, `hidden` one that left (or, where the
 * channel may not be read any more, all of it with messageId null); `channel` says that the channel itself changed, `refresh`
 * that many of its posts did.
 */
export interface LiveEvent {
  readonly id: number;
  readonly kind: 'new' | 'edited' | 'hidden' | 'channel' | 'refresh';
  readonly channelId: string;
  readonly messageId: number | null;
}

/** The store's log of events: written in the transaction of what they tell, numbered upwards, the oldest dropped. */
export interface EventLog {
  /** Events after one, in order; null when some of them were dropped already, and everything has to be read anew. */
  events(after: number, limit: number): Promise<LiveEvent[] | null>;
  /** The number of the newest event, 0 before the first. */
  lastEvent(): Promise<number>;
  /** Writes an event by itself. */
  announce(kind: 'channel' | 'refresh', channelId: string): Promise<void>;
  /** Calls when there may be new events, also another process's, within a second; answers how to stop. */
  watch(listener: () => void): () => void;
  /** Passes a word, of at most 1000 characters, to everyone who hears on this store; in PostgreSQL in every process. */
  pass(word: string): Promise<void>;
  /** Calls with each word that is passed; answers how to stop. */
  hear(listener: (word: string) => void): () => void;
}

/** The store's part of imports, which may be killed amid: what is half there says so, and nobody sees a channel half. */
export interface ImportStore {
  /** Adds or changes a channel that is being imported. One that was not there is in no answer until the import is complete. */
  beginImport(channel: ChannelChange): Promise<void>;
  /** Notes that all of it is there, and tells readers. */
  completeImport(channelId: string): Promise<void>;
  /** The ids of channels whose import has begun and is not complete. */
  brokenImports(): Promise<string[]>;
}

/** Seconds that a session lasts after its last use. */
export const SESSION_FOR = 86_400;
/** Seconds that a member of a private channel is known as one without being asked for. */
export const MEMBER_FOR = 300;
/** The fact that holds the time that could be believed last, unix ms. */
export const BELIEVED_TIME = 'believed-time';

/** Rows by their tables. */
export type Kept = Record<string, Record<string, string | number | null>[]>;

/** What leaves the store by itself because nobody came for it. */
export interface RetentionStore {
  /**
   * Erases the readers last seen before a day (days since 1970), as `dropReader` does; answers how many. Who added the bot before
   * it and never signed in is forgotten, too.
   */
  dropUnseen(day: number): Promise<number>;
  /**
   * Drops what is over at `now` (unix seconds) and nobody took away: sessions, memberships, intents, names of changes, updates that
   * wait or could not be read, operators' acts, the rests of erased readers.
   */
  dropOver(now: number): Promise<void>;
  /**
   * Takes back what a clock that was ahead said, as of `now`, unix seconds: no feed or file waits for more than two days, no
   * membership and no session lasts longer than one of now. Where the clock is behind, sessions count from the believed time.
   */
  settleFuture(now: number): Promise<void>;
  /** Everything that is kept of a reader, table by table, but for the hashes of tokens. */
  keptOf(readerId: string): Promise<Kept>;
}

/** A site's leave to show private channels. `origin` is the site's, as https://club.example; `at` is unix seconds. */
export interface SiteKey {
  readonly id: string;
  readonly origin: string;
  /** Ids of its channels that are still here. */
  readonly channels: readonly string[];
  readonly at: number;
}

/** The store's part of keys for sites. A channel that is removed leaves its keys for good; a key without any is none. */
export interface SiteKeyStore {
  putSiteKey(key: SiteKey): Promise<void>;
  siteKey(id: string): Promise<SiteKey | null>;
  /** The newest first. */
  siteKeys(): Promise<SiteKey[]>;
  /** False where there is none. */
  dropSiteKey(id: string): Promise<boolean>;
}
