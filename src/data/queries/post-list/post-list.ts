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

/** Where a list's pages come from. */
export interface PostSource {
  first(how: Read): Promise<PostPage>;
  page(cursor: { readonly before: string } | { readonly after: string }, how: Read): Promise<PostPage>;
  /** The first page as this device keeps it; `next` undefined where only posts are kept. */
  held(): Promise<Held<HeldPage> | null>;
  /** Loads what reads the posts that this device stores, for when no server answers. */
  readonly offline?: (() => Promise<OfflineList>) | undefined;
}

/** A cursor is undefined where only the device's posts are known. */
export interface HeldPage extends Omit<PostPage, 'next' | 'previous'> {
  readonly next: string | null | undefined;
  readonly previous: string | null | undefined;
}

export type GrowingEnd = 'older' | 'newer';

/** The posts of a list, and the keys of those at its ends that no answer of the server held: its cursors belong before them. */
export interface Listed extends HeldPage {
  readonly cached: ReadonlySet<string>;
}

export interface OfflineList {
  /** Reads the beginning; null where nothing is stored that is newer than the first post shown. */
  first(shown: Post | undefined): Promise<Held<HeldPage> | null>;
  /** Adds posts that are stored; null where there are no more. */
  grow(list: Listed, end: GrowingEnd): Promise<Listed | null>;
  /** Adds the server's page for a cursor to a list that has posts of this device there. */
  merge(list: Listed, end: GrowingEnd, page: PostPage): Listed;
}

export interface GrowingList extends PostList, Refreshable {
  /** The newest post that was ever at its beginning, null while none was. */
  newest(): Post | null;
  /** Reads anew and leaves nothing of the former list, which stays until the answer is there; drops at once what `keep` refuses. */
  restart(keep: (post: Post) => boolean): Promise<void>;
  /** Shows the list changed by what was learnt elsewhere. */
  edit(change: (content: HeldPage) => Partial<HeldPage>): void;
}

/** A list that grew beyond so many posts lets go of those farthest from where it grows, down to the second number. */
const MOST = 3000;
const ENOUGH = 2000;

/** The cursors at the place where two pages meet, by which a list comes back to what it let go of. */
interface Seam {
  readonly before: string;
  readonly after: string;
}

type End = 'idle' | 'loading' | 'failed';

interface Content extends Listed {
  readonly kept: number | null;
}

const NONE: ReadonlySet<string> = new Set();

/** A list that grows at both ends by cursors, lets go of what is far, and never holds a post twice. */
export function createPostList(link: Link, source: PostSource, now: () => number): GrowingList {
  const cell = createCell<PostListState>({ type: 'loading' });
  const ends = { older: 'idle' as End, newer: 'idle' as End };
  let content: Content | null = null;
  let channels: ReadonlyMap<string, Channel> = new Map();
  /** By the post below it. */
  const seams = new Map<string, Seam>();
  let place: PostList['place'] = null;
  let newest: Post | null = null;
  let begun = false;
  let due: 'nothing' | 'renewal' | 'restart' = 'nothing';
  let at = now();
  // Each reading anew takes a turn, and only the last one's answer counts; a restart begins an epoch, and pages asked for in
  // a former one no longer fit.
  let turn = 0;
  let epoch = 0;

  function show(next: Content): void {
    // What a page only repeats stays the same object, so that the posts on show are not drawn anew.
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
      // What is far from the beginning stays where it is.
      const far = content?.previous === null ? null : content;
      const joined = anew || content === null ? null : (join(content, page) ?? far);
      if (joined === null) epoch++;
      if (ends.older === 'failed') ends.older = 'idle';
      if (ends.newer === 'failed') ends.newer = 'idle';
      show({ ...(joined ?? { ...page, items: unique(page.items), cached: NONE }), kept: null });
    } catch (thrown) {
      // Given up because nobody showed it any more: whoever does next asks again.
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
      // A first page that was shown may be older than what was stored since.
      const cached = unheard && content?.kept !== null ? await fromDevice((list) => list.first(content?.items[0])) : null;
      if (mine !== turn || link.isClosed()) return;
      if (cached) showCached(cached);
      if (content === null) cell.set({ type: 'failed', message, status });
      else show({ ...content, kept: at });
    }
  }
  async function fromDevice<Value>(read: (list: OfflineList) => Promise<Value>): Promise<Value | null> {
    // Without a network its code may not load.
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
    // A refresh may have answered meanwhile: the state of the list now counts.
    show(bounded({ ...grown, kept: isCached ? at : content.kept }, end));
  }
  function sew(below: Post | undefined, before: string | null, after: string | null): void {
    if (below !== undefined && before !== null && after !== null) seams.set(postKey(below), { before, after });
  }
  const seamAt = (post: Post | undefined): Seam | undefined => post && seams.get(postKey(post));
  /** Lets go of what is farthest from the end that grew, up to where two pages meet. */
  function bounded(grown: Content, end: 'older' | 'newer'): Content {
    const { items } = grown;
    if (items.length <= MOST) return grown;
    const beyond = end === 'older' ? items.length - ENOUGH : ENOUGH;
    const cut = items.findIndex((post, index) => index >= beyond && seamAt(post));
    const seam = seamAt(items[cut]);
    if (seam === undefined) return grown;
    return end === 'older'
      ? { ...grown, items: items.slice(cut), previous: seam.after }
      : { ...grown, items: items.slice(0, cut), next: seam.before };
  }
  /** The cursor that leads to the page of a post, undefined for the first page. */
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

/** Drops what a list holds twice: the later one counts, in the place of the first. */
export function unique(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [postKey(post), post])).values()];
}

/**
 * Puts a page just read over the list it overlaps, so that the pages loaded before stay; null when there is a gap between
 * them. Posts within the page's span that it does not hold were hidden.
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
    // Posts that only the device knows have no cursor: the server goes on after its page.
    previous: isCached(head) ? page.previous : content.previous,
    next: isCached(tail) ? page.next : content.next,
    channels: page.channels,
    cached: new Set([...content.cached].filter((key) => !fresh.has(key))),
  };
}
