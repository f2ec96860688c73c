// Page boundaries: the cursors between two loaded pages. The list uses them to reload evicted posts.

import type { Post } from '../../../../contract/post.ts';
import { postKey } from '../../model/post-key.ts';
import type { ListEnd, PostListPage } from './types.ts';

/** A list with more posts than the first number evicts those at its other end, down to the second number. */
const MAX_LOADED_POSTS = 3000;
const TRIMMED_POSTS = 2000;

/** Cursors at the boundary between two pages. */
interface PageBoundary {
  readonly before: string;
  readonly after: string;
}

export interface PageBoundaries {
  /** Adds the boundary above the post `below`. Does nothing if one of the three values is missing. */
  add(below: Post | undefined, before: string | null, after: string | null): void;
  /** Returns the cursor of the page that contains a post; undefined for the first page. */
  cursorTo(items: readonly Post[], key: string): string | undefined;
  /** Evicts the posts farthest from the end that grew, up to the boundary between two pages. */
  trim<Page extends PostListPage>(page: Page, end: ListEnd): Page;
}

export function createPageBoundaries(): PageBoundaries {
  /** By key of the post below the boundary. */
  const boundaries = new Map<string, PageBoundary>();
  const boundaryAt = (post: Post | undefined): PageBoundary | undefined => post && boundaries.get(postKey(post));
  return {
    add(below, before, after) {
      if (below !== undefined && before !== null && after !== null) boundaries.set(postKey(below), { before, after });
    },
    cursorTo(items, key) {
      const postIndex = items.findIndex((post) => postKey(post) === key);
      return boundaryAt(items.findLast((post, index) => index <= postIndex && boundaryAt(post)))?.before;
    },
    trim(page, end) {
      const { items } = page;
      if (items.length <= MAX_LOADED_POSTS) return page;
      const start = end === 'older' ? items.length - TRIMMED_POSTS : TRIMMED_POSTS;
      const cutIndex = items.findIndex((post, index) => index >= start && boundaryAt(post));
      const boundary = boundaryAt(items[cutIndex]);
      if (boundary === undefined) return page;
      return end === 'older'
        ? { ...page, items: items.slice(cutIndex), previous: boundary.after }
        : { ...page, items: items.slice(0, cutIndex), next: boundary.before };
    },
  };
}
