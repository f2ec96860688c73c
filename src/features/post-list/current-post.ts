import { articleOf, articlesOf, measureScrollAnchor, mountGroup, READING_LINE_PX } from './post-elements.ts';
import type { PostGroups } from './post-groups.ts';

/**
 * Returns the focused element inside the list. It is looked up in the list's shadow root; null if none has the focus.
 */
export function focusedElementIn(feed: HTMLElement): HTMLElement | null {
  const root = feed.getRootNode();
  const active = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
  return active instanceof HTMLElement && feed.contains(active) ? active : null;
}

/**
 * Current post: returns the post that keys act on: the focused one while it is in the window, otherwise the first below
 * the bar.
 */
export function currentPost(feed: HTMLElement): HTMLElement | null {
  const focused = focusedElementIn(feed)?.closest<HTMLElement>('[data-key]') ?? null;
  if (focused !== null && isInWindow(focused)) return focused;
  const anchor = measureScrollAnchor(feed);
  return anchor && articleOf(feed, anchor.key);
}

function isInWindow(article: HTMLElement): boolean {
  const { top, bottom } = article.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** Returns true if the current post is only visible, without the focus. */
export const isSeenWithoutFocus = (feed: HTMLElement, current: HTMLElement): boolean => !current.contains(focusedElementIn(feed));

/**
 * Moves to the next or the previous post. If no post has the focus, it first moves to the visible one, if that is in
 * the direction of the move. Returns false at the end of the list.
 */
export function stepToPost(feed: HTMLElement, postGroups: PostGroups, direction: 1 | -1): boolean {
  const current = currentPost(feed);
  if (current === null) return false;
  const startsBelowBar = current.getBoundingClientRect().top >= READING_LINE_PX;
  const isInDirection = startsBelowBar === (direction === 1);
  if (isSeenWithoutFocus(feed, current) && isInDirection) return focusPost(current);
  const group = current.closest('.leaf');
  mountGroup(postGroups, direction === 1 ? group?.nextElementSibling : group?.previousElementSibling);
  const articles = articlesOf(feed);
  const next = articles[articles.indexOf(current) + direction];
  return next !== undefined && focusPost(next);
}

/** Focuses a post, and scrolls its start below the bar. Returns true, as the result of a key that was handled. */
export function focusPost(article: HTMLElement): true {
  article.focus({ preventScroll: true });
  article.scrollIntoView({ block: 'start', behavior: 'instant' });
  return true;
}
