import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';

interface DragActs {
  /** Called when the row of this id is picked up. */
  take(id: string): void;
  /** Called when the row is dropped at this index. */
  drop(id: string, index: number): void;
}

/** Enables reordering of a list's rows by pointer. The container's own vertical swipes are disabled during a drag. */
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
    // If the module cannot be fetched, rows can still be moved by their menu and by keyboard.
    import('./drag-reorder.ts').then(begin, () => {});
    return () => {
      current = false;
      end?.();
    };
  }, [list, host, site.embedded]);
}
