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
