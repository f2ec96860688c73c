import { useEffect, useMemo, useState } from 'react';
import { loadChunksFor, useMissingChunks } from '../../components/lazy-chunks/chunk-loaders.tsx';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';

/**
 * Complete posts: returns the state of a list, cut above the first post that cannot be rendered completely yet, because
 * lazy components that it needs are still loading. So nothing moves when they are loaded. Posts that are already
 * displayed stay. With `waitForAll`, the state is `loading` until all components are loaded.
 */
export function useCompletePosts(list: PostList, waitForAll = false): PostListState {
  const state = useSignalValue(list);
  const isMissingChunk = useMissingChunks();
  const posts = state.type === 'loaded' ? state.posts : null;
  const firstIncomplete = posts?.findIndex(isMissingChunk) ?? -1;
  const [shown, setShown] = useState<{ list: PostList; state: PostListState } | null>(null);
  useEffect(() => {
    if (posts !== null) loadChunksFor(posts);
  }, [posts]);
  const truncated = useMemo(() => truncatePosts(state, waitForAll ? 0 : firstIncomplete), [state, waitForAll, firstIncomplete]);
  if (firstIncomplete === -1) {
    if (shown?.state !== state || shown.list !== list) setShown({ list, state });
    return state;
  }
  return shown?.list === list && shown.state.type === 'loaded' ? shown.state : truncated;
}

const LOADING: PostListState = { type: 'loading' };

function truncatePosts(state: PostListState, end: number): PostListState {
  if (state.type !== 'loaded') return state;
  return end > 0 ? { ...state, posts: state.posts.slice(0, end), older: 'loading' } : LOADING;
}
