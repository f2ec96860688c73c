import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { compensateScroll, measureScrollAnchor, scrollToAnchor } from './post-elements.ts';

/**
 * Scroll anchoring: keeps the visible posts at their position when posts are added or removed above or, if the page
 * belongs to the app (`isAppPage`), when any other content moves them. The browsers' own anchoring stops at the top of
 * the page and does not exist in WebKit, so the style sheet disables it for the list.
 */
export function useScrollAnchoring(
  feed: RefObject<HTMLElement | null>,
  list: PostList,
  state: PostListState,
  isAppPage: boolean,
): void {
  const anchorBefore = useRef<PostList['scrollAnchor']>(null);
  /**
   * Start of the list in the document, px; null if it has to be measured again, because an anchored post already
   * compensated for the content added above.
   */
  const previousStart = useRef<number>(null);
  const posts = state.type === 'loaded' ? state.posts : null;

  useLayoutEffect(() => {
    anchorBefore.current = null;
    // The subscriber runs before React renders the change: the last moment to measure the current positions.
    return list.subscribe(() => {
      anchorBefore.current = window.scrollY > 0 || mayLoadAbove(list.get()) ? measureScrollAnchor(feed.current) : null;
    });
  }, [feed, list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the posts, and only then
  useLayoutEffect(() => {
    if (anchorBefore.current !== null) scrollToAnchor(feed.current, anchorBefore.current);
    anchorBefore.current = null;
    previousStart.current = null;
  }, [feed, posts]);

  useEffect(() => {
    const element = feed.current;
    if (element === null || !isAppPage) return;
    const compensate = () => {
      const start = element.getBoundingClientRect().top + window.scrollY;
      const movedBy = start - (previousStart.current ?? start);
      previousStart.current = start;
      if (window.scrollY > start) compensateScroll(movedBy);
    };
    // After a resize, use-scroll-restoration.ts restores the position.
    const onResize = () => {
      previousStart.current = null;
    };
    const observer = new ResizeObserver(compensate);
    observer.observe(document.documentElement);
    window.addEventListener('resize', onResize);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', onResize);
    };
  }, [feed, isAppPage]);
}

/** Returns true if newer posts may load above the first one. */
const mayLoadAbove = (state: PostListState): boolean => state.type === 'loaded' && state.newer !== 'end';
