import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { PostList, PostListState } from '../../channels/channels.ts';
import { measure } from './measure.ts';
import { restore } from './use-place.ts';

/**
 * Keeps what the reader looks at where it is when posts come or leave above. Browsers' own anchoring stops at the top of the
 * page and does not exist in WebKit, so the style sheet turns it off for the list.
 */
export function useStill(feed: RefObject<HTMLElement | null>, list: PostList, state: PostListState): void {
  const before = useRef<PostList['place']>(null);
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
  }, [feed, posts]);
}

const growsUp = (state: PostListState): boolean => state.type === 'loaded' && state.newer !== 'end';
