import { type PointerEvent, type RefObject, useRef } from 'react';

/** Width of the edge where gestures of Telegram and of the system start, px; a swipe does not start there. */
const SYSTEM_EDGE_PX = 20;
/** Horizontal distance after which a touch counts as a swipe, px. */
const SWIPE_THRESHOLD_PX = 8;
/** A swipe switches the channel if it would reach this distance (px) by continuing at its speed for `PROJECTION_MS`. */
const FLIP_DISTANCE_PX = 64;
const PROJECTION_MS = 140;
/** The speed is measured over this last interval, ms. */
const SPEED_WINDOW_MS = 80;

interface Swipe {
  readonly pointerId: number;
  /** Element that follows the finger. */
  readonly page: HTMLElement;
  readonly x: number;
  readonly y: number;
  /** Horizontal offset of the card when the touch started, px: it may still have been animating back. */
  readonly startOffset: number;
  /** Positions of the pointer, with their times in ms. */
  readonly samples: { readonly x: number; readonly time: number }[];
  isHorizontal: boolean;
}

/**
 * Swipe gesture: handlers that turn a horizontal swipe of the card into a channel switch. The card follows the finger,
 * and can be caught while it animates back.
 */
export function useSwipe(card: RefObject<HTMLElement | null>, flip: (by: 1 | -1) => void, dir: 'ltr' | 'rtl') {
  const swipe = useRef<Swipe | null>(null);
  const end = (event: PointerEvent, canFlip: boolean) => {
    const endedSwipe = swipe.current;
    if (endedSwipe?.pointerId !== event.pointerId) return;
    swipe.current = null;
    delete card.current?.dataset.swiping;
    endedSwipe.page.style.transform = '';
    const x = event.clientX - endedSwipe.x;
    const projectedX = x + speedOf(endedSwipe, event) * PROJECTION_MS;
    const isSameDirection = projectedX * x > 0;
    const isNext = x < 0 === (dir === 'ltr');
    if (canFlip && endedSwipe.isHorizontal && Math.abs(projectedX) >= FLIP_DISTANCE_PX && isSameDirection) flip(isNext ? 1 : -1);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      const nearEdge = event.clientX < SYSTEM_EDGE_PX || event.clientX > window.innerWidth - SYSTEM_EDGE_PX;
      const page = card.current?.querySelector<HTMLElement>('.card-page');
      if (event.pointerType === 'mouse' || !event.isPrimary || nearEdge || page === null || page === undefined) return;
      const { pointerId, clientX: x, clientY: y } = event;
      const startOffset = offsetOf(page);
      swipe.current = { pointerId, page, x, y, startOffset, samples: [], isHorizontal: startOffset !== 0 };
    },
    onPointerMove: (event: PointerEvent) => {
      const { current } = swipe;
      if (current?.pointerId !== event.pointerId) return;
      const [x, y] = [event.clientX - current.x, event.clientY - current.y];
      current.samples.push({ x: event.clientX, time: event.timeStamp });
      if (!current.isHorizontal) {
        if (Math.abs(x) <= SWIPE_THRESHOLD_PX && Math.abs(y) <= SWIPE_THRESHOLD_PX) return;
        if (Math.abs(y) >= Math.abs(x)) {
          swipe.current = null;
          return;
        }
        current.isHorizontal = true;
      }
      if (card.current !== null) card.current.dataset.swiping = '';
      current.page.style.transform = `translateX(${current.startOffset + x}px)`;
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  };
}

/** Returns the current horizontal offset, px, also during an animation. */
const offsetOf = (page: HTMLElement): number => new DOMMatrix(getComputedStyle(page).transform).m41;

/** Returns the speed at the end of a swipe, px per ms. */
function speedOf({ samples }: Swipe, { clientX, timeStamp }: PointerEvent): number {
  const first = samples.find(({ time }) => time >= timeStamp - SPEED_WINDOW_MS);
  return first === undefined || timeStamp <= first.time ? 0 : (clientX - first.x) / (timeStamp - first.time);
}
