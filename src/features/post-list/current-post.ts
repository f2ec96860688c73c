import { articleOf, articlesOf, LINE, measure, reveal } from './post-elements.ts';
import type { Leaves } from './post-groups.ts';

/** Returns the element inside the list that has the focus, which is in the list's shadow root; null where none has. */
export function focusIn(feed: HTMLElement): HTMLElement | null {
  const root = feed.getRootNode();
  const active = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
  return active instanceof HTMLElement && feed.contains(active) ? active : null;
}

/** Returns the post that keys act on: the one that has the focus while it is in the window, else the first below the bar. */
export function currentPost(feed: HTMLElement): HTMLElement | null {
  const focused = focusIn(feed)?.closest<HTMLElement>('[data-key]') ?? null;
  if (focused !== null && isInWindow(focused)) return focused;
  const inSight = measure(feed);
  return inSight && articleOf(feed, inSight.key);
}

function isInWindow(article: HTMLElement): boolean {
  const { top, bottom } = article.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** Returns whether the current post is only in sight, and has no focus. */
export const isMerelySeen = (feed: HTMLElement, current: HTMLElement): boolean => !current.contains(focusIn(feed));

/**
 * Goes to the next post or the previous one; where no post has the focus, first to the one in sight, if that is the way there.
 * Returns false at the end of the list.
 */
export function step(feed: HTMLElement, leaves: Leaves, by: 1 | -1): boolean {
  const current = currentPost(feed);
  if (current === null) return false;
  const begins = current.getBoundingClientRect().top >= LINE;
  if (isMerelySeen(feed, current) && begins === (by === 1)) return goTo(current);
  const leaf = current.closest('.leaf');
  reveal(leaves, by === 1 ? leaf?.nextElementSibling : leaf?.previousElementSibling);
  const articles = articlesOf(feed);
  const next = articles[articles.indexOf(current) + by];
  return next !== undefined && goTo(next);
}

/** Puts the focus on a post, with its beginning below the bar. */
export function goTo(article: HTMLElement): true {
  article.focus({ preventScroll: true });
  article.scrollIntoView({ block: 'start', behavior: 'instant' });
  return true;
}
