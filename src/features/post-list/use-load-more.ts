import { type RefObject, useEffect } from 'react';

/** Distance at which the next page loads: large enough that it usually arrives before the reader reaches the end. */
const LOAD_AHEAD_MARGIN = '6000px 0px';

/**
 * Infinite scroll: loads more posts if an end of the list is near; after a failure it waits for the reader's request.
 */
export function useLoadMore(
  edge: RefObject<HTMLElement | null>,
  status: 'idle' | 'loading' | 'failed' | 'end',
  postCount: number,
  loadMore: () => Promise<void>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: observes the end again after each change of the count
  useEffect(() => {
    if (status !== 'idle' || edge.current === null) return;
    // Uses the document as root: inside another site's frame, a margin around the screen has no effect.
    const options = { root: document, rootMargin: LOAD_AHEAD_MARGIN };
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void loadMore(), options);
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [edge, status, postCount, loadMore]);
}
