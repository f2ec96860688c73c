import { type RefObject, startTransition, useEffect } from 'react';
import { LINE, scrollAlong } from './post-elements.ts';
import type { Leaves } from './post-groups.ts';

/** How near to the window posts are drawn, px: some screens, so that they stand before a fling reaches them. */
const NEAR = 3000;
/** Leaves that stay although they are far: the last that were near, and the last in which the reader did something. */
const SPARE = 6;
const TOUCHED = 12;

const FOCUS = ':focus-within';

/**
 * Keeps the posts near the reader drawn, and sends the others away. What the reader has in hand stays: the focus and what is
 * beside it, an open dialog, what plays, and what was opened or selected in the last few leaves that were clicked.
 */
export function useAway(feed: RefObject<HTMLElement | null>, leaves: Leaves): void {
  useEffect(() => {
    const stream = feed.current;
    if (stream === null) return;
    let near: ReadonlySet<HTMLElement> = new Set();
    /** What is near and what is next to it: to observe each leaf of a long list would take its time in each frame. */
    let followed = new Set<Element>([stream]);
    /** Drawn leaves, the last one that was near at the end. */
    const lately = new Set<HTMLElement>();
    const touched = new Set<HTMLElement>();
    let coming: { readonly box: HTMLElement; readonly former: number } | null = null;
    let measured = { height: 0, posts: 0 };

    const isAway = (box: HTMLElement): boolean => box.childElementCount === 0;
    const isHeld = (box: HTMLElement): boolean =>
      touched.has(box) ||
      withNeighbours(box).some((one) => one.matches(FOCUS)) ||
      box.querySelector('dialog[open]') !== null ||
      [...box.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused }) => !paused);

    const measure = (box: HTMLElement): number => {
      const { height } = box.getBoundingClientRect();
      measured = { height: measured.height + height, posts: measured.posts + box.childElementCount };
      leaves.perPost = measured.height / measured.posts;
      return height;
    };
    /** One at a time, the nearest first, so that no frame waits for more than it shows. */
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
      startTransition(() => leaves.send(next.box, null));
    };
    const clear = () => {
      let spare = lately.size - near.size - SPARE;
      const leaving: (readonly [HTMLElement, number])[] = [];
      for (const box of lately) {
        if (spare <= 0) break;
        if (near.has(box) || isHeld(box)) continue;
        lately.delete(box);
        spare--;
        if (box.isConnected) leaving.push([box, measure(box)]);
      }
      startTransition(() => {
        for (const [box, height] of leaving) leaves.send(box, height);
      });
    };
    const follow = () => {
      near = nearOf(stream);
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
    // Not the screen: inside another site's frame a margin around that one does not count.
    const observer = new IntersectionObserver(follow, { root: document, rootMargin: `${NEAR}px 0px` });
    observer.observe(stream);
    const stop = leaves.watch((box) => {
      if (!followed.has(box) && withNeighbours(box).some((one) => followed.has(one))) {
        followed.add(box);
        observer.observe(box);
      }
      const former = coming?.box === box ? coming.former : null;
      if (former !== null) coming = null;
      // It may leave in the moment in which the reader comes back to it.
      if (former !== null || (isAway(box) && near.has(box))) queueMicrotask(bring);
      if (isAway(box)) {
        lately.delete(box);
        return;
      }
      lately.add(box);
      if (leaves.perPost === 0) measure(box);
      if (former === null) return;
      const { top, height } = box.getBoundingClientRect();
      // What grew above the reader's eye moves nothing below it.
      if (top + former <= LINE) scrollAlong(height - former);
    });
    const touch = (event: Event) => {
      for (const box of lately) {
        if (!event.composedPath().includes(box)) continue;
        touched.delete(box);
        touched.add(box);
      }
      const [first] = touched;
      if (touched.size > TOUCHED && first !== undefined) touched.delete(first);
    };
    document.addEventListener('click', touch, true);
    return () => {
      document.removeEventListener('click', touch, true);
      leaves.perPost = 0;
      stop();
      observer.disconnect();
    };
  }, [feed, leaves]);
}

const withNeighbours = (box: Element): Element[] =>
  [box.previousElementSibling, box, box.nextElementSibling].filter((one) => one !== null);

/** The leaves near the window, found among all that stand below one another without asking each. */
function nearOf({ children }: Element): Set<HTMLElement> {
  const boxes = [...children].filter((box) => box instanceof HTMLElement);
  const from = firstOf(boxes, (box) => box.getBoundingClientRect().bottom >= -NEAR);
  const to = firstOf(boxes, (box) => box.getBoundingClientRect().top > window.innerHeight + NEAR);
  return new Set(boxes.slice(from, to));
}

/** The place of the first one for which it is true, as it is for all after it; their number where there is none. */
function firstOf<T>(all: readonly T[], is: (one: T) => boolean): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const at = (low + high) >> 1;
    const one = all[at];
    if (one !== undefined && is(one)) high = at;
    else low = at + 1;
  }
  return low;
}
