import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { measure, restore, scrollAlong } from './post-elements.ts';

/**
 * Keeps what the reader looks at where it is when posts come or leave above, or, where the page is ours (`own`), anything else
 * does. Browsers' own anchoring stops at the top of the page and does not exist in WebKit, so the style sheet turns it off for
 * the list.
 */
export function useStill(feed: RefObject<HTMLElement | null>, list: PostList, state: PostListState, own: boolean): void {
  const before = useRef<PostList['place']>(null);
  /** Where the list began, px; null where it is found anew, because a post that was held took what came above along. */
  const former = useRef<number>(null);
  const posts = state.type === 'loaded' ? state.posts : null;

  useLayoutEffect(() => {
    before.current = null;
    // Told before React draws the change: the last moment to see where things stand.
    return list.subscribe(() => {
      before.current = window.scrollY > 0 || growsUp(list.get()) ? measure(feed.current) : null;
    });
  }, [feed, list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the posts, and only then
  useLayoutEffect(() => {
    if (before.current !== null) restore(feed.current, before.current);
    before.current = null;
    former.current = null;
  }, [feed, posts]);

  useEffect(() => {
    const element = feed.current;
    if (element === null || !own) return;
    const hold = () => {
      const start = element.getBoundingClientRect().top + window.scrollY;
      const moved = start - (former.current ?? start);
      former.current = start;
      if (window.scrollY > start) scrollAlong(moved);
    };
    // A turned window finds its place by itself.
    const turn = () => {
      former.current = null;
    };
    const observer = new ResizeObserver(hold);
    observer.observe(document.documentElement);
    window.addEventListener('resize', turn);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', turn);
    };
  }, [feed, own]);
}

const growsUp = (state: PostListState): boolean => state.type === 'loaded' && state.newer !== 'end';
