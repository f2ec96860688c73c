// Types of post lists: their sources, contents and pages from the device.

import type { PagedPosts } from '../../../../contract/api.ts';
import type { Post } from '../../../../contract/post.ts';
import type { RequestOptions } from '../../../api/channels-api.ts';
import type { PostList } from '../../model/types.ts';
import type { Cached } from '../../offline/offline-store.ts';
import type { Refetchable } from '../query.ts';

/** Source of a list's pages. */
export interface PostSource {
  first(options: RequestOptions): Promise<PagedPosts>;
  page(cursor: { readonly before: string } | { readonly after: string }, options: RequestOptions): Promise<PagedPosts>;
  /** Returns the stored first page. Its `next` is undefined if only posts are stored, without a cursor. */
  readOffline(): Promise<Cached<PostListPage> | null>;
  /** Loads the module that reads cached posts. Called when no server responds. */
  readonly loadOfflineList?: (() => Promise<OfflineList>) | undefined;
}

/** A page from the device. A cursor is undefined if only cached posts are known. */
export interface PostListPage extends Omit<PagedPosts, 'next' | 'previous'> {
  readonly next: string | null | undefined;
  readonly previous: string | null | undefined;
}

export type ListEnd = 'older' | 'newer';

/**
 * The posts of a list. `cachedKeys` contains the keys of posts at its ends that were loaded only from the device. The server's
 * cursors refer to the posts between them.
 */
export interface PostListContent extends PostListPage {
  readonly cachedKeys: ReadonlySet<string>;
}

/** A list of cached posts, which replaces or continues the server's pages. */
export interface OfflineList {
  /** Returns the first page; null if nothing newer than the first displayed post is stored. */
  first(shown: Post | undefined): Promise<Cached<PostListPage> | null>;
  /** Adds stored posts at one end; null if there are no more. */
  grow(list: PostListContent, end: ListEnd): Promise<PostListContent | null>;
  /** Merges the server's page for a cursor into a list that has cached posts at that end. */
  merge(list: PostListContent, end: ListEnd, page: PagedPosts): PostListContent;
}

/** A post list in the query cache, with the changes that the data layer makes to it. */
export interface InfinitePostList extends PostList, Refetchable {
  /** Returns the newest post that was ever at the start of the list; null before the start was loaded. */
  newest(): Post | null;
  /**
   * Refetches the list and discards its previous content, which stays until the response arrives. Posts that `keep` rejects
   * disappear at once.
   */
  reset(keep: (post: Post) => boolean): Promise<void>;
  /** Applies a change from another source, such as an event, to the displayed list. */
  edit(change: (content: PostListPage) => Partial<PostListPage>): void;
}
