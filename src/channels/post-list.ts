import type { PostPage } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import type { Read } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { createCell } from '../readable.ts';
import { type PostList, type PostListState, postKey } from './channels.ts';
import type { Held } from './device.ts';
import { failureOf, type Link } from './link.ts';
import type { Refreshable } from './resource.ts';
import { watched } from './watch.ts';

/** Where a list's pages come from. */
export interface PostSource {
  first(how: Read): Promise<PostPage>;
  page(cursor: { readonly before: string } | { readonly after: string }, how: Read): Promise<PostPage>;
  /** The first page as this device keeps it; `next` undefined where only posts are kept. */
  held(): Promise<Held<HeldPage> | null>;
  /** Older posts that this device keeps, for when no server answers. */
  heldOlder?(last: Post): Promise<readonly Post[]>;
}

export interface HeldPage extends Omit<PostPage, 'next'> {
  readonly next: string | null | undefined;
}

export interface GrowingList extends PostList, Refreshable {
  /** Reads anew and leaves nothing of the former list, which stays until the answer is there; drops at once what `keep` refuses. */
  restart(keep: (post: Post) => boolean): Promise<void>;
  /** Shows the list changed by what was learnt elsewhere. */
  edit(change: (content: HeldPage) => Partial<HeldPage>): void;
}

type End = 'idle' | 'loading' | 'failed';

interface Content extends HeldPage {
  readonly kept: number | null;
}

/** A list that grows at both ends by cursors and never holds a post twice. */
export function createPostList(link: Link, source: PostSource, now: () => number): GrowingList {
  const cell = createCell<PostListState>({ type: 'loading' });
  const ends = { older: 'idle' as End, newer: 'idle' as End };
  let content: Content | null = null;
  let channels = new Map<string, Channel>();
  let begun = false;
  let due: 'nothing' | 'renewal' | 'restart' = 'nothing';
  let at = now();
  // Each reading anew takes a turn, and only the last one's answer counts; a restart begins an epoch, and pages asked for in
  // a former one no longer fit.
  let turn = 0;
  let epoch = 0;

  function show(next: Content): void {
    if (next.channels !== content?.channels)
      channels = new Map([...channels, ...next.channels.map((one) => [one.id, one] as const)]);
    content = next;
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
    at = held.at;
    show({ ...held.value, items: unique(held.value.items), kept: at });
  }
  async function read(fresh: boolean, anew: boolean): Promise<void> {
    const mine = ++turn;
    due = 'nothing';
    const showing = begun ? null : showHeld();
    begun = true;
    try {
      const page = await link.call((how) => source.first(how), fresh);
      if (mine !== turn || link.isClosed()) return;
      at = now();
      const joined = anew || content === null ? null : join(content, page);
      if (joined === null) epoch++;
      show({ ...(joined ?? { ...page, items: unique(page.items) }), kept: null });
    } catch (thrown) {
      // Given up because nobody showed it any more: whoever does next asks again.
      if (thrown instanceof ApiError && thrown.cancelled) {
        if (mine === turn) begun = false;
        return;
      }
      await showing;
      if (mine !== turn || link.isClosed()) return;
      const { message, status } = failureOf(thrown);
      if (content === null) cell.set({ type: 'failed', message, status });
      else show({ ...content, kept: at });
    }
  }
  async function grow(end: 'older' | 'newer'): Promise<void> {
    const cursor = end === 'older' ? content?.next : content?.previous;
    if (content === null || cursor === null || ends[end] === 'loading' || link.isClosed()) return;
    const mine = epoch;
    ends[end] = 'loading';
    show(content);
    let outcome: End = 'idle';
    let grown: Partial<Content> | null = null;
    try {
      if (cursor === undefined) throw new Error('Only kept posts are known');
      const page = await link.call((how) => source.page(end === 'older' ? { before: cursor } : { after: cursor }, how));
      grown = { ...page, ...(end === 'older' ? { previous: content.previous } : { next: content.next }) };
    } catch {
      const last = content.items.at(-1);
      const items = end === 'older' && last !== undefined ? await source.heldOlder?.(last) : undefined;
      if (items !== undefined && items.length > 0) grown = { items: [...items], kept: at };
      else outcome = 'failed';
    }
    ends[end] = outcome;
    if (link.isClosed()) return;
    if (grown === null || mine !== epoch) return show(content);
    const added = grown.items ?? [];
    const items = unique(end === 'older' ? [...content.items, ...added] : [...added, ...content.items]);
    show({ ...content, ...grown, items });
  }

  const readable = watched(cell, () => {
    if (!begun || due !== 'nothing' || cell.get().type === 'failed') void read(due !== 'nothing', due === 'restart');
  });
  return {
    ...readable,
    place: null,
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

function unique(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [postKey(post), post])).values()];
}

/**
 * Puts a page just read over the list it overlaps, so that the pages loaded before stay; null when there is a gap between
 * them. Posts within the page's span that it does not hold were hidden.
 */
function join(content: Content, page: PostPage): HeldPage | null {
  const fresh = new Set(page.items.map(postKey));
  const shared = content.items.flatMap((post, index) => (fresh.has(postKey(post)) ? index : []));
  const start = shared[0];
  const end = shared.at(-1);
  if (start === undefined || end === undefined) return null;
  const head = page.previous === null ? [] : content.items.slice(0, start);
  const tail = page.next === null ? [] : content.items.slice(end + 1);
  return {
    items: [...head, ...page.items, ...tail],
    previous: head.length > 0 ? content.previous : page.previous,
    next: tail.length > 0 ? content.next : page.next,
    channels: page.channels,
  };
}
