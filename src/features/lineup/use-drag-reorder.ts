import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';

interface DragActs {
  /** The row of this id was taken up. */
  take(id: string): void;
  /** It was let go in the place of this index. */
  drop(id: string, index: number): void;
}

/** Lets the rows of a list be moved by pointer; the container's own vertical swipes rest meanwhile. */
export function useDrag(list: RefObject<HTMLElement | null>, count: number, acts: DragActs): void {
  const { host, site } = useServices();
  const latest = useRef({ count, acts });
  useEffect(() => {
    latest.current = { count, acts };
  });
  useEffect(() => {
    const element = list.current;
    if (element === null || site.embedded) return;
    let end: (() => void) | null = null;
    let current = true;
    const begin = ({ startDragging }: typeof import('./drag-reorder.ts')) => {
      if (!current) return;
      element.dataset.movable = '';
      end = startDragging(element, {
        count: () => latest.current.count,
        taken(id) {
          host.haptic('medium');
          host.allowVerticalSwipes(false);
          latest.current.acts.take(id);
        },
        ended: () => host.allowVerticalSwipes(true),
        drop: (id, index) => latest.current.acts.drop(id, index),
      });
    };
    // Where it cannot be fetched, rows are moved by their menu and by keyboard.
    import('./drag-reorder.ts').then(begin, () => {});
    return () => {
      current = false;
      end?.();
    };
  }, [list, host, site.embedded]);
}
