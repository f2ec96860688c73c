// New posts: inserts posts that arrive by events into the lists that they belong to, or lets them wait while a list is
// read.

import type { Post } from '../../../contract/post.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { computed, onFirstSubscriber, type WatchedSignal } from '../../lib/watched-signal.ts';
import type { DataContext, NewPosts } from '../context.ts';
import { newestFirst } from '../model/post-key.ts';
import type { PostList } from '../model/types.ts';
import type { PostListPage } from '../queries/post-list/types.ts';
import { type CachedList, createListMembership, isDetached, isPost, missingPosts, replacePost } from './list-membership.ts';

/** Number of recently arrived posts in memory. A list that lacks at least half as many is refetched instead. */
const MAX_RECENT_POSTS = 200;

/** Inserts new posts into their lists. While a list has a subscriber for its waiting posts, they wait. */
export interface LivePostLists extends NewPosts {
  /** Returns every list of posts in the query cache. */
  all(): CachedList[];
  /** Resolves when a page first subscribes to waiting posts. */
  readonly observed: Promise<void>;
  /** Returns true if a list has a subscriber for waiting posts, so that new posts wait. */
  isObserved(list: PostList): boolean;
  add(post: Post): void;
  /** Replaces a post. `wasHidden` is true if it was hidden: lists that contained it insert it again. */
  replace(post: Post, wasHidden: boolean): void;
  remove(isRemoved: (post: Post) => boolean): void;
}

type PendingPosts = WatchedSignal<readonly Post[]>;

export function createLivePostLists(context: DataContext): LivePostLists {
  const { cache, userState } = context;
  const belongs = createListMembership(context);
  const recent = createSignal<readonly Post[]>([]);
  const pendingByList = new Map<PostList, PendingPosts>();
  let resolveObserved = (): void => {};
  const observed = new Promise<void>((resolve) => {
    resolveObserved = resolve;
  });

  const all = (): CachedList[] => [...cache.all('feed'), ...cache.all('channelPosts'), ...cache.all('search')];
  const findEntry = (list: PostList): CachedList | undefined => all().find((entry) => entry.value === list);
  const isObserved = (list: PostList): boolean => pendingByList.get(list)?.hasSubscribers() === true;

  /** Inserts the recent posts that a list lacks, or loads the list again. */
  function insertMissing(entry: CachedList): void {
    const posts = missingPosts(entry, recent.get(), belongs);
    if (isDetached(entry)) return void entry.value.reset(() => true);
    if (posts.length >= MAX_RECENT_POSTS / 2) return void entry.value.refresh();
    if (posts.length > 0) entry.value.edit(({ items }) => ({ items: [...posts, ...items].sort(newestFirst) }));
  }
  function createPendingPosts(list: PostList): PendingPosts {
    const entry = findEntry(list);
    const sources: readonly Signal<unknown>[] = [recent, list, userState.lineup];
    // A service message is not announced as a new post.
    const isAnnounced = ({ service }: Post): boolean => service === undefined;
    const posts = computed(sources, () => (entry ? missingPosts(entry, recent.get(), belongs).filter(isAnnounced) : []));
    return onFirstSubscriber(posts, resolveObserved);
  }
  /** Returns the recent posts with a new version of one. */
  const recentWith = (post: Post): Post[] => [post, ...recent.get().filter((other) => !isPost(post)(other))].sort(newestFirst);

  return {
    all,
    observed,
    isObserved,
    pendingFor(list) {
      const pending = pendingByList.get(list) ?? createPendingPosts(list);
      pendingByList.set(list, pending);
      return pending;
    },
    show(list) {
      const entry = findEntry(list);
      if (entry) insertMissing(entry);
    },
    add(post) {
      recent.set(recentWith(post).slice(0, MAX_RECENT_POSTS));
      for (const entry of all()) if (!isObserved(entry.value) && !isDetached(entry)) insertMissing(entry);
    },
    replace(post, wasHidden) {
      if (recent.get().some(isPost(post))) recent.set(recentWith(post));
      for (const entry of all()) replacePost(entry, post, belongs, wasHidden);
    },
    remove(isRemoved) {
      const isKept = (post: Post) => !isRemoved(post);
      recent.set(recent.get().filter(isKept));
      for (const { value } of all()) value.edit(({ items }: PostListPage) => ({ items: items.filter(isKept) }));
    },
  };
}
