import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';

/** Minimum distance of one wheel notch, px; vertical scrolling on a trackpad starts with less. */
const MIN_NOTCH_PX = 50;
/** Horizontal distance on a trackpad that switches the channel, px. */
const MIN_SIDEWAYS_PX = 60;
/** Minimum time between two switches, and the pause that ends a gesture, ms. */
const FLIP_INTERVAL_MS = 150;

/**
 * Wheel gesture: switches the channel by the wheel over the card. A horizontal trackpad gesture and a notch with Shift
 * or Alt always switch; a plain notch switches only if nothing under the pointer can scroll. On a third-party page it
 * works only while the tag has the focus.
 */
export function useWheel(card: RefObject<HTMLElement | null>, flip: (by: 1 | -1) => void, dir: 'ltr' | 'rtl'): void {
  const { environment } = useServices();
  const latestProps = useRef({ flip, dir });
  useEffect(() => {
    latestProps.current = { flip, dir };
  });
  useEffect(() => {
    const element = card.current;
    if (element === null) return;
    let lastEventAt = Number.NEGATIVE_INFINITY;
    let lastFlipAt = Number.NEGATIVE_INFINITY;
    let distance = 0;
    let hasFlipped = false;
    const flipOnce = (event: WheelEvent, delta: number) => {
      event.preventDefault();
      if (event.timeStamp - lastFlipAt < FLIP_INTERVAL_MS) return;
      lastFlipAt = event.timeStamp;
      latestProps.current.flip(delta > 0 ? 1 : -1);
    };
    const onWheel = (event: WheelEvent) => {
      const { deltaX, deltaY, deltaMode, ctrlKey, shiftKey, altKey, timeStamp } = event;
      if (ctrlKey || (environment.embedded && !element.closest('.dial')?.matches(':focus-within'))) return;
      if (timeStamp - lastEventAt > FLIP_INTERVAL_MS) [distance, hasFlipped] = [0, false];
      lastEventAt = timeStamp;
      // Lines or pages instead of pixels (`deltaMode` 1 and 2) are always notches of a mouse wheel.
      const isNotch = deltaMode !== 0 || Math.abs(deltaY) >= MIN_NOTCH_PX;
      if (shiftKey || altKey) {
        // Most browsers report a notch with Shift as a horizontal one.
        flipOnce(event, deltaY || deltaX);
      } else if (Math.abs(deltaX) > Math.abs(deltaY)) {
        // Otherwise the browser would use the gesture for its own Back.
        event.preventDefault();
        distance += latestProps.current.dir === 'rtl' ? -deltaX : deltaX;
        if (hasFlipped || Math.abs(distance) < MIN_SIDEWAYS_PX) return;
        hasFlipped = true;
        flipOnce(event, distance);
      } else if (isNotch && !event.composedPath().some(canScroll)) flipOnce(event, deltaY);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [card, environment.embedded]);
}

/** Returns true if an element in the event path can scroll vertically. */
function canScroll(node: EventTarget): boolean {
  if (!(node instanceof Element) || node.scrollHeight - node.clientHeight < 1) return false;
  const { overflowY } = getComputedStyle(node);
  if (node !== document.scrollingElement) return /auto|scroll/.test(overflowY);
  // The window uses the overflow of the body if the root has none, and scrolls unless that forbids it.
  return !/hidden|clip/.test(overflowY === 'visible' ? getComputedStyle(document.body).overflowY : overflowY);
}
