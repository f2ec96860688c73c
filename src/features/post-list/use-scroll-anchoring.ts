import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { compensateScroll, measureScrollAnchor, scrollToAnchor } from './post-elements.ts';

/**
 * Scroll anchoring: keeps the visible posts at their position when posts are added or removed above or, if the page belongs to
 * the app (`own`), when any other content moves them. The browsers' own anchoring stops at the top of the page and does not
 * exist in WebKit, so the style sheet disables it for the list.
 */
export function useScrollAnchoring(
  feed: RefObject<HTMLElement | null>,
  list: PostList,
  state: PostListState,
  own: boolean,
): void {
  const before = useRef<PostList['scrollAnchor']>(null);
  /**
   * Start of the list in the document, px; null if it has to be measured again, because an anchored post already compensated
   * for the content added above.
   */
  const former = useRef<number>(null);
  const posts = state.type === 'loaded' ? state.posts : null;

  useLayoutEffect(() => {
    before.current = null;
    // The subscriber runs before React renders the change: the last moment to measure the current positions.
    return list.subscribe(() => {
      before.current = window.scrollY > 0 || growsUp(list.get()) ? measureScrollAnchor(feed.current) : null;
    });
  }, [feed, list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the posts, and only then
  useLayoutEffect(() => {
    if (before.current !== null) scrollToAnchor(feed.current, before.current);
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
      if (window.scrollY > start) compensateScroll(moved);
    };
    // After a resize, use-scroll-restoration.ts restores the position.
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
