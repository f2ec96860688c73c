import { type RefObject, useLayoutEffect, useRef } from 'react';

const ANIMATION_MS = 240;

/**
 * Row animation: rows slide to their new positions when their order changes; not with reduced motion. The returned function
 * records the current visual positions, for a drop, whose rows have already moved under the pointer.
 */
export function useRowAnimation(list: RefObject<HTMLElement | null>, order: string): () => void {
  const tops = useRef(new Map<string, number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what moves the rows
  useLayoutEffect(() => {
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const before = tops.current;
    tops.current = new Map();
    for (const row of rowsIn(list.current)) {
      const id = row.dataset.row ?? '';
      const from = before.get(id);
      tops.current.set(id, row.offsetTop);
      if (from === undefined || from === row.offsetTop || still) continue;
      row.animate([{ transform: `translateY(${from - row.offsetTop}px)` }, { transform: 'none' }], {
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
