// Interface of the data layer that the pages use: observable state, queries and actions.

import type { Channel } from '../../../contract/channel.ts';
import type { Preset } from '../../../contract/lineup.ts';
import type { Post } from '../../../contract/post.ts';
import type { Readable } from '../../lib/signal.ts';
import type { Inside, ShownNewPosts } from '../context.ts';
import type {
  Arrangement,
  ChannelPostsQuery,
  Connection,
  FeedFilter,
  LineupRow,
  Loadable,
  Merged,
  MutedWords,
  PostList,
  ReaderState,
  Saving,
  Undoable,
} from './types.ts';

/**
 * The data layer, shared by the feed, the channel page and the dial. One instance per reader and API; no module-level state.
 *
 * Reads return stored data first and the server's response afterwards. Changes apply at once, then are written to the device,
 * then sent.
 */
export interface Channels {
  readonly reader: Readable<ReaderState>;
  readonly connection: Readable<Connection>;
  readonly saving: Readable<Saving>;
  /** Every channel that the reader may see, in the operator's order. */
  readonly directory: Readable<Loadable<readonly Channel[]>>;
  /** Followed rows in dial order, then the others. */
  readonly lineup: Readable<Loadable<readonly LineupRow[]>>;
  /** Message id up to which each channel is read (read markers). */
  readonly marks: Readable<ReadonlyMap<string, number>>;
  /** Keys of posts that remain unread although the channel's read marker has passed them. */
  readonly keptUnread: Readable<ReadonlySet<string>>;
  /** Keys of starred posts, in the form of `postKey`. */
  readonly stars: Readable<ReadonlySet<string>>;
  /** The action that `undo` reverts: the last one. */
  readonly undoable: Readable<Undoable | null>;
  /** The reader's presets, in their order. */
  readonly presets: Readable<readonly Preset[]>;
  /** Returns true for a post with a muted keyword of its channel; null where no keyword is muted. */
  readonly mutedWords: Readable<MutedWords | null>;
  /**
   * Notice that another device's changes were merged into this line-up; null after it is acknowledged. Its `undo` restores
   * this device's line-up.
   */
  readonly merged: Readable<Merged | null>;

  feed(filter: FeedFilter): PostList;
  posts(idOrUsername: string, query: ChannelPostsQuery): PostList;
  channel(idOrUsername: string): Readable<Loadable<Channel>>;
  /** The few newest posts, for the dial's card. Stored posts are returned at once. */
  latest(channelId: string): Readable<Loadable<readonly Post[]>>;
  post(channelId: string, id: number): Readable<Loadable<{ readonly post: Post; readonly channel: Channel }>>;

  /** Changes the line-up at once. Returns a function that reverts exactly this change, whatever was done since. */
  arrange(done: Undoable, change: Arrangement): () => void;
  /** Adds a channel from a response to the directory, for example one that was just added. */
  meet(channel: Channel): void;
  markRead(channelId: string, messageId: number): void;
  /**
   * Marks all known posts of these channels as read. Returns a function that reverts exactly this, whatever was done since.
   */
  markAllRead(channelIds: readonly string[]): () => void;
  star(post: Post, starred: boolean): void;
  undo(): void;

  /** New posts since the lists were loaded, once the server's events are followed; absent on a third-party page. */
  readonly fresh?: Readable<ShownNewPosts | null>;
  /** Internals for modules that load later (queries/search.ts); absent while the data layer itself loads. */
  readonly inside?: Inside;

  /** Sends pending changes and refetches what is shown (back online, signed in). */
  refresh(): Promise<void>;
  close(): void;
}
