// Post list: cursor pagination at both ends, with refresh, offline pages and a bounded number of posts.

import type { PagedPosts } from '../../../../contract/api.ts';
import type { Channel } from '../../../../contract/channel.ts';
import type { Post } from '../../../../contract/post.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { RequestOptions } from '../../../api/channels-api.ts';
import { createSignal } from '../../../lib/signal.ts';
import { onFirstSubscriber } from '../../../lib/watched-signal.ts';
import { type Connection, toRequestFailure } from '../../connection/connection.ts';
import { postKey } from '../../model/post-key.ts';
import type { PostList, PostListState } from '../../model/types.ts';
import type { Cached } from '../../offline/offline-store.ts';
import type { Refetchable } from '../query.ts';

/** Source of a list's pages. */
export interface PostSource {
  first(how: RequestOptions): Promise<PagedPosts>;
  page(cursor: { readonly before: string } | { readonly after: string }, how: RequestOptions): Promise<PagedPosts>;
  /** Returns the stored first page. Its `next` is undefined where only posts are stored, without a cursor. */
  readOffline(): Promise<Cached<PostListPage> | null>;
  /** Loads the module that reads cached posts, for when no server responds. */
  readonly loadOfflineList?: (() => Promise<OfflineList>) | undefined;
}

/** A page from the device. A cursor is undefined where only cached posts are known. */
export interface PostListPage extends Omit<PagedPosts, 'next' | 'previous'> {
  readonly next: string | null | undefined;
  readonly previous: string | null | undefined;
}

export type ListEnd = 'older' | 'newer';

/**
 * The posts of a list. `cached` contains the keys of posts at its ends that came only from the device; the server's cursors
 * apply before them.
 */
export interface PostListContent extends PostListPage {
  readonly cachedKeys: ReadonlySet<string>;
}

export interface OfflineList {
  /** Returns the first page; null where nothing newer than the first displayed post is stored. */
  first(shown: Post | undefined): Promise<Cached<PostListPage> | null>;
  /** Adds stored posts at one end; null where there are no more. */
  grow(list: PostListContent, end: ListEnd): Promise<PostListContent | null>;
  /** Merges the server's page for a cursor into a list that has cached posts at that end. */
  merge(list: PostListContent, end: ListEnd, page: PagedPosts): PostListContent;
}

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

/** A list with more posts than the first number evicts those at its other end, down to the second number. */
const MAX_LOADED_POSTS = 3000;
const TRIMMED_POSTS = 2000;

/** Cursors at the border between two pages. The list uses them to reload evicted posts. */
interface PageBoundary {
  readonly before: string;
  readonly after: string;
}

type EndState = 'idle' | 'loading' | 'failed';

interface ShownContent extends PostListContent {
  readonly cachedAt: number | null;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Creates a list that grows at both ends by cursors, evicts distant posts, and never contains a post twice. */
export function createPostList(link: Connection, source: PostSource, now: () => number): InfinitePostList {
  const cell = createSignal<PostListState>({ type: 'loading' });
  const ends = { older: 'idle' as EndState, newer: 'idle' as EndState };
  let content: ShownContent | null = null;
  let channels: ReadonlyMap<string, Channel> = new Map();
  /** By key of the post below the border. */
  const seams = new Map<string, PageBoundary>();
  let place: PostList['scrollAnchor'] = null;
  let newest: Post | null = null;
  let begun = false;
  let due: 'nothing' | 'renewal' | 'restart' = 'nothing';
  let at = now();
  // `turn` numbers the refetches: only the response of the latest one counts. `epoch` numbers the restarts: a page that was
  // requested in a previous epoch is discarded.
  let turn = 0;
  let epoch = 0;

  function show(next: ShownContent): void {
    // An unchanged channel remains the same object, so that displayed posts are not rendered again.
    for (const one of next.channels)
      if (JSON.stringify(one) !== JSON.stringify(channels.get(one.id))) channels = new Map(channels).set(one.id, one);
    content = next;
    if (next.previous === null) newest = next.items[0] ?? newest;
    cell.set({
      type: 'loaded',
      posts: next.items,
      channels,
      older: next.next === null ? 'end' : ends.older,
      newer: next.previous === null ? 'end' : ends.newer,
      cachedAt: next.cachedAt,
    });
  }
  async function showHeld(): Promise<void> {
    const held = await source.readOffline();
    if (held === null || content !== null || link.isClosed()) return;
    showCached(held);
  }
  function showCached({ value, at: since }: Cached<PostListPage>): void {
    at = since;
    const items = uniquePosts(value.items);
    show({ ...value, items, cachedAt: at, cachedKeys: value.next === undefined ? new Set(items.map(postKey)) : NO_KEYS });
  }
  async function read(fresh: boolean, anew: boolean): Promise<void> {
    const mine = ++turn;
    due = 'nothing';
    const from = content === null && !anew ? place?.from : undefined;
    const showing = begun || from !== undefined ? null : showHeld();
    begun = true;
    try {
      const page = await link.request(
        (how) => (from === undefined ? source.first(how) : source.page({ before: from }, how)),
        fresh,
      );
      if (mine !== turn || link.isClosed()) return;
      if (from !== undefined) sew(page.items[0], from, page.previous);
      at = now();
      // A list whose loaded part does not include the start keeps its position.
      const far = content?.previous === null ? null : content;
      const joined = anew || content === null ? null : (mergePage(content, page) ?? far);
      if (joined === null) epoch++;
      if (ends.older === 'failed') ends.older = 'idle';
      if (ends.newer === 'failed') ends.newer = 'idle';
      show({ ...(joined ?? { ...page, items: uniquePosts(page.items), cachedKeys: NO_KEYS }), cachedAt: null });
    } catch (thrown) {
      // The request was cancelled because the list had no subscribers any more. The next subscriber sends it again.
      if (thrown instanceof ApiError && thrown.cancelled) {
        if (mine === turn) begun = false;
        return;
      }
      await showing;
      if (mine !== turn || link.isClosed()) return;
      if (from !== undefined) {
        place = null;
        begun = false;
        return read(fresh, anew);
      }
      const { message, status, unreachable: unheard } = toRequestFailure(thrown);
      // The device may have stored newer posts than the first page that is shown.
      const cached = unheard && content?.cachedAt !== null ? await fromDevice((list) => list.first(content?.items[0])) : null;
      if (mine !== turn || link.isClosed()) return;
      if (cached) showCached(cached);
      if (content === null) cell.set({ type: 'failed', message, status });
      else show({ ...content, cachedAt: at });
    }
  }
  async function fromDevice<Value>(read: (list: OfflineList) => Promise<Value>): Promise<Value | null> {
    // Without a network, this chunk may fail to load.
    return (
      source
        .loadOfflineList?.()
        .then(read)
        .catch(() => null) ?? null
    );
  }
  async function grow(end: ListEnd): Promise<void> {
    const cursor = end === 'older' ? content?.next : content?.previous;
    if (content === null || cursor === null || ends[end] === 'loading' || link.isClosed()) return;
    const mine = epoch;
    ends[end] = 'loading';
    show(content);
    let outcome: EndState = 'idle';
    let grown: PostListContent | null = null;
    let isCached = false;
    try {
      if (cursor === undefined) throw new Error('Only cached posts are known');
      const page = await link.request((how) => source.page(end === 'older' ? { before: cursor } : { after: cursor }, how));
      if (content.cachedKeys.size > 0) grown = (await source.loadOfflineList?.())?.merge(content, end, page) ?? null;
      grown ??= {
        ...page,
        cachedKeys: NO_KEYS,
        items: uniquePosts(end === 'older' ? [...content.items, ...page.items] : [...page.items, ...content.items]),
        ...(end === 'older' ? { previous: content.previous } : { next: content.next }),
      };
      if (end === 'older') sew(page.items[0], cursor, page.previous);
      else sew(content.items[0], page.next, cursor);
    } catch {
      const base = content;
      grown = await fromDevice((list) => list.grow(base, end));
      isCached = true;
      if (grown === null) outcome = 'failed';
    }
    ends[end] = outcome;
    if (link.isClosed()) return;
    const isNext = cursor === (end === 'older' ? content.next : content.previous);
    if (grown === null || mine !== epoch || !isNext) return show(content);
    // A refresh may have finished in the meantime: the current state of the list counts.
    show(bounded({ ...grown, cachedAt: isCached ? at : content.cachedAt }, end));
  }
  function sew(below: Post | undefined, before: string | null, after: string | null): void {
    if (below !== undefined && before !== null && after !== null) seams.set(postKey(below), { before, after });
  }
  const seamAt = (post: Post | undefined): PageBoundary | undefined => post && seams.get(postKey(post));
  /** Evicts the posts farthest from the end that grew, up to the border between two pages. */
  function bounded(grown: ShownContent, end: 'older' | 'newer'): ShownContent {
    const { items } = grown;
    if (items.length <= MAX_LOADED_POSTS) return grown;
    const beyond = end === 'older' ? items.length - TRIMMED_POSTS : TRIMMED_POSTS;
    const cut = items.findIndex((post, index) => index >= beyond && seamAt(post));
    const seam = seamAt(items[cut]);
    if (seam === undefined) return grown;
    return end === 'older'
      ? { ...grown, items: items.slice(cut), previous: seam.after }
      : { ...grown, items: items.slice(0, cut), next: seam.before };
  }
  /** Returns the cursor of the page that contains a post; undefined for the first page. */
  function cursorTo(key: string): string | undefined {
    const items = content?.items ?? [];
    const index = items.findIndex((post) => postKey(post) === key);
    return seamAt(items.findLast((post, at) => at <= index && seamAt(post)))?.before;
  }

  const readable = onFirstSubscriber(cell, () => {
    if (!begun || due !== 'nothing' || cell.get().type === 'failed') void read(due !== 'nothing', due === 'restart');
  });
  return {
    ...readable,
    get scrollAnchor() {
      return place;
    },
    set scrollAnchor(next) {
      place = next && content ? { ...next, from: cursorTo(next.key) } : next;
    },
    newest: () => newest,
    loadOlder: () => grow('older'),
    loadNewer: () => grow('newer'),
    refresh: () => read(true, false),
    async refetch() {
      if (readable.hasSubscribers()) await read(true, false);
      else if (due === 'nothing') due = 'renewal';
    },
    edit(change) {
      if (content !== null) show({ ...content, ...change(content) });
    },
    async reset(keep) {
      if (content !== null) show({ ...content, items: content.items.filter(keep) });
      if (readable.hasSubscribers()) await read(true, true);
      else due = 'restart';
    },
  };
}

/** Removes duplicates: the later object is used, at the position of the first one. */
export function uniquePosts(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [postKey(post), post])).values()];
}

/**
 * Merges a fetched page into the list that it overlaps, so that previously loaded pages remain. Returns null when there is a
 * gap between them. Posts within the page's range that the page does not contain were hidden.
 */
function mergePage(content: ShownContent, page: PagedPosts): PostListContent | null {
  const fresh = new Set(page.items.map(postKey));
  const shared = content.items.flatMap((post, index) => (fresh.has(postKey(post)) ? index : []));
  const start = shared[0];
  const end = shared.at(-1);
  if (start === undefined || end === undefined) return null;
  const head = page.previous === null ? [] : content.items.slice(0, start);
  const tail = page.next === null ? [] : content.items.slice(end + 1);
  const isCached = (posts: readonly Post[]): boolean => posts.every((post) => content.cachedKeys.has(postKey(post)));
  return {
    items: [...head, ...page.items, ...tail],
    // Cached posts have no cursor: the list continues after the server's page.
    previous: isCached(head) ? page.previous : content.previous,
    next: isCached(tail) ? page.next : content.next,
    channels: page.channels,
    cachedKeys: new Set([...content.cachedKeys].filter((key) => !fresh.has(key))),
  };
}
