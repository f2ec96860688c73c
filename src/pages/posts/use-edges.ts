import { type RefObject, useEffect } from 'react';
import type { PostListState } from '../../channels/channels.ts';

/** Far enough for a page to arrive before the reader does. */
const AHEAD = '1400px 0px';

/** Loads on when an end of the list comes near; after a failure it waits for the reader's word. */
export function useEdge(
  edge: RefObject<HTMLElement | null>,
  state: PostListState,
  end: 'older' | 'newer',
  grow: () => Promise<void>,
): void {
  const standing = state.type === 'loaded' ? state[end] : 'end';
  const length = state.type === 'loaded' ? state.posts.length : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new length asks again whether the end is near
  useEffect(() => {
    if (standing !== 'idle' || edge.current === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void grow(), { rootMargin: AHEAD });
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [edge, standing, length, grow]);
}
