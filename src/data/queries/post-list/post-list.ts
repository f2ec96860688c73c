// Post list: cursor pagination at both ends, with refresh, offline pages and a bounded number of posts.

import type { PostPage } from '../../../../contract/api.ts';
import type { Channel } from '../../../../contract/channel.ts';
import type { Post } from '../../../../contract/post.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { Read } from '../../../api/channels-api.ts';
import { createCell } from '../../../lib/signal.ts';
import { watched } from '../../../lib/watched-signal.ts';
import { failureOf, type Link } from '../../connection/connection.ts';
import { postKey } from '../../model/post-key.ts';
import type { PostList, PostListState } from '../../model/types.ts';
import type { Held } from '../../offline/offline-store.ts';
import type { Refreshable } from '../query.ts';

/** Source of a list's pages. */
export interface PostSource {
  first(how: Read): Promise<PostPage>;
  page(cursor: { readonly before: string } | { readonly after: string }, how: Read): Promise<PostPage>;
  /** Returns the stored first page. Its `next` is undefined where only posts are stored, without a cursor. */
  held(): Promise<Held<HeldPage> | null>;
  /** Loads the module that reads cached posts, for when no server responds. */
  readonly offline?: (() => Promise<OfflineList>) | undefined;
}

/** A page from the device. A cursor is undefined where only cached posts are known. */
export interface HeldPage extends Omit<PostPage, 'next' | 'previous'> {
  readonly next: string | null | undefined;
  readonly previous: string | null | undefined;
}

export type GrowingEnd = 'older' | 'newer';

/**
 * The posts of a list. `cached` contains the keys of posts at its ends that came only from the device; the server's cursors
 * apply before them.
 */
export interface Listed extends HeldPage {
  readonly cached: ReadonlySet<string>;
}

export interface OfflineList {
  /** Returns the first page; null where nothing newer than the first displayed post is stored. */
  first(shown: Post | undefined): Promise<Held<HeldPage> | null>;
  /** Adds stored posts at one end; null where there are no more. */
  grow(list: Listed, end: GrowingEnd): Promise<Listed | null>;
  /** Merges the server's page for a cursor into a list that has cached posts at that end. */
  merge(list: Listed, end: GrowingEnd, page: PostPage): Listed;
}

export interface GrowingList extends PostList, Refreshable {
  /** Returns the newest post that was ever at the start of the list; null before the start was loaded. */
  newest(): Post | null;
  /**
   * Refetches the list and discards its previous content, which stays until the response arrives. Posts that `keep` rejects
   * disappear at once.
   */
  restart(keep: (post: Post) => boolean): Promise<void>;
  /** Applies a change from another source, such as an event, to the displayed list. */
  edit(change: (content: HeldPage) => Partial<HeldPage>): void;
}

/** A list with more posts than the first number evicts those at its other end, down to the second number. */
const MAX_LOADED_POSTS = 3000;
const ENOUGH = 2000;

/** Cursors at the border between two pages. The list uses them to reload evicted posts. */
interface Seam {
  readonly before: string;
  readonly after: string;
}

type End = 'idle' | 'loading' | 'failed';

interface Content extends Listed {
  readonly kept: number | null;
}

const NONE: ReadonlySet<string> = new Set();

/** Creates a list that grows at both ends by cursors, evicts distant posts, and never contains a post twice. */
export function createPostList(link: Link, source: PostSource, now: () => number): GrowingList {
  const cell = createCell<PostListState>({ type: 'loading' });
  const ends = { older: 'idle' as End, newer: 'idle' as End };
  let content: Content | null = null;
  let channels: ReadonlyMap<string, Channel> = new Map();
  /** By key of the post below the border. */
  const seams = new Map<string, Seam>();
  let place: PostList['place'] = null;
  let newest: Post | null = null;
  let begun = false;
  let due: 'nothing' | 'renewal' | 'restart' = 'nothing';
  let at = now();
  // `turn` numbers the refetches: only the response of the latest one counts. `epoch` numbers the restarts: a page that was
  // requested in a previous epoch is discarded.
  let turn = 0;
  let epoch = 0;

  function show(next: Content): void {
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
      kept: next.kept,
    });
  }
  async function showHeld(): Promise<void> {
    const held = await source.held();
    if (held === null || content !== null || link.isClosed()) return;
    showCached(held);
  }
  function showCached({ value, at: since }: Held<HeldPage>): void {
    at = since;
    const items = unique(value.items);
    show({ ...value, items, kept: at, cached: value.next === undefined ? new Set(items.map(postKey)) : NONE });
  }
  async function read(fresh: boolean, anew: boolean): Promise<void> {
    const mine = ++turn;
    due = 'nothing';
    const from = content === null && !anew ? place?.from : undefined;
    const showing = begun || from !== undefined ? null : showHeld();
    begun = true;
    try {
      const page = await link.call((how) => (from === undefined ? source.first(how) : source.page({ before: from }, how)), fresh);
      if (mine !== turn || link.isClosed()) return;
      if (from !== undefined) sew(page.items[0], from, page.previous);
      at = now();
      // A list whose loaded part does not include the start keeps its position.
      const far = content?.previous === null ? null : content;
      const joined = anew || content === null ? null : (join(content, page) ?? far);
      if (joined === null) epoch++;
      if (ends.older === 'failed') ends.older = 'idle';
      if (ends.newer === 'failed') ends.newer = 'idle';
      show({ ...(joined ?? { ...page, items: unique(page.items), cached: NONE }), kept: null });
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
      const { message, status, unheard } = failureOf(thrown);
      // The device may have stored newer posts than the first page that is shown.
      const cached = unheard && content?.kept !== null ? await fromDevice((list) => list.first(content?.items[0])) : null;
      if (mine !== turn || link.isClosed()) return;
      if (cached) showCached(cached);
      if (content === null) cell.set({ type: 'failed', message, status });
      else show({ ...content, kept: at });
    }
  }
  async function fromDevice<Value>(read: (list: OfflineList) => Promise<Value>): Promise<Value | null> {
    // Without a network, this chunk may fail to load.
    return (
      source
        .offline?.()
        .then(read)
        .catch(() => null) ?? null
    );
  }
  async function grow(end: GrowingEnd): Promise<void> {
    const cursor = end === 'older' ? content?.next : content?.previous;
    if (content === null || cursor === null || ends[end] === 'loading' || link.isClosed()) return;
    const mine = epoch;
    ends[end] = 'loading';
    show(content);
    let outcome: End = 'idle';
    let grown: Listed | null = null;
    let isCached = false;
    try {
      if (cursor === undefined) throw new Error('Only cached posts are known');
      const page = await link.call((how) => source.page(end === 'older' ? { before: cursor } : { after: cursor }, how));
      if (content.cached.size > 0) grown = (await source.offline?.())?.merge(content, end, page) ?? null;
      grown ??= {
        ...page,
        cached: NONE,
        items: unique(end === 'older' ? [...content.items, ...page.items] : [...page.items, ...content.items]),
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
    show(bounded({ ...grown, kept: isCached ? at : content.kept }, end));
  }
  function sew(below: Post | undefined, before: string | null, after: string | null): void {
    if (below !== undefined && before !== null && after !== null) seams.set(postKey(below), { before, after });
  }
  const seamAt = (post: Post | undefined): Seam | undefined => post && seams.get(postKey(post));
  /** Evicts the posts farthest from the end that grew, up to the border between two pages. */
  function bounded(grown: Content, end: 'older' | 'newer'): Content {
    const { items } = grown;
    if (items.length <= MAX_LOADED_POSTS) return grown;
    const beyond = end === 'older' ? items.length - ENOUGH : ENOUGH;
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

  const readable = watched(cell, () => {
    if (!begun || due !== 'nothing' || cell.get().type === 'failed') void read(due !== 'nothing', due === 'restart');
  });
  return {
    ...readable,
    get place() {
      return place;
    },
    set place(next) {
      place = next && content ? { ...next, from: cursorTo(next.key) } : next;
    },
    newest: () => newest,
    older: () => grow('older'),
    newer: () => grow('newer'),
    refresh: () => read(true, false),
    async renew() {
      if (readable.isWatched()) await read(true, false);
      else if (due === 'nothing') due = 'renewal';
    },
    edit(change) {
      if (content !== null) show({ ...content, ...change(content) });
    },
    async restart(keep) {
      if (content !== null) show({ ...content, items: content.items.filter(keep) });
      if (readable.isWatched()) await read(true, true);
      else due = 'restart';
    },
  };
}

/** Removes duplicates: the later object is used, at the position of the first one. */
export function unique(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [postKey(post), post])).values()];
}

/**
 * Merges a fetched page into the list that it overlaps, so that previously loaded pages remain. Returns null when there is a
 * gap between them. Posts within the page's range that the page does not contain were hidden.
 */
function join(content: Content, page: PostPage): Listed | null {
  const fresh = new Set(page.items.map(postKey));
  const shared = content.items.flatMap((post, index) => (fresh.has(postKey(post)) ? index : []));
  const start = shared[0];
  const end = shared.at(-1);
  if (start === undefined || end === undefined) return null;
  const head = page.previous === null ? [] : content.items.slice(0, start);
  const tail = page.next === null ? [] : content.items.slice(end + 1);
  const isCached = (posts: readonly Post[]): boolean => posts.every((post) => content.cached.has(postKey(post)));
  return {
    items: [...head, ...page.items, ...tail],
    // Cached posts have no cursor: the list continues after the server's page.
    previous: isCached(head) ? page.previous : content.previous,
    next: isCached(tail) ? page.next : content.next,
    channels: page.channels,
    cached: new Set([...content.cached].filter((key) => !fresh.has(key))),
  };
}
