// New posts: inserts posts that arrive by events into the lists that contain them, or holds them back while a list is read.

import type { Post } from '../../../contract/post.ts';
import { showsMedia } from '../../../contract/shown-media.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import { derived, type Watched, watched } from '../../lib/watched-signal.ts';
import type { Inside, NewPosts } from '../context.ts';
import { DEFAULT, feedIds } from '../lineup/selectors.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { PostList } from '../model/types.ts';
import type { GrowingList, HeldPage } from '../queries/post-list/post-list.ts';
import type { Query } from '../queries/query-cache.ts';

/** Number of recently arrived posts in memory. A list that misses at least half as many is refetched instead. */
const REMEMBERED = 200;

/** A list in the query cache, with its query. */
export interface Shown {
  readonly query: Query;
  readonly list: GrowingList;
}

/** Inserts new posts into their lists. While a list has a subscriber for its waiting posts, they wait. */
export interface LiveLists extends NewPosts {
  /** Returns every list in the query cache. */
  all(): Shown[];
  /** Resolves when a page first subscribes to waiting posts. */
  readonly read: Promise<void>;
  /** Returns true if a list has a subscriber for waiting posts, so that new posts wait. */
  isRead(list: PostList): boolean;
  came(post: Post): void;
  changed(post: Post): void;
  left(isGone: (post: Post) => boolean): void;
}

type Waiting = Watched<readonly Post[]>;

export function createLiveLists({ things, known, state: { lineup, marks } }: Inside): LiveLists {
  const recent = createCell<readonly Post[]>([]);
  const waitings = new Map<PostList, Waiting>();
  let begun = (): void => {};
  const read = new Promise<void>((resolve) => {
    begun = resolve;
  });

  const all = (): Shown[] =>
    [...things.all.values()].flatMap(({ query, thing }) =>
      // Sound: these two query names create lists.
      query[0] === 'feed' || query[0] === 'posts' ? [{ query, list: thing as GrowingList }] : [],
    );
  const idOf = (name: unknown): unknown => (typeof name === 'string' ? (known.find(name)?.id ?? name) : name);

  function isOfFeed(channelId: string, named: unknown): boolean {
    const ids = Array.isArray(named) ? named.map(idOf) : feedIds(lineup.get() ?? DEFAULT, Date.now() / 1000);
    return ids === undefined || ids.includes(channelId);
  }
  /**
   * Returns true if a list fetched now would contain a post; false for a search, and for posts around one or around a date.
   */
  function belongs({ query: [name, of, ...rest] }: Shown, post: Post): boolean {
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
  function lacking(shown: Shown): readonly Post[] {
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
  const isFar = ({ list }: Shown): boolean => {
    const state = list.get();
    return state.type === 'loaded' && state.newer !== 'end';
  };
  function show(shown: Shown): void {
    const posts = lacking(shown);
    if (isFar(shown)) return void shown.list.restart(() => true);
    if (posts.length >= REMEMBERED / 2) return void shown.list.refresh();
    if (posts.length > 0) shown.list.edit(({ items }) => ({ items: [...posts, ...items].sort(newestFirst) }));
  }
  const isRead = (list: PostList): boolean => waitings.get(list)?.isWatched() === true;
  /**
   * Replaces a post in a list. A post within the list's range that the list does not contain was unhidden; it is inserted.
   */
  function put(shown: Shown, post: Post): void {
    const key = postKey(post);
    const isWhole = shown.query[0] === 'feed' ? shown.query[2] === 'all' : shown.query[3] !== true;
    shown.list.edit(({ items }) => {
      if (items.some((one) => postKey(one) === key)) return { items: items.map((one) => (postKey(one) === key ? post : one)) };
      const [first, last] = [items[0], items.at(-1)];
      const isWithin = first && last && newestFirst(first, post) < 0 && newestFirst(post, last) < 0;
      return isWithin && isWhole && belongs(shown, post) ? { items: [...items, post].sort(newestFirst) } : {};
    });
  }
  const of = (list: PostList): Shown | undefined => all().find((shown) => shown.list === list);

  function makeWaiting(list: PostList): Waiting {
    const shown = of(list);
    const sources: readonly Readable<unknown>[] = [recent, list, lineup];
    const posts = derived(sources, () => (shown ? lacking(shown).filter(isNews) : []));
    return watched(posts, begun);
  }
  const withoutKey = (post: Post) => recent.get().filter((one) => postKey(one) !== postKey(post));

  return {
    all,
    read,
    isRead,
    waiting(list) {
      const made = waitings.get(list) ?? makeWaiting(list);
      waitings.set(list, made);
      return made;
    },
    show(list) {
      const shown = of(list);
      if (shown) show(shown);
    },
    came(post) {
      recent.set([post, ...withoutKey(post)].sort(newestFirst).slice(0, REMEMBERED));
      for (const shown of all()) if (!isRead(shown.list) && !isFar(shown)) show(shown);
    },
    changed(post) {
      if (recent.get().some((one) => postKey(one) === postKey(post))) recent.set([post, ...withoutKey(post)].sort(newestFirst));
      for (const shown of all()) put(shown, post);
    },
    left(isGone) {
      recent.set(recent.get().filter((post) => !isGone(post)));
      for (const { list } of all())
        list.edit(({ items }: HeldPage) => (items.some(isGone) ? { items: items.filter((post) => !isGone(post)) } : {}));
    },
  };
}
