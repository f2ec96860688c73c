// Types of the data layer: loading states, line-up rows, lists of posts and their queries.
import type { Reader } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents, LineupEntry } from '../../../contract/lineup.ts';
import type { Post } from '../../../contract/post.ts';
import type { Readable } from '../../lib/signal.ts';

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

/** A change of a line-up (operations.ts). `now` in unix ms, by which it counts as touched; the same contents mean no change. */
export type Arrangement = (contents: LineupContents, now: number) => LineupContents;

export interface Merged {
  undo(): void;
  /** Lets the notice go. */
  note(): void;
}

export type MutedWords = (post: Pick<Post, 'channelId' | 'text'>) => boolean;
