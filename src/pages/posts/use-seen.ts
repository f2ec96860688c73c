import { type RefObject, useEffect, useRef } from 'react';
import type { Channels, PostList, PostListState } from '../../channels/channels.ts';
import { isUnread, readUpTo } from './reading.ts';
import { articlesOf } from './use-place.ts';

/** Seen is: half of the post, or a screenful of it, for half a second. */
const LONG_ENOUGH = 500;
const THRESHOLDS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1];

const isSeen = ({ isIntersecting, intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  isIntersecting &&
  (intersectionRatio >= 0.5 || intersectionRect.height >= (rootBounds?.height ?? Number.POSITIVE_INFINITY) * 0.8);

/** Whether a missing mark means a first look, and not that the reader's marks have yet to come. */
function knowsMarks({ reader, lineup }: Channels): boolean {
  const rows = lineup.get();
  const who = reader.get().type;
  return rows.type === 'loaded' && (who === 'anonymous' || (who === 'signed-in' && rows.kept === null));
}

/** Moves the read marks by what was seen; does nothing while `on` is false (a search, a media view, a foreign page). */
export function useSeen(
  feed: RefObject<HTMLElement | null>,
  list: PostList,
  state: PostListState,
  channels: Channels,
  on: boolean,
): void {
  const seen = useRef(new Map<string, Set<number>>());
  const posts = state.type === 'loaded' ? state.posts : null;

  useEffect(() => {
    if (!on || posts === null) return;
    const marks = channels.marks;
    const timers = new Map<Element, ReturnType<typeof setTimeout>>();
    const see = (element: Element) => {
      timers.delete(element);
      if (document.visibilityState === 'hidden' || !(element instanceof HTMLElement)) return;
      const [channelId = '', id = ''] = (element.dataset.key ?? '').split('/');
      const own = seen.current.get(channelId) ?? new Set();
      seen.current.set(channelId, own.add(Number(id)));
      const now = list.get();
      if (now.type !== 'loaded' || !(marks.get().has(channelId) || knowsMarks(channels))) return;
      const upTo = readUpTo(now.posts, channelId, marks.get(), own, now.older === 'end');
      if (upTo !== null) channels.markRead(channelId, upTo);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!isSeen(entry)) {
            clearTimeout(timers.get(entry.target));
            timers.delete(entry.target);
          } else if (!timers.has(entry.target)) {
            timers.set(
              entry.target,
              setTimeout(() => see(entry.target), LONG_ENOUGH),
            );
          }
        }
      },
      { threshold: THRESHOLDS },
    );
    const ahead = new Set(posts.filter((post) => isUnread(post, marks.get())).map((post) => `${post.channelId}/${post.id}`));
    for (const article of articlesOf(feed.current)) if (ahead.has(article.dataset.key ?? '')) observer.observe(article);
    return () => {
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [on, posts, list, channels, feed]);
}
