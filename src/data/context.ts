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

/** What came while lists were shown, and waits to be asked for: nothing that is read ever moves. */
export interface NewPosts {
  /** The posts that a list would begin with, newest first; while this is watched, they wait. */
  waiting(list: PostList): Readable<readonly Post[]>;
  /** Puts them into the list. */
  show(list: PostList): void;
}

/** What says so above a list; it comes with what follows the server's events, so that no page loads it itself. */
export type NewPostsView = (props: {
  readonly fresh: NewPosts;
  readonly list: PostList;
  readonly feed: { readonly current: HTMLElement | null };
  /** Finds what the list keeps out. */
  readonly hides: MutedWords | null;
}) => ReactNode;

export interface ShownNewPosts extends NewPosts {
  readonly View: NewPostsView;
}

/** The inside of a data area, for what follows the server's events (live.ts), which loads later. */
export interface Inside {
  readonly api: Api;
  readonly link: Link;
  readonly device: Device;
  readonly things: Things;
  readonly known: Acquaintance;
  readonly unread: UnreadCounts | undefined;
  readonly state: ReaderState;
  readonly fresh: Cell<ShownNewPosts | null>;
  /** Takes over what another tab wrote to the device. */
  reread(): Promise<void>;
  /** Reads a signed-in reader's line-up, marks and stars of the server. */
  sync(): Promise<void>;
}
