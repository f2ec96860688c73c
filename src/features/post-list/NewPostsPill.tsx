import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { HIGHEST_COUNT } from '../../components/UnreadCount.tsx';
import type { NewPostsView } from '../../data/context.ts';
import { postKey } from '../../data/model/post-key.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { articlesOf } from './post-elements.ts';
import { useLeaving } from './use-removal-anchoring.ts';

/** Says how many posts came since the list was read, and shows them when asked: what is read never moves by itself. */
export const NewPosts: NewPostsView = ({ fresh, list, feed, hides }) => {
  const m = useMsg();
  const waiting = useReadable(useMemo(() => fresh.waiting(list), [fresh, list]));
  const news = hides === null ? waiting : waiting.filter((post) => !hides(post));
  useLeaving(feed, list);
  // What is kept out comes in by itself, since nothing moves: only there can it be passed over.
  useEffect(() => {
    const state = list.get();
    if (waiting.length > news.length && news.length === 0 && state.type === 'loaded' && state.newer === 'end') fresh.show(list);
  });
  const asked = useRef(false);
  const show = () => {
    asked.current = true;
    window.scrollTo({ top: 0, behavior: 'instant' });
    fresh.show(list);
  };
  useLayoutEffect(() => {
    // They are drawn when the parts that they need are there.
    const state = list.get();
    const [first] = articlesOf(feed.current);
    if (!asked.current || state.type !== 'loaded' || first === undefined || waiting.length > 0) return;
    const newest = state.posts.find((post) => !hides?.(post));
    if (newest === undefined || first.dataset.key !== postKey(newest)) return;
    asked.current = false;
    window.scrollTo({ top: 0, behavior: 'instant' });
    first.focus({ preventScroll: true });
  });
  const text = m.plural(news.length, m.msg('one: # new post | other: # new posts'), HIGHEST_COUNT);
  return (
    <>
      <p className="hidden" role="status">
        {news.length > 0 && m.msg('There are new posts')}
      </p>
      {news.length > 0 && (
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
