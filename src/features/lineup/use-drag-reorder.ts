import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';

interface DragReorderHandlers {
  /** Called when the row of this id is picked up. */
  onStart(id: string): void;
  /** Called when the row is dropped at this index. */
  onDrop(id: string, index: number): void;
}

/** Enables reordering of a list's rows by pointer. The container's own vertical swipes are disabled during a drag. */
export function useDragReorder(list: RefObject<HTMLElement | null>, count: number, handlers: DragReorderHandlers): void {
  const { host, environment } = useServices();
  const latest = useRef({ count, acts: handlers });
  useEffect(() => {
    latest.current = { count, acts: handlers };
  });
  useEffect(() => {
    const element = list.current;
    if (element === null || environment.embedded) return;
    let end: (() => void) | null = null;
    let current = true;
    const begin = ({ startDragging }: typeof import('./drag-reorder.ts')) => {
      if (!current) return;
      element.dataset.movable = '';
      end = startDragging(element, {
        count: () => latest.current.count,
        onStart(id) {
          host.haptic('medium');
          host.allowVerticalSwipes(false);
          latest.current.acts.onStart(id);
        },
        onEnd: () => host.allowVerticalSwipes(true),
        onDrop: (id, index) => latest.current.acts.onDrop(id, index),
      });
    };
    // If the module cannot be fetched, rows can still be moved by their menu and by keyboard.
    import('./drag-reorder.ts').then(begin, () => {});
    return () => {
      current = false;
      end?.();
    };
  }, [list, host, environment.embedded]);
}
