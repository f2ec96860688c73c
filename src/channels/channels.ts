import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { LineupContents, LineupEntry, Preset } from '../../contract/lineup.ts';
import type { Post } from '../../contract/post.ts';
import type { Readable } from '../readable.ts';
import type { Inside, ShownNewPosts } from './inside.ts';

/** What loads is in one of three states; `kept` says that it comes from this device, and since when (unix ms). */
export type Loadable<Value> =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly message: string; readonly status: number | null }
  | { readonly type: 'loaded'; readonly value: Value; readonly kept: number | null };

/** A row of the line-up, in the order of the dial; `number` counts from 1 over the followed ones, null for the others. */
export interface LineupRow {
  readonly channel: Channel;
  readonly entry: LineupEntry;
  readonly number: number | null;
  readonly followed: boolean;
  readonly muted: boolean;
  /** Up to 100, which means "99+"; muted channels count too. */
  readonly unread: number;
}

/** Whether what the reader did has reached the server; an anonymous reader's is always saved, on the device. */
export type Saving = { readonly type: 'saved' } | WaitingChanges | Refused;

export interface WaitingChanges {
  readonly type: 'waiting';
  readonly count: number;
  /** Set where every waiting change is a read marker. */
  readonly onlyReadMarkers?: true;
}

/** A change that the server does not accept, and the status of its answer; a line-up stays as the reader made it. */
export interface Refused {
  readonly type: 'refused';
  readonly what: 'lineup' | 'mark' | 'star' | 'kept-unread';
  readonly status: number | null;
  /** Lets go of it: what the server holds is shown. */
  drop(): void;
}

export type ReaderState =
  | { readonly type: 'anonymous' }
  | { readonly type: 'expected'; readonly id: string }
  | { readonly type: 'signed-in'; readonly user: Reader };

export type Connection = 'online' | 'offline' | 'unreachable';

export interface FeedFilter {
  /** Channels to show instead of the reader's line-up. */
  readonly channelIds?: readonly string[];
  readonly show?: 'all' | 'unread' | 'starred' | 'media';
  readonly limit?: number;
}

export interface ChannelPostsQuery {
  readonly q?: string;
  readonly media?: boolean;
  /** Start at this message instead of the newest. */
  readonly around?: number;
  /** Start at the newest post of this moment or before it, unix seconds; at the oldest post where none is so old. */
  readonly date?: number;
  readonly limit?: number;
}

export type PostListState =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly message: string; readonly status: number | null }
  | {
      readonly type: 'loaded';
      /** Newest first. */
      readonly posts: readonly Post[];
      readonly channels: ReadonlyMap<string, Channel>;
      readonly older: 'idle' | 'loading' | 'failed' | 'end';
      readonly newer: 'idle' | 'loading' | 'failed' | 'end';
      /** Unix ms since when the list is as shown, when it comes from this device; null when it is fresh. */
      readonly kept: number | null;
    };

/** A list of posts that grows at both ends. The same query gives the same list while the area lives, so Back finds it as it was. */
export interface PostList extends Readable<PostListState> {
  /** Loads the next older page; a call while one is under way, or at the end, does nothing. */
  older(): Promise<void>;
  newer(): Promise<void>;
  /** Reads the list anew from its start, keeping what is shown until the answer is there. */
  refresh(): Promise<void>;
  /**
   * Where the reader was: the page's to write and to restore. `offset` is the post's top in CSS px from the viewport's; the
   * list adds the cursor of the post's page (`from`), at which it begins when it is not there yet.
   */
  place: { readonly key: string; readonly offset: number; readonly from?: string | undefined } | null;
}

/** What an undo takes back, for its label; `channelId` names the row, null where several or none are meant. */
export interface Undoable {
  readonly act:
    | 'follow'
    | 'unfollow'
    | 'mute'
    | 'unmute'
    | 'mute-words'
    | 'move'
    | 'preset'
    | 'take'
    | 'mark-read'
    | 'unstar'
    | 'merge';
  readonly channelId: string | null;
}

/** A change of a line-up (arrange.ts). `now` in unix ms, by which it counts as touched; the same contents mean no change. */
export type Arrangement = (contents: LineupContents, now: number) => LineupContents;

/**
 * The channels data area that the feed, the channel page and the dial share. Made once per reader and API; no module state.
 *
 * Reads show what is kept first and the server's answer after. Changes are applied at once, written to the device, then sent.
 */
export interface Channels {
  readonly reader: Readable<ReaderState>;
  readonly connection: Readable<Connection>;
  readonly saving: Readable<Saving>;
  /** Every channel the reader may see, the operator's order. */
  readonly directory: Readable<Loadable<readonly Channel[]>>;
  /** Followed rows in dial order, then the others. */
  readonly lineup: Readable<Loadable<readonly LineupRow[]>>;
  /** Message id up to which each channel is read. */
  readonly marks: Readable<ReadonlyMap<string, number>>;
  /** Keys of the posts that stay unread although their channel's mark has passed them. */
  readonly keptUnread: Readable<ReadonlySet<string>>;
  /** Keys of starred posts, as postKey makes them. */
  readonly stars: Readable<ReadonlySet<string>>;
  /** What `undo` would take back, the last act first. */
  readonly undoable: Readable<Undoable | null>;
  /** The reader's presets, in their order. */
  readonly presets: Readable<readonly Preset[]>;
  /** Whether a post holds a word that the reader mutes in its channel; null where no word is muted. */
  readonly mutedWords: Readable<MutedWords | null>;
  /** Says that another device's changes were merged into this line-up, until it is noted; `undo` makes it this device's alone again. */
  readonly merged: Readable<Merged | null>;

  feed(filter: FeedFilter): PostList;
  posts(idOrUsername: string, query: ChannelPostsQuery): PostList;
  channel(idOrUsername: string): Readable<Loadable<Channel>>;
  /** The few newest posts, for the dial's card: from the device at once. */
  latest(channelId: string): Readable<Loadable<readonly Post[]>>;
  post(channelId: string, id: number): Readable<Loadable<{ readonly post: Post; readonly channel: Channel }>>;

  /** Changes the line-up, at once; what it gives takes exactly that back, whatever was done since. */
  arrange(done: Undoable, change: Arrangement): () => void;
  /** Lets the directory know a channel that an answer named, as one that was just added. */
  meet(channel: Channel): void;
  markRead(channelId: string, messageId: number): void;
  /** Marks all that is known of these channels as read; what it gives takes exactly that back, whatever was done since. */
  markAllRead(channelIds: readonly string[]): () => void;
  star(post: Post, starred: boolean): void;
  undo(): void;

  /** What came since lists were read, once the server's events are followed; absent on a foreign page. */
  readonly fresh?: Readable<ShownNewPosts | null>;
  /** For what belongs to the area and loads later (search.ts); absent while the area itself is on its way. */
  readonly inside?: Inside;

  /** Sends what waits and reads what is shown anew (back online, signed in). */
  refresh(): Promise<void>;
  close(): void;
}

export interface Merged {
  undo(): void;
  /** Lets the notice go. */
  note(): void;
}

export type MutedWords = (post: Pick<Post, 'channelId' | 'text'>) => boolean;

/** The key of a post in lists, stars and places: `channelId/id`. */
export const postKey = (post: { readonly channelId: string; readonly id: number }): string => `${post.channelId}/${post.id}`;

/** Orders posts newest first: by date, then channel, then message, as the server does. */
export const newestFirst = (
  one: Pick<Post, 'channelId' | 'id' | 'date'>,
  other: Pick<Post, 'channelId' | 'id' | 'date'>,
): number =>
  other.date - one.date || (one.channelId < other.channelId ? 1 : one.channelId > other.channelId ? -1 : other.id - one.id);
