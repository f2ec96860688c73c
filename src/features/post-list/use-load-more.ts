import { type RefObject, useEffect } from 'react';

/** Distance at which the next page loads: enough for it to arrive before the reader does. */
const LOAD_AHEAD_MARGIN = '6000px 0px';

/** Infinite scroll: loads more posts when an end of the list comes near; after a failure it waits for the reader's request. */
export function useLoadMore(
  edge: RefObject<HTMLElement | null>,
  status: 'idle' | 'loading' | 'failed' | 'end',
  length: number,
  loadMore: () => Promise<void>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks after each change of the length whether the end is near
  useEffect(() => {
    if (status !== 'idle' || edge.current === null) return;
    // Uses the document as root: inside another site's frame, a margin around the screen has no effect.
    const options = { root: document, rootMargin: LOAD_AHEAD_MARGIN };
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void loadMore(), options);
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [edge, status, length, loadMore]);
}
