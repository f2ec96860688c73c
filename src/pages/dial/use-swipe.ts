import { type PointerEvent, type RefObject, useRef } from 'react';

/** Telegram's and the system's own gestures start at the edge. */
const EDGE = 20;
const FAR_ENOUGH = 56;

/** Handlers that turn a sideways swipe of the card into a flip; the card follows the finger. */
export function useSwipe(card: RefObject<HTMLElement | null>, flip: (by: 1 | -1) => void, dir: 'ltr' | 'rtl') {
  const start = useRef<{ readonly id: number; readonly x: number; readonly y: number } | null>(null);
  const follow = (x: number) => card.current?.style.setProperty('--swipe', `${x}px`);
  const end = (event: PointerEvent, flips: boolean) => {
    const from = start.current;
    if (from?.id !== event.pointerId) return;
    start.current = null;
    follow(0);
    const x = event.clientX - from.x;
    if (!flips || Math.abs(x) < FAR_ENOUGH || Math.abs(x) < Math.abs(event.clientY - from.y) * 1.5) return;
    flip(x < 0 === (dir === 'ltr') ? 1 : -1);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      const nearEdge = event.clientX < EDGE || event.clientX > window.innerWidth - EDGE;
      if (event.pointerType === 'mouse' || !event.isPrimary || nearEdge) return;
      start.current = { id: event.pointerId, x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent) => {
      if (start.current?.id === event.pointerId) follow((event.clientX - start.current.x) * 0.6);
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  };
}
