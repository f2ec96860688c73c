import { type PointerEvent, type RefObject, useRef } from 'react';

/** Width of the edge where gestures of Telegram and of the system start, px; a swipe does not start there. */
const SYSTEM_EDGE_PX = 20;
/** Horizontal distance after which a touch counts as a swipe, px. */
const SWIPE_THRESHOLD_PX = 8;
/** A swipe switches the channel if it moved by this distance (px), or would move that far at its speed within `PROJECTION_MS`. */
const FLIP_DISTANCE_PX = 64;
const PROJECTION_MS = 140;
/** The speed is measured over this last interval, ms. */
const SPEED_WINDOW_MS = 80;

interface Swipe {
  readonly id: number;
  /** Element that follows the finger. */
  readonly page: HTMLElement;
  readonly x: number;
  readonly y: number;
  /** Offset of the card when the touch started: it may still have been animating back. */
  readonly base: number;
  readonly trail: { readonly x: number; readonly at: number }[];
  sideways: boolean;
}

/**
 * Swipe gesture: handlers that turn a horizontal swipe of the card into a channel switch. The card follows the finger, and can
 * be caught while it animates back.
 */
export function useSwipe(card: RefObject<HTMLElement | null>, flip: (by: 1 | -1) => void, dir: 'ltr' | 'rtl') {
  const swipe = useRef<Swipe | null>(null);
  const end = (event: PointerEvent, canFlip: boolean) => {
    const ended = swipe.current;
    if (ended?.id !== event.pointerId) return;
    swipe.current = null;
    delete card.current?.dataset.swiping;
    ended.page.style.transform = '';
    const x = event.clientX - ended.x;
    const projectedX = x + speedOf(ended, event) * PROJECTION_MS;
    if (canFlip && ended.sideways && Math.abs(projectedX) >= FLIP_DISTANCE_PX && projectedX * x > 0)
      flip(x < 0 === (dir === 'ltr') ? 1 : -1);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      const nearEdge = event.clientX < SYSTEM_EDGE_PX || event.clientX > window.innerWidth - SYSTEM_EDGE_PX;
      const page = card.current?.querySelector<HTMLElement>('.card-page');
      if (event.pointerType === 'mouse' || !event.isPrimary || nearEdge || page === null || page === undefined) return;
      const { pointerId: id, clientX: x, clientY: y } = event;
      const base = offsetOf(page);
      swipe.current = { id, page, x, y, base, trail: [], sideways: base !== 0 };
    },
    onPointerMove: (event: PointerEvent) => {
      const { current } = swipe;
      if (current?.id !== event.pointerId) return;
      const [x, y] = [event.clientX - current.x, event.clientY - current.y];
      current.trail.push({ x: event.clientX, at: event.timeStamp });
      if (!current.sideways) {
        if (Math.abs(x) <= SWIPE_THRESHOLD_PX && Math.abs(y) <= SWIPE_THRESHOLD_PX) return;
        if (Math.abs(y) >= Math.abs(x)) {
          swipe.current = null;
          return;
        }
        current.sideways = true;
      }
      if (card.current !== null) card.current.dataset.swiping = '';
      current.page.style.transform = `translateX(${current.base + x}px)`;
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  };
}

/** Returns the current offset, also during an animation. */
const offsetOf = (page: HTMLElement): number => new DOMMatrix(getComputedStyle(page).transform).m41;

/** Returns the speed at the end of a swipe, px per ms. */
function speedOf({ trail }: Swipe, { clientX, timeStamp }: PointerEvent): number {
  const from = trail.find(({ at }) => at >= timeStamp - SPEED_WINDOW_MS);
  return from === undefined || timeStamp <= from.at ? 0 : (clientX - from.x) / (timeStamp - from.at);
}
