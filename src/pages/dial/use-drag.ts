import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../services.ts';
import { startDragging } from './drag.ts';

/** Lets the rows of a list be moved by pointer; the container's own vertical swipes rest meanwhile. */
export function useDrag(list: RefObject<HTMLElement | null>, drop: (id: string, number: number) => void): void {
  const { host, site } = useServices();
  const latest = useRef(drop);
  useEffect(() => {
    latest.current = drop;
  });
  useEffect(() => {
    if (list.current === null || site.embedded) return;
    return startDragging(list.current, {
      taken() {
        host.haptic('medium');
        host.allowVerticalSwipes(false);
      },
      ended: () => host.allowVerticalSwipes(true),
      drop: (id, number) => latest.current(id, number),
    });
  }, [list, host, site.embedded]);
}
