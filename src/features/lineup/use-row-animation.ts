import { type RefObject, useLayoutEffect, useRef } from 'react';

const ANIMATION_MS = 240;

/**
 * Row animation: rows slide to their new positions when their order changes, unless the reader prefers reduced motion.
 * `order` is a text that changes with the order. The returned function records the current visual positions: a drop
 * needs it, because its rows have already moved with the pointer.
 */
export function useRowAnimation(list: RefObject<HTMLElement | null>, order: string): () => void {
  /** Distance of each row from the top of the list, px, by row id. */
  const tops = useRef(new Map<string, number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the order moves the rows
  useLayoutEffect(() => {
    const isMotionReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const previousTops = tops.current;
    tops.current = new Map();
    for (const row of rowsIn(list.current)) {
      const id = row.dataset.row ?? '';
      const previousTop = previousTops.get(id);
      tops.current.set(id, row.offsetTop);
      if (previousTop === undefined || previousTop === row.offsetTop || isMotionReduced) continue;
      row.animate([{ transform: `translateY(${previousTop - row.offsetTop}px)` }, { transform: 'none' }], {
        duration: ANIMATION_MS,
        easing: 'cubic-bezier(.2, .8, .2, 1)',
      });
    }
  }, [list, order]);
  return () => {
    const listTop = list.current?.getBoundingClientRect().top ?? 0;
    for (const row of rowsIn(list.current)) tops.current.set(row.dataset.row ?? '', row.getBoundingClientRect().top - listTop);
  };
}

/** Returns the rows of a list, in their order. */
const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? []),
];
