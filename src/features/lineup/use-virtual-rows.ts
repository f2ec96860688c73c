import { type RefObject, useEffect, useState } from 'react';

/** Virtual list of rows: a list with more rows than this renders only the rows near the window. */
const MAX_UNVIRTUALIZED_ROWS = 200;
/** Number of rows rendered beyond the window, above and below. */
const OVERSCAN_ROWS = 8;
/** Number of rows rendered before the list can be measured. */
const INITIAL_ROWS = 30;

/**
 * Rendered range: the rows with index `from` up to, but not including, `to`; all rows if the list is not virtualized.
 */
export interface VirtualRange {
  readonly from: number;
  readonly to: number;
  readonly isVirtualized: boolean;
}

/** Tracks the window's scroll position over a list of rows of equal height. */
export function useVirtualRows(list: RefObject<HTMLElement | null>, count: number): VirtualRange {
  const isVirtualized = count > MAX_UNVIRTUALIZED_ROWS;
  const [range, setRange] = useState<readonly [from: number, to: number]>([0, INITIAL_ROWS]);
  useEffect(() => {
    if (!isVirtualized) return;
    let frame = 0;
    const updateRange = () => {
      frame = 0;
      const element = list.current;
      const rowHeight = element?.querySelector<HTMLElement>(':scope > [data-row]')?.offsetHeight ?? 0;
      if (element === null || rowHeight === 0) return;
      const { top } = element.getBoundingClientRect();
      const from = Math.min(Math.max(0, Math.floor(-top / rowHeight) - OVERSCAN_ROWS), count);
      const to = Math.max(Math.min(count, Math.ceil((window.innerHeight - top) / rowHeight) + OVERSCAN_ROWS), from + 1);
      setRange((previous) => (previous[0] === from && previous[1] === to ? previous : [from, to]));
    };
    const scheduleUpdate = () => {
      frame ||= requestAnimationFrame(updateRange);
    };
    updateRange();
    window.addEventListener('scroll', scheduleUpdate, { passive: true });
    window.addEventListener('resize', scheduleUpdate);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', scheduleUpdate);
      window.removeEventListener('resize', scheduleUpdate);
    };
  }, [list, isVirtualized, count]);
  return isVirtualized ? { from: range[0], to: range[1], isVirtualized } : { from: 0, to: count, isVirtualized };
}
