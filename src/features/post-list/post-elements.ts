import { flushSync } from 'react-dom';
import type { PostList } from '../../data/model/types.ts';
import type { Leaves } from './post-groups.ts';

/** Below the sticky bar, where a reader's eye is taken to be, px. */
export const LINE = 110;

/** The first post that reaches below the bar, and where it stands; found by halving, so that few are measured. */
export function measure(feed: HTMLElement | null): PostList['place'] {
  const articles = articlesOf(feed);
  let low = 0;
  let high = articles.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((articles[middle]?.getBoundingClientRect().bottom ?? 0) > LINE) high = middle;
    else low = middle + 1;
  }
  const found = articles[low];
  return found === undefined ? null : { key: found.dataset.key ?? '', offset: found.getBoundingClientRect().top };
}

/** Draws a leaf that is away, at once. */
export function reveal(leaves: Leaves, box: Element | null | undefined): void {
  if (box instanceof HTMLElement && box.childElementCount === 0) flushSync(() => leaves.send(box, null));
}

export type Place = NonNullable<PostList['place']>;

export const articlesOf = (feed: HTMLElement | null): readonly HTMLElement[] => [
  ...(feed?.querySelectorAll<HTMLElement>('[data-key]') ?? []),
];

export const articleOf = (feed: HTMLElement | null, key: string): HTMLElement | null =>
  feed?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;

/** How far a post stands from where it stood, px; null when it is not drawn. */
export function distanceFrom({ key, offset }: Place, feed: HTMLElement | null): number | null {
  const article = articleOf(feed, key);
  return article && article.getBoundingClientRect().top - offset;
}

/** Scrolls along with what moved by so many px, at once. */
export function scrollAlong(px: number): void {
  if (Math.abs(px) >= 0.5) window.scrollBy({ top: px, behavior: 'instant' });
}

/** Brings a post back to where it stood; false when it is not drawn. */
export function restore(feed: HTMLElement | null, place: Place): boolean {
  const distance = distanceFrom(place, feed);
  if (distance !== null) scrollAlong(distance);
  return distance !== null;
}
