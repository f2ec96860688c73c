import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { PostList, PostListState } from '../../channels/channels.ts';
import { takeReturn, watchReturns } from './returned.ts';

/** Below the sticky bar, where a reader's eye is taken to be. */
const LINE = 110;
/** A scroll is noted when it rests: the shell's own jump to the top must not be taken for the reader's. */
const REST = 120;

type Place = NonNullable<PostList['place']>;

export const articlesOf = (feed: HTMLElement | null): readonly HTMLElement[] => [
  ...(feed?.querySelectorAll<HTMLElement>('[data-key]') ?? []),
];

export const articleOf = (feed: HTMLElement | null, key: string): HTMLElement | null =>
  feed?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;

/** The first post that reaches below the bar, found by halving: hundreds of posts are measured in a few steps. */
function measure(feed: HTMLElement | null): Place | null {
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

/** Brings a post back to where it stood; false when it is not there. */
function restore(feed: HTMLElement | null, place: Place): boolean {
  const article = articleOf(feed, place.key);
  if (article === null) return false;
  const difference = article.getBoundingClientRect().top - place.offset;
  if (Math.abs(difference) >= 0.5) window.scrollBy({ top: difference, behavior: 'instant' });
  return true;
}

/**
 * Keeps what the reader looks at where it is: when posts come in above, and when Back leads here again. Browsers' own
 * anchoring stops at the top of the page and does not exist in WebKit, so the style sheet turns it off for the list.
 */
export function usePlace(feed: RefObject<HTMLElement | null>, list: PostList, state: PostListState): void {
  const returning = useRef<PostList['place']>(null);
  const before = useRef<Place | null>(null);
  const posts = state.type === 'loaded' ? state.posts : null;

  useLayoutEffect(() => {
    watchReturns();
    returning.current = takeReturn() ? list.place : null;
    before.current = null;
    // Told before React draws the change: the last moment to see where things stand.
    return list.subscribe(() => {
      before.current = window.scrollY > 0 || growsUp(list.get()) ? measure(feed.current) : null;
    });
  }, [feed, list]);

  useLayoutEffect(() => {
    if (posts === null) return;
    const back = returning.current;
    if (back !== null && restore(feed.current, back)) {
      returning.current = null;
      // The shell may go to the top once more, after a change of the query alone.
      const again = requestAnimationFrame(() => window.scrollY === 0 && restore(feed.current, back));
      return () => cancelAnimationFrame(again);
    }
    if (before.current !== null) restore(feed.current, before.current);
    before.current = null;
  }, [feed, posts]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      if (feed.current !== null) list.place = window.scrollY < 1 ? null : measure(feed.current);
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(note, REST);
    };
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('click', note, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', later);
      window.removeEventListener('click', note, { capture: true });
    };
  }, [feed, list]);
}

const growsUp = (state: PostListState): boolean => state.type === 'loaded' && state.newer !== 'end';
