import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';

interface DragReorderHandlers {
  /** Called when the row of this id is picked up. */
  onStart(id: string): void;
  /** Called when the row is dropped at this index. */
  onDrop(id: string, index: number): void;
}

/**
 * Drag reorder: enables reordering of a list's rows by pointer. The container's own vertical swipes are disabled during
 * a drag.
 */
export function useDragReorder(list: RefObject<HTMLElement | null>, count: number, handlers: DragReorderHandlers): void {
  const { host, environment } = useServices();
  const latestProps = useRef({ count, handlers });
  useEffect(() => {
    latestProps.current = { count, handlers };
  });
  useEffect(() => {
    const element = list.current;
    if (element === null || environment.embedded) return;
    let stopDragging: (() => void) | null = null;
    let isMounted = true;
    const start = ({ startDragging }: typeof import('./drag-reorder.ts')) => {
      if (!isMounted) return;
      element.dataset.movable = '';
      stopDragging = startDragging(element, {
        count: () => latestProps.current.count,
        onStart(id) {
          host.haptic('medium');
          host.allowVerticalSwipes(false);
          latestProps.current.handlers.onStart(id);
        },
        onEnd: () => host.allowVerticalSwipes(true),
        onDrop: (id, index) => latestProps.current.handlers.onDrop(id, index),
      });
    };
    // If the module cannot be fetched, rows can still be moved by their menu and by keyboard.
    import('./drag-reorder.ts').then(start, () => {});
    return () => {
      isMounted = false;
      stopDragging?.();
    };
  }, [list, host, environment.embedded]);
}
