/* Post elements: DOM queries and scroll positions of the posts in a list. */
import { flushSync } from 'react-dom';
import type { PostList } from '../../data/model/types.ts';
import type { PostGroups } from './post-groups.ts';

/** Position of the reading line below the sticky bar, px. */
export const READING_LINE_PX = 110;

/** Minimum distance of a corrective scroll, px; smaller differences are rounding errors of the layout. */
const MIN_SCROLL_PX = 0.5;

/**
 * Returns the first post that extends below the bar, and its position. Found by binary search, so that few elements are
 * measured.
 */
export function measureScrollAnchor(feed: HTMLElement | null): PostList['scrollAnchor'] {
  const articles = articlesOf(feed);
  let low = 0;
  let high = articles.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((articles[middle]?.getBoundingClientRect().bottom ?? 0) > READING_LINE_PX) high = middle;
    else low = middle + 1;
  }
  const article = articles[low];
  return article === undefined ? null : { key: article.dataset.key ?? '', offset: article.getBoundingClientRect().top };
}

/** Renders an unmounted group synchronously. */
export function mountGroup(postGroups: PostGroups, element: Element | null | undefined): void {
  if (element instanceof HTMLElement && element.childElementCount === 0)
    flushSync(() => postGroups.setPlaceholderHeight(element, null));
}

/** Saved scroll position: a post, and its distance from the top of the window, px. */
export type ScrollAnchor = NonNullable<PostList['scrollAnchor']>;

/** Returns the rendered posts of a list. */
export const articlesOf = (feed: HTMLElement | null): readonly HTMLElement[] => [
  ...(feed?.querySelectorAll<HTMLElement>('[data-key]') ?? []),
];

/** Returns a post's element by its key; null if it is not rendered. */
export const articleOf = (feed: HTMLElement | null, key: string): HTMLElement | null =>
  feed?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;

/** Returns the distance of a post from a saved position, px; null if the post is not rendered. */
export function distanceFromAnchor({ key, offset }: ScrollAnchor, feed: HTMLElement | null): number | null {
  const article = articleOf(feed, key);
  return article && article.getBoundingClientRect().top - offset;
}

/** Scrolls by a distance without an animation, so that content which moved stays at its position in the window. */
export function compensateScroll(px: number): void {
  if (Math.abs(px) >= MIN_SCROLL_PX) window.scrollBy({ top: px, behavior: 'instant' });
}

/** Scrolls a post back to a saved position; returns false if it is not rendered. */
export function scrollToAnchor(feed: HTMLElement | null, anchor: ScrollAnchor): boolean {
  const distance = distanceFromAnchor(anchor, feed);
  if (distance !== null) compensateScroll(distance);
  return distance !== null;
}
