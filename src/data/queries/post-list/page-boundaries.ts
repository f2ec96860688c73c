// Page boundaries: the cursors between two loaded pages. The list uses them to reload evicted posts.

import type { Post } from '../../../../contract/post.ts';
import { postKey } from '../../model/post-key.ts';
import type { ListEnd, PostListPage } from './types.ts';

/** A list with more posts than the first number evicts those at its other end, down to the second number. */
const MAX_LOADED_POSTS = 3000;
const TRIMMED_POSTS = 2000;

/** Cursors at the border between two pages. */
interface PageBoundary {
  readonly before: string;
  readonly after: string;
}

export interface PageBoundaries {
  /** Adds the border above a post. Without all three values, there is no border. */
  add(below: Post | undefined, before: string | null, after: string | null): void;
  /** Returns the cursor of the page that contains a post; undefined for the first page. */
  cursorTo(items: readonly Post[], key: string): string | undefined;
  /** Evicts the posts farthest from the end that grew, up to the border between two pages. */
  trim<Page extends PostListPage>(page: Page, end: ListEnd): Page;
}

export function createPageBoundaries(): PageBoundaries {
  /** By key of the post below the border. */
  const boundaries = new Map<string, PageBoundary>();
  const boundaryAt = (post: Post | undefined): PageBoundary | undefined => post && boundaries.get(postKey(post));
  return {
    add(below, before, after) {
      if (below !== undefined && before !== null && after !== null) boundaries.set(postKey(below), { before, after });
    },
    cursorTo(items, key) {
      const index = items.findIndex((post) => postKey(post) === key);
      return boundaryAt(items.findLast((post, at) => at <= index && boundaryAt(post)))?.before;
    },
    trim(page, end) {
      const { items } = page;
      if (items.length <= MAX_LOADED_POSTS) return page;
      const start = end === 'older' ? items.length - TRIMMED_POSTS : TRIMMED_POSTS;
      const cut = items.findIndex((post, index) => index >= start && boundaryAt(post));
      const boundary = boundaryAt(items[cut]);
      if (boundary === undefined) return page;
      return end === 'older'
        ? { ...page, items: items.slice(cut), previous: boundary.after }
        : { ...page, items: items.slice(0, cut), next: boundary.before };
    },
  };
}
