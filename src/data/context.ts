import type { ReactNode } from 'react';
import type { Post } from '../../contract/post.ts';
import type { Api } from '../api/channels-api.ts';
import type { Cell, Readable } from '../lib/signal.ts';
import type { Link } from './connection/connection.ts';
import type { MutedWords, PostList } from './model/types.ts';
import type { ReaderState } from './mutations/user-state.ts';
import type { Device } from './offline/offline-store.ts';
import type { Acquaintance, Things } from './queries/query-cache.ts';
import type { UnreadCounts } from './queries/unread-counts.ts';

/**
 * New posts that arrived while lists were shown. They wait until the reader requests them, so that posts on the screen never
 * move.
 */
export interface NewPosts {
  /** The posts to insert at the start of a list, newest first. While this value has a subscriber, new posts wait. */
  waiting(list: PostList): Readable<readonly Post[]>;
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
  readonly hides: MutedWords | null;
}) => ReactNode;

export interface ShownNewPosts extends NewPosts {
  readonly View: NewPostsView;
}

/** Internals of a data layer, for modules that load later, such as live/live-updates.ts. */
export interface Inside {
  readonly api: Api;
  readonly link: Link;
  readonly device: Device;
  readonly things: Things;
  readonly known: Acquaintance;
  readonly unread: UnreadCounts | undefined;
  readonly state: ReaderState;
  readonly fresh: Cell<ShownNewPosts | null>;
  /** Reads the state that another tab wrote to the device. */
  reread(): Promise<void>;
  /** Fetches the line-up, read markers and stars of a signed-in reader from the server. */
  sync(): Promise<void>;
}
