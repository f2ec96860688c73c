import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { MAX_SHOWN_COUNT } from '../../components/UnreadCount.tsx';
import type { NewPostsView } from '../../data/context.ts';
import { postKey } from '../../data/model/post-key.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { articlesOf } from './post-elements.ts';
import { useRemovalAnchoring } from './use-removal-anchoring.ts';

/**
 * New posts pill: shows how many posts arrived since the list was loaded, and inserts them on request. Displayed posts
 * never move by themselves.
 */
export const NewPostsPill: NewPostsView = ({ fresh: newPosts, list, feed, hides: isHidden }) => {
  const m = useMsg();
  const pending = useSignalValue(useMemo(() => newPosts.pendingFor(list), [newPosts, list]));
  const visiblePosts = isHidden === null ? pending : pending.filter((post) => !isHidden(post));
  useRemovalAnchoring(feed, list);
  // If all new posts are hidden (muted words), they are inserted at once, because nothing on the screen moves. The read
  // marker can pass over them only when they are in the list.
  useEffect(() => {
    const state = list.get();
    if (pending.length > visiblePosts.length && visiblePosts.length === 0 && state.type === 'loaded' && state.newer === 'end')
      newPosts.show(list);
  });
  const isRequested = useRef(false);
  const insertPosts = () => {
    isRequested.current = true;
    window.scrollTo({ top: 0, behavior: 'instant' });
    newPosts.show(list);
  };
  // Scrolls to the newest post and moves the focus to it, after the reader pressed the pill. The post may render later,
  // when the lazy components that it needs are loaded; so every render checks if it is mounted.
  useLayoutEffect(() => {
    const state = list.get();
    const [firstArticle] = articlesOf(feed.current);
    if (!isRequested.current || state.type !== 'loaded' || firstArticle === undefined || pending.length > 0) return;
    const newest = state.posts.find((post) => !isHidden?.(post));
    if (newest === undefined || firstArticle.dataset.key !== postKey(newest)) return;
    isRequested.current = false;
    window.scrollTo({ top: 0, behavior: 'instant' });
    firstArticle.focus({ preventScroll: true });
  });
  const text = m.plural(visiblePosts.length, m.msg('one: # new post | other: # new posts'), MAX_SHOWN_COUNT);
  return (
    <>
      <p className="hidden" role="status">
        {visiblePosts.length > 0 && m.msg('There are new posts')}
      </p>
      {visiblePosts.length > 0 && (
        <div className="float fresh">
          <button type="button" className="pill" onClick={insertPosts}>
            {text}
            <Icon name="up" small />
          </button>
        </div>
      )}
    </>
  );
};
