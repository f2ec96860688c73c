import { useEffect, useRef } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../../context/services.ts';
import type { MutedWordsFilter, PostList } from '../../data/model/types.ts';
import { isMarkedUnread } from './marked-unread.ts';
import type { PostGroups } from './post-groups.ts';
import { isUnread } from './read-progress.ts';

/** Read tracking: a post is read after half of it, or 80 % of a screen of it, was visible for half a second (ms). */
const SEEN_AFTER_MS = 500;
const SCREENFUL = 0.8;
/**
 * Intersection thresholds: so close to one another that for any post of up to a hundred screens, one lies between 80 % of a
 * screen and a full screen.
 */
const THRESHOLDS = Array.from({ length: 22 }, (_, at) => 0.5 * SCREENFUL ** at);

// Inside another site's frame the browser does not report root bounds.
const isSeen = ({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  intersectionRatio >= 0.5 || intersectionRect.height >= (rootBounds?.height ?? window.innerHeight) * SCREENFUL;

const postOf = (article: Element): { readonly channelId: string; readonly id: number } => {
  const [channelId = '', id = ''] = (article.getAttribute('data-key') ?? '').split('/');
  return { channelId, id: Number(id) };
};

/**
 * Moves the read markers past visible posts, and past hidden ones. Inactive while `on` is false (a search, a media view, a
 * third-party page).
 */
export function useReadTracking(list: PostList, leaves: PostGroups, on: boolean, hides: MutedWordsFilter | null): void {
  const { dataClient: channels } = useServices();
  const hidden = useRef(hides);
  useEffect(() => {
    hidden.current = hides;
  });
  useEffect(() => {
    if (!on) return;
    const { readMarkers: marks } = channels;
    const seen = new Map<string, Set<number>>();
    const timers = new Map<Element, ReturnType<typeof setTimeout>>();
    const forget = (article: Element) => {
      clearTimeout(timers.get(article));
      timers.delete(article);
    };
    const advance = (channelId: string, own: ReadonlySet<number>) => {
      const now = list.get();
      if (now.type !== 'loaded') return;
      const upTo = readUpTo(now.posts, channelId, marks.get(), own, now.older === 'end');
      if (upTo === null) return;
      if (Math.max(...own) <= upTo) seen.delete(channelId);
      channels.markRead(channelId, upTo);
    };
    const note = ({ channelId, id }: Pick<Post, 'channelId' | 'id'>): Set<number> => {
      const own = seen.get(channelId) ?? new Set();
      if (!isMarkedUnread(list, { channelId, id })) own.add(id);
      seen.set(channelId, own);
      return own;
    };
    const see = (article: Element) => {
      const post = postOf(article);
      advance(post.channelId, note(post));
    };
    // Visible posts count when the data that they need is loaded: the posts down to the marker, or the markers.
    const again = () => {
      const now = list.get();
      const isHidden = hidden.current;
      if (isHidden !== null && now.type === 'loaded')
        for (const post of now.posts) if (isUnread(post, marks.get()) && isHidden(post)) note(post);
      for (const [channelId, own] of [...seen]) {
        for (const id of own) if (isMarkedUnread(list, { channelId, id })) own.delete(id);
        advance(channelId, own);
      }
    };
    again();
    const stops = [list, marks, channels.lineup].map((source) => source.subscribe(again));
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const { target } = entry;
          if (!isSeen(entry) || document.visibilityState === 'hidden') forget(target);
          else if (!timers.has(target)) timers.set(target, setTimeout(see, SEEN_AFTER_MS, target));
        }
      },
      { threshold: THRESHOLDS },
    );
    const look = (box: HTMLElement) => {
      for (const article of box.querySelectorAll('[data-key]'))
        if (isUnread(postOf(article), marks.get())) observer.observe(article);
    };
    let stop = leaves.onRender(look);
    // Posts in a hidden window do not count as visible; the time starts again when the window is visible.
    const turn = () => {
      stop();
      observer.disconnect();
      for (const article of [...timers.keys()]) forget(article);
      if (document.visibilityState !== 'hidden') stop = leaves.onRender(look);
    };
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      for (const end of [...stops, stop]) end();
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [on, list, leaves, channels]);
}

/**
 * Returns how far a channel is read: up to the newest post below which all unread posts were visible. Feeds are newest first,
 * so the marker waits for the oldest unread post; a marker at the newest visible post would mark posts as read that the reader
 * never saw. `posts` newest first. Null if the marker does not move or is not loaded yet, or if posts between the marker and
 * these are not loaded.
 */
export function readUpTo(
  posts: readonly Post[],
  channelId: string,
  marks: ReadonlyMap<string, number>,
  seen: ReadonlySet<number>,
  atEnd: boolean,
): number | null {
  const mark = marks.get(channelId);
  const own = posts.filter((post) => post.channelId === channelId);
  if (mark === undefined) return null;
  if (!atEnd && !own.some((post) => post.id <= mark)) return null;
  const unread = own.filter((post) => post.id > mark).sort((a, b) => a.id - b.id);
  const stop = unread.findIndex((post) => !seen.has(post.id));
  const read = stop === -1 ? unread : unread.slice(0, stop);
  return read.at(-1)?.id ?? null;
}
