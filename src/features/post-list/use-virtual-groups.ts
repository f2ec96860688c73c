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
export function useVirtualGroups(feed: RefObject<HTMLElement | null>, leaves: PostGroups): void {
  useEffect(() => {
    const stream = feed.current;
    if (stream === null) return;
    let near: ReadonlySet<HTMLElement> = new Set();
    /**
     * Observed elements: the near chunks and their neighbours. Observing each chunk of a long list would cost time in each
     * frame.
     */
    let followed = new Set<Element>([stream]);
    /** Mounted chunks, the most recently near one last. */
    const lately = new Set<HTMLElement>();
    const touched = new Set<HTMLElement>();
    let coming: { readonly box: HTMLElement; readonly former: number } | null = null;
    let measured = { height: 0, posts: 0 };

    const isAway = (box: HTMLElement): boolean => box.childElementCount === 0;
    const isHeld = (box: HTMLElement): boolean =>
      touched.has(box) ||
      withNeighbours(box).some((one) => one.matches(FOCUS_SELECTOR)) ||
      box.querySelector('dialog[open]') !== null ||
      [...box.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused }) => !paused);

    const measure = (box: HTMLElement): number => {
      const { height } = box.getBoundingClientRect();
      measured = { height: measured.height + height, posts: measured.posts + box.childElementCount };
      leaves.heightPerPost = measured.height / measured.posts;
      return height;
    };
    /** Mounts one chunk at a time, the nearest first, so that no frame renders more than necessary. */
    const bring = () => {
      if (coming?.box.isConnected) return;
      const middle = window.innerHeight / 2;
      const distances = [...near].filter(isAway).map((box) => {
        const { top, bottom, height } = box.getBoundingClientRect();
        return { box, height, distance: Math.max(top - middle, middle - bottom) };
      });
      const [next] = distances.sort((one, other) => one.distance - other.distance);
      if (next === undefined) return;
      coming = { box: next.box, former: next.height };
      startTransition(() => leaves.setPlaceholderHeight(next.box, null));
    };
    const clear = () => {
      let spare = lately.size - near.size - MAX_FAR_GROUPS;
      const leaving: (readonly [HTMLElement, number])[] = [];
      for (const box of lately) {
        if (spare <= 0) break;
        if (near.has(box) || isHeld(box)) continue;
        lately.delete(box);
        spare--;
        if (box.isConnected) leaving.push([box, measure(box)]);
      }
      startTransition(() => {
        for (const [box, height] of leaving) leaves.setPlaceholderHeight(box, height);
      });
    };
    const follow = () => {
      near = findNearGroups(stream);
      for (const box of near) {
        if (isAway(box)) continue;
        lately.delete(box);
        lately.add(box);
      }
      const next = new Set([stream, ...[...near].flatMap(withNeighbours)]);
      for (const box of followed) if (!next.has(box)) observer.unobserve(box);
      for (const box of next) if (!followed.has(box)) observer.observe(box);
      followed = next;
      bring();
      clear();
    };
    // Uses the document as root: inside another site's frame, a margin around the screen has no effect.
    const observer = new IntersectionObserver(follow, { root: document, rootMargin: `${MOUNT_MARGIN_PX}px 0px` });
    observer.observe(stream);
    const stop = leaves.onRender((box) => {
      if (!followed.has(box) && withNeighbours(box).some((one) => followed.has(one))) {
        followed.add(box);
        observer.observe(box);
      }
      const former = coming?.box === box ? coming.former : null;
      if (former !== null) coming = null;
      // A chunk may be unmounted at the moment when the reader scrolls back to it.
      if (former !== null || (isAway(box) && near.has(box))) queueMicrotask(bring);
      if (isAway(box)) {
        lately.delete(box);
        return;
      }
      lately.add(box);
      if (leaves.heightPerPost === 0) measure(box);
      if (former === null) return;
      const { top, height } = box.getBoundingClientRect();
      // A chunk that grew above the reading line must not move the posts below it.
      if (top + former <= READING_LINE_PX) compensateScroll(height - former);
    });
    const touch = (event: Event) => {
      for (const box of lately) {
        if (!event.composedPath().includes(box)) continue;
        touched.delete(box);
        touched.add(box);
      }
      const [first] = touched;
      if (touched.size > MAX_TOUCHED_GROUPS && first !== undefined) touched.delete(first);
    };
    document.addEventListener('click', touch, true);
    return () => {
      document.removeEventListener('click', touch, true);
      leaves.heightPerPost = 0;
      stop();
      observer.disconnect();
    };
  }, [feed, leaves]);
}

const withNeighbours = (box: Element): Element[] =>
  [box.previousElementSibling, box, box.nextElementSibling].filter((one) => one !== null);

/** Returns the chunks near the window by binary search over the vertical order, without measuring each. */
function findNearGroups({ children }: Element): Set<HTMLElement> {
  const boxes = [...children].filter((box) => box instanceof HTMLElement);
  const from = findFirstIndex(boxes, (box) => box.getBoundingClientRect().bottom >= -MOUNT_MARGIN_PX);
  const to = findFirstIndex(boxes, (box) => box.getBoundingClientRect().top > window.innerHeight + MOUNT_MARGIN_PX);
  return new Set(boxes.slice(from, to));
}

/** Returns the first index for which `is` is true, if it is also true for all after it; the length if there is none. */
function findFirstIndex<T>(all: readonly T[], is: (one: T) => boolean): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const at = (low + high) >> 1;
    const one = all[at];
    if (one !== undefined && is(one)) high = at;
    else low = at + 1;
  }
  return low;
}
