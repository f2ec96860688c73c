import { useEffect, useRef } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../../context/services.ts';
import type { DataClient } from '../../data/model/client.ts';
import type { MutedWordsFilter, PostList } from '../../data/model/types.ts';
import { isMarkedUnread } from './marked-unread.ts';
import type { PostGroups } from './post-groups.ts';
import { isUnread } from './read-progress.ts';

/** Read tracking: a post counts as seen after half of it, or 80 % of a screen of it, was visible for half a second. */
const SEEN_AFTER_MS = 500;
/** Share of a post that has to be visible, or else share of the screen that a visible part of it has to fill. */
const MIN_POST_SHARE = 0.5;
const MIN_SCREEN_SHARE = 0.8;
/**
 * Intersection thresholds, from 50 % down to 0.5 % of a post. They are so close to one another that for any post of up
 * to a hundred screens, one lies between 80 % of a screen and a full screen.
 */
const THRESHOLDS = Array.from({ length: 22 }, (_, index) => MIN_POST_SHARE * MIN_SCREEN_SHARE ** index);

type PostRef = Pick<Post, 'channelId' | 'id'>;

// Inside another site's frame the browser does not report root bounds.
const isSeen = ({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  intersectionRatio >= MIN_POST_SHARE || intersectionRect.height >= (rootBounds?.height ?? window.innerHeight) * MIN_SCREEN_SHARE;

/** Returns the channel id and the post id in the key of an element. */
const postOf = (article: Element): PostRef => {
  const [channelId = '', id = ''] = (article.getAttribute('data-key') ?? '').split('/');
  return { channelId, id: Number(id) };
};

/**
 * Moves the read markers past posts that were visible, and past those that muted words hide. Inactive while `isActive`
 * is false (a search, a media view, a third-party page).
 */
export function useReadTracking(
  list: PostList,
  postGroups: PostGroups,
  isActive: boolean,
  isMuted: MutedWordsFilter | null,
): void {
  const { dataClient } = useServices();
  const latestIsMuted = useRef(isMuted);
  useEffect(() => {
    latestIsMuted.current = isMuted;
  });
  useEffect(() => {
    if (!isActive) return;
    const { readMarkers, lineup } = dataClient;
    const seenPosts = createSeenPosts(list, dataClient, latestIsMuted);
    seenPosts.updateMarkers();
    const unsubscribes = [list, readMarkers, lineup].map((signal) => signal.subscribe(seenPosts.updateMarkers));
    const stopObserving = observeUnreadPosts(postGroups, readMarkers, seenPosts.add);
    return () => {
      for (const stop of [...unsubscribes, stopObserving]) stop();
    };
  }, [isActive, list, postGroups, dataClient]);
}

/** Posts that the reader has seen, by channel: moves the read markers past them. */
function createSeenPosts(
  list: PostList,
  dataClient: DataClient,
  latestIsMuted: { readonly current: MutedWordsFilter | null },
): { add(post: PostRef): void; updateMarkers(): void } {
  const { readMarkers } = dataClient;
  /** Ids of the seen posts, by channel id. */
  const seenByChannel = new Map<string, Set<number>>();
  const moveMarker = (channelId: string, seenIds: ReadonlySet<number>) => {
    const state = list.get();
    if (state.type !== 'loaded') return;
    const upTo = readUpTo(state.posts, channelId, readMarkers.get(), seenIds, state.older === 'end');
    if (upTo === null) return;
    if (Math.max(...seenIds) <= upTo) seenByChannel.delete(channelId);
    dataClient.markRead(channelId, upTo);
  };
  const addSeen = ({ channelId, id }: PostRef): Set<number> => {
    const seenIds = seenByChannel.get(channelId) ?? new Set();
    if (!isMarkedUnread(list, { channelId, id })) seenIds.add(id);
    seenByChannel.set(channelId, seenIds);
    return seenIds;
  };
  return {
    add: (post) => moveMarker(post.channelId, addSeen(post)),
    // Visible posts count when the data that they need is loaded: the posts down to the marker, or the markers.
    updateMarkers() {
      const state = list.get();
      const isHidden = latestIsMuted.current;
      if (isHidden !== null && state.type === 'loaded')
        for (const post of state.posts) if (isUnread(post, readMarkers.get()) && isHidden(post)) addSeen(post);
      for (const [channelId, seenIds] of [...seenByChannel]) {
        for (const id of seenIds) if (isMarkedUnread(list, { channelId, id })) seenIds.delete(id);
        moveMarker(channelId, seenIds);
      }
    },
  };
}

/** Calls `onSeen` for each unread post that was visible long enough. Returns a function that stops it. */
function observeUnreadPosts(
  postGroups: PostGroups,
  readMarkers: DataClient['readMarkers'],
  onSeen: (post: PostRef) => void,
): () => void {
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const cancelTimer = (article: Element) => {
    clearTimeout(timers.get(article));
    timers.delete(article);
  };
  const startTimer = (article: Element) => {
    if (!timers.has(article))
      timers.set(
        article,
        setTimeout(() => onSeen(postOf(article)), SEEN_AFTER_MS),
      );
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!isSeen(entry) || document.visibilityState === 'hidden') cancelTimer(entry.target);
        else startTimer(entry.target);
      }
    },
    { threshold: THRESHOLDS },
  );
  const observePosts = (element: HTMLElement) => {
    for (const article of element.querySelectorAll('[data-key]'))
      if (isUnread(postOf(article), readMarkers.get())) observer.observe(article);
  };
  let unsubscribe = postGroups.onRender(observePosts);
  // Posts in a hidden window do not count as visible; the time starts again when the window is visible.
  const onVisibilityChange = () => {
    unsubscribe();
    observer.disconnect();
    for (const article of [...timers.keys()]) cancelTimer(article);
    if (document.visibilityState !== 'hidden') unsubscribe = postGroups.onRender(observePosts);
  };
  document.addEventListener('visibilitychange', onVisibilityChange);
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange);
    unsubscribe();
    observer.disconnect();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/**
 * Returns the id up to which a channel is read: the newest post below which all unread posts were visible. Feeds are
 * newest first, so the marker waits for the oldest unread post; a marker at the newest visible post would mark posts as
 * read that the reader never saw. `posts` newest first. Null if the marker does not move or is not loaded yet, or if
 * posts between the marker and these are not loaded. `isComplete` is true if no older posts are left to load.
 */
export function readUpTo(
  posts: readonly Post[],
  channelId: string,
  readMarkers: ReadonlyMap<string, number>,
  seen: ReadonlySet<number>,
  isComplete: boolean,
): number | null {
  const marker = readMarkers.get(channelId);
  const channelPosts = posts.filter((post) => post.channelId === channelId);
  if (marker === undefined) return null;
  if (!isComplete && !channelPosts.some((post) => post.id <= marker)) return null;
  const unreadPosts = channelPosts.filter((post) => post.id > marker).sort((a, b) => a.id - b.id);
  const firstUnseen = unreadPosts.findIndex((post) => !seen.has(post.id));
  const readPosts = firstUnseen === -1 ? unreadPosts : unreadPosts.slice(0, firstUnseen);
  return readPosts.at(-1)?.id ?? null;
}
