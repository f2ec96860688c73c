// Interface of the data layer that the pages use: observable state, queries and actions.

import type { Channel } from '../../../contract/channel.ts';
import type { Preset } from '../../../contract/lineup.ts';
import type { Post } from '../../../contract/post.ts';
import type { Signal } from '../../lib/signal.ts';
import type { DataContext, NewPostsWithView } from '../context.ts';
import type {
  ChannelPostsQuery,
  Connectivity,
  FeedFilter,
  LineupOperation,
  LineupRow,
  Loadable,
  MergeNotice,
  MutedWordsFilter,
  PostList,
  SessionState,
  SyncStatus,
  Undoable,
} from './types.ts';

/**
 * The data layer, shared by the feed, the channel page and the dial. One instance per reader and API; no module-level state.
 *
 * Reads return stored data first and the server's response afterwards. Changes apply at once, then are written to the device,
 * then sent.
 */
export interface DataClient {
  readonly session: Signal<SessionState>;
  readonly connectivity: Signal<Connectivity>;
  readonly syncStatus: Signal<SyncStatus>;
  /** Every channel that the reader may see, in the operator's order. */
  readonly directory: Signal<Loadable<readonly Channel[]>>;
  /** Followed rows in dial order, then the others. */
  readonly lineup: Signal<Loadable<readonly LineupRow[]>>;
  /** Message id up to which each channel is read (read markers). */
  readonly readMarkers: Signal<ReadonlyMap<string, number>>;
  /** Keys of posts that remain unread although the channel's read marker has passed them. */
  readonly keptUnread: Signal<ReadonlySet<string>>;
  /** Keys of starred posts, in the form of `postKey`. */
  readonly stars: Signal<ReadonlySet<string>>;
  /** The action that `undo` reverts: the last one. */
  readonly undoable: Signal<Undoable | null>;
  /** The reader's presets, in their order. */
  readonly presets: Signal<readonly Preset[]>;
  /** Returns true for a post with a muted keyword of its channel; null if no keyword is muted. */
  readonly mutedWords: Signal<MutedWordsFilter | null>;
  /**
   * Notice that another device's changes were merged into this line-up; null after it is acknowledged. Its `undo` restores
   * this device's line-up.
   */
  readonly merged: Signal<MergeNotice | null>;

  feed(filter: FeedFilter): PostList;
  posts(idOrUsername: string, query: ChannelPostsQuery): PostList;
  channel(idOrUsername: string): Signal<Loadable<Channel>>;
  /** The few newest posts, for the dial's card. Stored posts are returned at once. */
  latestPosts(channelId: string): Signal<Loadable<readonly Post[]>>;
  post(channelId: string, id: number): Signal<Loadable<{ readonly post: Post; readonly channel: Channel }>>;

  /** Changes the line-up at once. Returns a function that reverts exactly this change, even after later changes. */
  applyLineupOperation(action: Undoable, operation: LineupOperation): () => void;
  /** Adds a channel from a response to the directory, for example one that was just added. */
  addChannel(channel: Channel): void;
  markRead(channelId: string, messageId: number): void;
  /** Marks all known posts of these channels as read. Returns a function that reverts exactly this, even after later changes. */
  markAllRead(channelIds: readonly string[]): () => void;
  star(post: Post, starred: boolean): void;
  undo(): void;

  /** New posts since the lists were loaded, once the server's events are followed; absent on a third-party page. */
  readonly newPosts?: Signal<NewPostsWithView | null>;
  /** Internals for modules that load later (queries/search.ts); absent while the data layer itself loads. */
  readonly context?: DataContext;

  /** Sends pending changes and refetches what is shown, for example after a sign-in or when the network is back. */
  refresh(): Promise<void>;
  close(): void;
}
