import { type RefObject, useEffect } from 'react';

/** Keeps what is fixed above the tabs above all of them: long names and large letters make two rows of what frame.css counts as one. */
export function useAboveTabs(inside: RefObject<Element | null>): void {
  useEffect(() => {
    const frame = inside.current?.closest<HTMLElement>('.frame');
    const bar = frame?.querySelector('.bottom');
    if (frame == null || bar == null) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      frame.style.setProperty('--tabs', `calc(${height}px - var(--safe-bottom))`);
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, [inside]);
}
