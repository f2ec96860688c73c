// Types of the data layer: loading states, line-up rows, lists of posts and their queries.
import type { Reader } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { LineupContents, LineupEntry } from '../../../contract/lineup.ts';
import type { Post } from '../../../contract/post.ts';
import type { Signal } from '../../lib/signal.ts';

/** Loading state of a value. `cachedAt` is set if the value comes from this device: the time when it was stored, unix ms. */
export type Loadable<Value> =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly message: string; readonly status: number | null }
  | { readonly type: 'loaded'; readonly value: Value; readonly cachedAt: number | null };

/** A row of the line-up, in dial order. `number` counts the followed rows from 1; it is null for the others. */
export interface LineupRow {
  readonly channel: Channel;
  readonly entry: LineupEntry;
  readonly number: number | null;
  readonly followed: boolean;
  readonly muted: boolean;
  /** Unread count, at most 100, which means "99+". Muted channels have a count too. */
  readonly unread: number;
}

/**
 * Synchronization status of the reader's changes: on the server, waiting to be sent, or rejected by it. Changes of an anonymous
 * reader count as saved when they are on the device.
 */
export type SyncStatus = { readonly type: 'saved' } | PendingChanges | RejectedChange;

export interface PendingChanges {
  readonly type: 'waiting';
  readonly count: number;
  /** Set if every pending change is a read marker. */
  readonly onlyReadMarkers?: true;
}

/** A change that the server rejected, with the status of its response. A rejected line-up is not reverted. */
export interface RejectedChange {
  readonly type: 'rejected';
  readonly changeType: 'lineup' | 'mark' | 'star' | 'kept-unread';
  readonly status: number | null;
  /** Discards the change; the server's state is shown. */
  discard(): void;
}

/** Session of the reader. `expected`: launch data or stored data name a reader, and the sign-in has not completed yet. */
export type SessionState =
  | { readonly type: 'anonymous' }
  | { readonly type: 'expected'; readonly id: string }
  | { readonly type: 'signed-in'; readonly user: Reader };

/** `offline`: the device has no network. `unreachable`: the device has a network, but the server does not respond. */
export type Connectivity = 'online' | 'offline' | 'unreachable';

/** Posts that a feed contains. */
export interface FeedFilter {
  /** Channels to show instead of the reader's line-up. */
  readonly channelIds?: readonly string[];
  readonly show?: 'all' | 'unread' | 'starred' | 'media';
  /** Number of posts that one request fetches. */
  readonly limit?: number;
}

/** Posts of a channel: their filter, and where the list starts. */
export interface ChannelPostsQuery {
  /** Search text. */
  readonly q?: string;
  /** Only posts with files. */
  readonly media?: boolean;
  /** Message id: starts at this message instead of the newest one. */
  readonly around?: number;
  /** Starts at the newest post at or before this time, unix seconds; at the oldest post if all are newer. */
  readonly date?: number;
  /** Number of posts that one request fetches. */
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
      /** State of the list's older end. `end` means that there are no further posts. */
      readonly older: 'idle' | 'loading' | 'failed' | 'end';
      /** State of the list's newer end. */
      readonly newer: 'idle' | 'loading' | 'failed' | 'end';
      /** Time when the list was stored, unix ms, if it comes from this device; null when it is fresh. */
      readonly cachedAt: number | null;
    };

/**
 * A list of posts that grows at both ends. The same query returns the same list for the lifetime of the data layer, so that
 * Back shows it unchanged.
 */
export interface PostList extends Signal<PostListState> {
  /** Loads the next older page. Does nothing while a load is in progress, or at the end. */
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Refetches the list from its start. The current posts stay visible until the response arrives. */
  refresh(): Promise<void>;
  /**
   * Scroll anchor: the page writes and restores it. `offset` is the distance of the post's top from the viewport's top, CSS
   * px. The list adds `from`, the cursor of the post's page; it starts there when the post is not loaded yet.
   */
  scrollAnchor: { readonly key: string; readonly offset: number; readonly from?: string | undefined } | null;
}

/**
 * Action that the reader can undo, for the label of the undo button. `channelId` is the channel that it changed; null for
 * several channels or none.
 */
export interface Undoable {
  readonly action:
    | 'follow'
    | 'unfollow'
    | 'mute'
    | 'unmute'
    | 'mute-words'
    | 'move'
    | 'preset'
    /** Replaced the line-up by a received one. */
    | 'take'
    | 'mark-read'
    | 'unstar'
    | 'merge';
  readonly channelId: string | null;
}

/**
 * Function that changes a line-up (lineup/operations.ts). `now` is the time that it records as the time of the change, unix ms.
 * It returns the same object if there is nothing to change.
 */
export type LineupOperation = (contents: LineupContents, now: number) => LineupContents;

/** Notice that another device's changes were merged into the line-up. */
export interface MergeNotice {
  /** Restores the line-up before the merge. */
  undo(): void;
  /** Dismisses the notice. */
  dismiss(): void;
}

/** Returns true if a post contains a word that the reader muted in its channel. */
export type MutedWordsFilter = (post: Pick<Post, 'channelId' | 'text'>) => boolean;
