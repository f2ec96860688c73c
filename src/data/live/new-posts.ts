// New posts: inserts posts that arrive by events into the lists that contain them, or holds them back while a list is read.

import type { Post } from '../../../contract/post.ts';
import { showsMedia } from '../../../contract/shown-media.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { computed, onFirstSubscriber, type WatchedSignal } from '../../lib/watched-signal.ts';
import type { DataContext, NewPosts } from '../context.ts';
import { DEFAULT_LINEUP, feedChannelIds } from '../lineup/selectors.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { PostList } from '../model/types.ts';
import type { InfinitePostList, PostListPage } from '../queries/post-list/post-list.ts';
import type { QueryKey } from '../queries/query-cache.ts';

/** Number of recently arrived posts in memory. A list that misses at least half as many is refetched instead. */
const MAX_RECENT_POSTS = 200;

/** A list in the query cache, with its query. */
export interface ShownList {
  readonly key: QueryKey;
  readonly list: InfinitePostList;
}

/** Inserts new posts into their lists. While a list has a subscriber for its waiting posts, they wait. */
export interface LivePostLists extends NewPosts {
  /** Returns every list in the query cache. */
  all(): ShownList[];
  /** Resolves when a page first subscribes to waiting posts. */
  readonly observed: Promise<void>;
  /** Returns true if a list has a subscriber for waiting posts, so that new posts wait. */
  isObserved(list: PostList): boolean;
  added(post: Post): void;
  changed(post: Post): void;
  removed(isGone: (post: Post) => boolean): void;
}

type PendingPosts = WatchedSignal<readonly Post[]>;

export function createLivePostLists({
  cache: things,
  channelIndex: known,
  userState: { lineup, readMarkers: marks },
}: DataContext): LivePostLists {
  const recent = createSignal<readonly Post[]>([]);
  const waitings = new Map<PostList, PendingPosts>();
  let begun = (): void => {};
  const read = new Promise<void>((resolve) => {
    begun = resolve;
  });

  const all = (): ShownList[] =>
    [...things.entries.values()].flatMap(({ key, query }) =>
      // Sound: these two query names create lists.
      key[0] === 'feed' || key[0] === 'posts' ? [{ key, list: query as InfinitePostList }] : [],
    );
  const idOf = (name: unknown): unknown => (typeof name === 'string' ? (known.get(name)?.id ?? name) : name);

  function isOfFeed(channelId: string, named: unknown): boolean {
    const ids = Array.isArray(named) ? named.map(idOf) : feedChannelIds(lineup.get() ?? DEFAULT_LINEUP, Date.now() / 1000);
    return ids === undefined || ids.includes(channelId);
  }
  /**
   * Returns true if a list fetched now would contain a post; false for a search, and for posts around one or around a date.
   */
  function belongs({ key: [name, of, ...rest] }: ShownList, post: Post): boolean {
    if (name === 'feed') {
      const [show] = rest;
      if (show === 'starred' || (show === 'media' && !showsMedia(post.media))) return false;
      return isOfFeed(post.channelId, of) && (show !== 'unread' || post.id > (marks.get().get(post.channelId) ?? 0));
    }
    const [q, media, around, , date] = rest;
    return (q ?? around ?? date) === undefined && idOf(of) === post.channelId && (media !== true || showsMedia(post.media));
  }
  /** Returns false for a service message, which is not announced as a new post. */
  const isNews = ({ service }: Post): boolean => service === undefined;
  function lacking(shown: ShownList): readonly Post[] {
    const state = shown.list.get();
    if (state.type !== 'loaded') return [];
    const held = new Set(state.posts.map(postKey));
    const last = state.older === 'end' ? undefined : state.posts.at(-1);
    // A list whose loaded part does not reach the newest posts only lacks posts newer than the newest one it knows.
    const newest = state.newer === 'end' ? null : shown.list.newest();
    return recent
      .get()
      .filter((post) => !held.has(postKey(post)) && belongs(shown, post) && (last === undefined || newestFirst(post, last) < 0))
      .filter((post) => newest === null || newestFirst(post, newest) < 0);
  }
  const isFar = ({ list }: ShownList): boolean => {
    const state = list.get();
    return state.type === 'loaded' && state.newer !== 'end';
  };
  function show(shown: ShownList): void {
    const posts = lacking(shown);
    if (isFar(shown)) return void shown.list.reset(() => true);
    if (posts.length >= MAX_RECENT_POSTS / 2) return void shown.list.refresh();
    if (posts.length > 0) shown.list.edit(({ items }) => ({ items: [...posts, ...items].sort(newestFirst) }));
  }
  const isRead = (list: PostList): boolean => waitings.get(list)?.hasSubscribers() === true;
  /**
   * Replaces a post in a list. A post within the list's range that the list does not contain was unhidden; it is inserted.
   */
  function put(shown: ShownList, post: Post): void {
    const key = postKey(post);
    const isWhole = shown.key[0] === 'feed' ? shown.key[2] === 'all' : shown.key[3] !== true;
    shown.list.edit(({ items }) => {
      if (items.some((one) => postKey(one) === key)) return { items: items.map((one) => (postKey(one) === key ? post : one)) };
      const [first, last] = [items[0], items.at(-1)];
      const isWithin = first && last && newestFirst(first, post) < 0 && newestFirst(post, last) < 0;
      return isWithin && isWhole && belongs(shown, post) ? { items: [...items, post].sort(newestFirst) } : {};
    });
  }
  const of = (list: PostList): ShownList | undefined => all().find((shown) => shown.list === list);

  function makeWaiting(list: PostList): PendingPosts {
    const shown = of(list);
    const sources: readonly Signal<unknown>[] = [recent, list, lineup];
    const posts = computed(sources, () => (shown ? lacking(shown).filter(isNews) : []));
    return onFirstSubscriber(posts, begun);
  }
  const withoutKey = (post: Post) => recent.get().filter((one) => postKey(one) !== postKey(post));

  return {
    all,
    observed: read,
    isObserved: isRead,
    pendingFor(list) {
      const made = waitings.get(list) ?? makeWaiting(list);
      waitings.set(list, made);
      return made;
    },
    show(list) {
      const shown = of(list);
      if (shown) show(shown);
    },
    added(post) {
      recent.set([post, ...withoutKey(post)].sort(newestFirst).slice(0, MAX_RECENT_POSTS));
      for (const shown of all()) if (!isRead(shown.list) && !isFar(shown)) show(shown);
    },
    changed(post) {
      if (recent.get().some((one) => postKey(one) === postKey(post))) recent.set([post, ...withoutKey(post)].sort(newestFirst));
      for (const shown of all()) put(shown, post);
    },
    removed(isGone) {
      recent.set(recent.get().filter((post) => !isGone(post)));
      for (const { list } of all())
        list.edit(({ items }: PostListPage) => (items.some(isGone) ? { items: items.filter((post) => !isGone(post)) } : {}));
    },
  };
}
