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
 * New posts pill: shows how many posts arrived since the list was loaded, and inserts them on request. Displayed posts never
 * move by themselves.
 */
export const NewPostsPill: NewPostsView = ({ fresh, list, feed, hides }) => {
  const m = useMsg();
  const pending = useSignalValue(useMemo(() => fresh.pendingFor(list), [fresh, list]));
  const visiblePosts = hides === null ? pending : pending.filter((post) => !hides(post));
  useRemovalAnchoring(feed, list);
  // New posts that are all hidden are inserted automatically, because nothing moves. The read marker can pass over them only in
  // the list.
  useEffect(() => {
    const state = list.get();
    if (pending.length > visiblePosts.length && visiblePosts.length === 0 && state.type === 'loaded' && state.newer === 'end')
      fresh.show(list);
  });
  const isRequested = useRef(false);
  const show = () => {
    isRequested.current = true;
    window.scrollTo({ top: 0, behavior: 'instant' });
    fresh.show(list);
  };
  useLayoutEffect(() => {
    // The posts render only after the lazy components that they need are loaded.
    const state = list.get();
    const [first] = articlesOf(feed.current);
    if (!isRequested.current || state.type !== 'loaded' || first === undefined || pending.length > 0) return;
    const newest = state.posts.find((post) => !hides?.(post));
    if (newest === undefined || first.dataset.key !== postKey(newest)) return;
    isRequested.current = false;
    window.scrollTo({ top: 0, behavior: 'instant' });
    first.focus({ preventScroll: true });
  });
  const text = m.plural(visiblePosts.length, m.msg('one: # new post | other: # new posts'), MAX_SHOWN_COUNT);
  return (
    <>
      <p className="hidden" role="status">
        {visiblePosts.length > 0 && m.msg('There are new posts')}
      </p>
      {visiblePosts.length > 0 && (
        <div className="float fresh">
          <button type="button" className="pill" onClick={show}>
            {text}
            <Icon name="up" small />
          </button>
        </div>
      )}
    </>
  );
};
