import { useCallback, useRef } from 'react';
import { focusSuccessor } from '../../components/focus/focus-successor.ts';
import { useServices } from '../../context/services.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useLoadMore } from './use-load-more.ts';

interface ListEdgeProps {
  readonly end: 'older' | 'newer';
  readonly list: PostList;
  readonly state: Extract<PostListState, { type: 'loaded' }>;
  /**
   * True until the code that anchors the scroll position is loaded: posts that load above must not move the visible
   * ones.
   */
  readonly isBlocked?: boolean;
}

/** A list of at most this many posts does not state that it has ended. */
const SHORT_LIST_LENGTH = 8;

const firstPostFocusSuccessor = focusSuccessor(['.stream article']);
const lastPostFocusSuccessor = focusSuccessor(['.leaf:last-child > article:last-of-type']);

/** End of a post list: loads more posts when it is near the window, and shows a button if that fails. */
export function ListEdge({ end, list, state, isBlocked }: ListEdgeProps) {
  const { msg } = useMsg();
  const isOnline = useSignalValue(useServices().dataClient.connectivity) === 'online';
  const edge = useRef<HTMLDivElement>(null);
  const loadMore = useCallback(() => (end === 'older' ? list.loadOlder() : list.loadNewer()), [end, list]);
  const status = state[end];
  useLoadMore(edge, isBlocked ? 'loading' : status, state.posts.length, loadMore);
  if (status === 'end') {
    const showsEnd = end === 'older' && state.posts.length > SHORT_LIST_LENGTH;
    return showsEnd ? <p className="edge">{msg('No more posts.')}</p> : null;
  }
  return (
    <div ref={edge} className="edge">
      {status === 'failed' ? (
        <button
          ref={end === 'older' ? lastPostFocusSuccessor : firstPostFocusSuccessor}
          type="button"
          className="button quiet"
          onClick={() => void loadMore()}
        >
          {isOnline ? msg('Could not load more. Try again') : msg('No more posts on this device. Try again')}
        </button>
      ) : (
        <span className="bone" aria-hidden="true" />
      )}
    </div>
  );
}
