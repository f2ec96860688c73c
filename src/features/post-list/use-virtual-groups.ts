import { type RefObject, startTransition, useEffect } from 'react';
import { compensateScroll, READING_LINE_PX } from './post-elements.ts';
import type { PostGroups } from './post-groups.ts';

/**
 * Distance from the window within which posts are rendered, px: some screens, so that they are mounted before a fling reaches
 * them.
 */
const MOUNT_MARGIN_PX = 3000;
/** Number of distant chunks that stay mounted: those that were near last, and those that the reader clicked last. */
const MAX_FAR_GROUPS = 6;
const MAX_TOUCHED_GROUPS = 12;

const FOCUS_SELECTOR = ':focus-within';

/**
 * Virtual list of posts: keeps chunks near the window mounted, and unmounts the others. A chunk in use stays mounted: the one
 * with the focus and its neighbours, one with an open dialog or playing media, and the last few that the reader clicked, with
 * what was opened or selected in them.
 */
export function useVirtualGroups(feed: RefObject<HTMLElement | null>, postGroups: PostGroups): void {
  useEffect(() => {
    const feedElement = feed.current;
    if (feedElement === null) return;
    let near: ReadonlySet<HTMLElement> = new Set();
    /**
     * Observed elements: the near chunks and their neighbours. Observing each chunk of a long list would cost time in each
     * frame.
     */
    let observed = new Set<Element>([feedElement]);
    /** Mounted chunks, the most recently near one last. */
    const mounted = new Set<HTMLElement>();
    const clicked = new Set<HTMLElement>();
    let mounting: { readonly box: HTMLElement; readonly former: number } | null = null;
    let total = { height: 0, posts: 0 };

    const isUnmounted = (group: HTMLElement): boolean => group.childElementCount === 0;
    const isInUse = (group: HTMLElement): boolean =>
      clicked.has(group) ||
      withNeighbours(group).some((element) => element.matches(FOCUS_SELECTOR)) ||
      group.querySelector('dialog[open]') !== null ||
      [...group.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused }) => !paused);

    const measure = (group: HTMLElement): number => {
      const { height } = group.getBoundingClientRect();
      total = { height: total.height + height, posts: total.posts + group.childElementCount };
      postGroups.heightPerPost = total.height / total.posts;
      return height;
    };
    /** Mounts one chunk at a time, the nearest first, so that no frame renders more than necessary. */
    const mountNearest = () => {
      if (mounting?.box.isConnected) return;
      const middle = window.innerHeight / 2;
      const distances = [...near].filter(isUnmounted).map((group) => {
        const { top, bottom, height } = group.getBoundingClientRect();
        return { box: group, height, distance: Math.max(top - middle, middle - bottom) };
      });
      const [next] = distances.sort((element, other) => element.distance - other.distance);
      if (next === undefined) return;
      mounting = { box: next.box, former: next.height };
      startTransition(() => postGroups.setPlaceholderHeight(next.box, null));
    };
    const unmountFar = () => {
      let excess = mounted.size - near.size - MAX_FAR_GROUPS;
      const unmounting: (readonly [HTMLElement, number])[] = [];
      for (const group of mounted) {
        if (excess <= 0) break;
        if (near.has(group) || isInUse(group)) continue;
        mounted.delete(group);
        excess--;
        if (group.isConnected) unmounting.push([group, measure(group)]);
      }
      startTransition(() => {
        for (const [group, height] of unmounting) postGroups.setPlaceholderHeight(group, height);
      });
    };
    const update = () => {
      near = findNearGroups(feedElement);
      for (const group of near) {
        if (isUnmounted(group)) continue;
        mounted.delete(group);
        mounted.add(group);
      }
      const next = new Set([feedElement, ...[...near].flatMap(withNeighbours)]);
      for (const group of observed) if (!next.has(group)) observer.unobserve(group);
      for (const group of next) if (!observed.has(group)) observer.observe(group);
      observed = next;
      mountNearest();
      unmountFar();
    };
    // Uses the document as root: inside another site's frame, a margin around the screen has no effect.
    const observer = new IntersectionObserver(update, { root: document, rootMargin: `${MOUNT_MARGIN_PX}px 0px` });
    observer.observe(feedElement);
    const unsubscribe = postGroups.onRender((group) => {
      if (!observed.has(group) && withNeighbours(group).some((element) => observed.has(element))) {
        observed.add(group);
        observer.observe(group);
      }
      const previousHeight = mounting?.box === group ? mounting.former : null;
      if (previousHeight !== null) mounting = null;
      // A chunk may be unmounted at the moment when the reader scrolls back to it.
      if (previousHeight !== null || (isUnmounted(group) && near.has(group))) queueMicrotask(mountNearest);
      if (isUnmounted(group)) {
        mounted.delete(group);
        return;
      }
      mounted.add(group);
      if (postGroups.heightPerPost === 0) measure(group);
      if (previousHeight === null) return;
      const { top, height } = group.getBoundingClientRect();
      // A chunk that grew above the reading line must not move the posts below it.
      if (top + previousHeight <= READING_LINE_PX) compensateScroll(height - previousHeight);
    });
    const onClick = (event: Event) => {
      for (const group of mounted) {
        if (!event.composedPath().includes(group)) continue;
        clicked.delete(group);
        clicked.add(group);
      }
      const [oldest] = clicked;
      if (clicked.size > MAX_TOUCHED_GROUPS && oldest !== undefined) clicked.delete(oldest);
    };
    document.addEventListener('click', onClick, true);
    return () => {
      document.removeEventListener('click', onClick, true);
      postGroups.heightPerPost = 0;
      unsubscribe();
      observer.disconnect();
    };
  }, [feed, postGroups]);
}

const withNeighbours = (group: Element): Element[] =>
  [group.previousElementSibling, group, group.nextElementSibling].filter((element) => element !== null);

/** Returns the chunks near the window by binary search over the vertical order, without measuring each. */
function findNearGroups({ children }: Element): Set<HTMLElement> {
  const groups = [...children].filter((group) => group instanceof HTMLElement);
  const from = findFirstIndex(groups, (group) => group.getBoundingClientRect().bottom >= -MOUNT_MARGIN_PX);
  const to = findFirstIndex(groups, (group) => group.getBoundingClientRect().top > window.innerHeight + MOUNT_MARGIN_PX);
  return new Set(groups.slice(from, to));
}

/** Returns the first index for which `matches` is true, if it is also true for all after it; the length if there is none. */
function findFirstIndex<T>(items: readonly T[], matches: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && matches(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
