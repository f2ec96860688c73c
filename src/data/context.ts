// Data context: internals of the data layer for modules that load later, and the interface of new posts.
import type { ReactNode } from 'react';
import type { Post } from '../../contract/post.ts';
import type { ChannelsApi } from '../api/channels-api.ts';
import type { Signal, WritableSignal } from '../lib/signal.ts';
import type { Connection } from './connection/connection.ts';
import type { MutedWordsFilter, PostList } from './model/types.ts';
import type { UserState } from './mutations/user-state.ts';
import type { OfflineStore } from './offline/offline-store.ts';
import type { ChannelDirectory } from './queries/channel-directory.ts';
import type { ChannelIndex, QueryCache } from './queries/query-cache.ts';
import type { UnreadCounts } from './queries/unread-counts.ts';

/**
 * New posts that arrived while lists were shown. They wait until the reader requests them, so that posts on the screen never
 * move.
 */
export interface NewPosts {
  /** The posts to insert at the start of a list, newest first. While this value has a subscriber, new posts wait. */
  pendingFor(list: PostList): Signal<readonly Post[]>;
  /** Inserts the waiting posts into the list. */
  show(list: PostList): void;
}

/**
 * Component above a list that offers the new posts. It is loaded together with the event handling, so that pages do not load
 * it themselves.
 */
export type NewPostsView = (props: {
  readonly fresh: NewPosts;
  readonly list: PostList;
  readonly feed: { readonly current: HTMLElement | null };
  /** Matches the posts that the list hides. */
  readonly hides: MutedWordsFilter | null;
}) => ReactNode;

export interface NewPostsWithView extends NewPosts {
  readonly View: NewPostsView;
}

/** Internals of a data layer, for modules that load later, such as live/live-updates.ts. */
export interface DataContext {
  readonly api: ChannelsApi;
  readonly connection: Connection;
  readonly offline: OfflineStore;
  readonly cache: QueryCache;
  readonly channelIndex: ChannelIndex;
  readonly directory: ChannelDirectory;
  readonly unreadCounts: UnreadCounts | undefined;
  readonly userState: UserState;
  readonly newPosts: WritableSignal<NewPostsWithView | null>;
  /** Reads the state that another tab wrote to the device. */
  reloadFromStorage(): Promise<void>;
  /** Fetches the line-up, read markers and stars of a signed-in reader from the server. */
  sync(): Promise<void>;
}
