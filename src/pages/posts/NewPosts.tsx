import { useLayoutEffect, useMemo, useRef } from 'react';
import { postKey } from '../../channels/channels.ts';
import type { NewPostsView } from '../../channels/inside.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useReadable } from '../use-readable.ts';
import { useLeaving } from './use-leaving.ts';
import { articlesOf } from './use-place.ts';

/** Says how many posts came since the list was read, and shows them when asked: what is read never moves by itself. */
export const NewPosts: NewPostsView = ({ fresh, list, feed }) => {
  const m = useMsg();
  const waiting = useReadable(useMemo(() => fresh.waiting(list), [fresh, list]));
  useLeaving(feed, list);
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
    if (!asked.current || state.type !== 'loaded' || state.posts[0] === undefined) return;
    if (waiting.length > 0 || first?.dataset.key !== postKey(state.posts[0])) return;
    asked.current = false;
    window.scrollTo({ top: 0, behavior: 'instant' });
    first.focus({ preventScroll: true });
  });
  const text = m.plural(waiting.length, m.msg('one: # new post | other: # new posts'), 99);
  return (
    <>
      <p className="hidden" role="status">
        {waiting.length > 0 && m.msg('There are new posts')}
      </p>
      {waiting.length > 0 && (
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
