import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../../context/services.ts';

/** The smallest distance of a notch of a wheel, px; a trackpad's vertical scrolling begins with less. */
const NOTCH = 50;
/** The sideways distance on a trackpad that flips, px. */
const SIDEWAYS = 60;
/** The shortest time between two flips, and the silence that ends a gesture, ms. */
const PAUSE = 150;

/**
 * Flips by the wheel over the card: by fingers sideways, by a notch with Shift or Alt, and by a plain notch only where nothing
 * under the pointer can be scrolled. On a foreign page only while the tag has the focus.
 */
export function useWheel(card: RefObject<HTMLElement | null>, flip: (by: 1 | -1) => void, dir: 'ltr' | 'rtl'): void {
  const { site } = useServices();
  const latest = useRef({ flip, dir });
  useEffect(() => {
    latest.current = { flip, dir };
  });
  useEffect(() => {
    const element = card.current;
    if (element === null) return;
    let heard = Number.NEGATIVE_INFINITY;
    let flipped = Number.NEGATIVE_INFINITY;
    let gone = 0;
    let spent = false;
    const turn = (event: WheelEvent, by: number) => {
      event.preventDefault();
      if (event.timeStamp - flipped < PAUSE) return;
      flipped = event.timeStamp;
      latest.current.flip(by > 0 ? 1 : -1);
    };
    const wheel = (event: WheelEvent) => {
      const { deltaX, deltaY, deltaMode, ctrlKey, shiftKey, altKey, timeStamp } = event;
      if (ctrlKey || (site.embedded && !element.closest('.dial')?.matches(':focus-within'))) return;
      if (timeStamp - heard > PAUSE) [gone, spent] = [0, false];
      heard = timeStamp;
      if (shiftKey || altKey) {
        // Most browsers turn a notch with Shift into a sideways one.
        turn(event, deltaY || deltaX);
      } else if (Math.abs(deltaX) > Math.abs(deltaY)) {
        // Else the browser would take it for its own way back.
        event.preventDefault();
        gone += latest.current.dir === 'rtl' ? -deltaX : deltaX;
        if (spent || Math.abs(gone) < SIDEWAYS) return;
        spent = true;
        turn(event, gone);
      } else if ((deltaMode !== 0 || Math.abs(deltaY) >= NOTCH) && !event.composedPath().some(canScroll)) turn(event, deltaY);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [card, site.embedded]);
}

/** Returns whether an element on the way of the event can be scrolled up or down. */
function canScroll(node: EventTarget): boolean {
  if (!(node instanceof Element) || node.scrollHeight - node.clientHeight < 1) return false;
  const { overflowY } = getComputedStyle(node);
  if (node !== document.scrollingElement) return /auto|scroll/.test(overflowY);
  // The window takes what the body says where the root says nothing, and scrolls unless it is told not to.
  return !/hidden|clip/.test(overflowY === 'visible' ? getComputedStyle(document.body).overflowY : overflowY);
}
