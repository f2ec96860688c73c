import { type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../services.ts';

/** What one notch of a wheel moves at least, px; a trackpad's vertical scrolling begins with less, and stays the page's. */
const NOTCH = 50;
/** How far fingers go sideways on a trackpad for a flip, px. */
const SIDEWAYS = 60;
/** A notch is one flip: none follows within so many ms, and a gesture has ended after as many without a word. */
const PAUSE = 150;
/** While the page scrolls, and so long thereafter, a wheel scrolls on, though the card has come under the pointer; ms. */
const SCROLLS_ON = 400;

/** Flips by the wheel over the card: a notch up or down, or fingers sideways. On a foreign page only while the tag has the focus. */
export function useWheel(card: RefObject<HTMLElement | null>, flip: (by: 1 | -1) => void, dir: 'ltr' | 'rtl'): void {
  const { site } = useServices();
  const latest = useRef({ flip, dir });
  useEffect(() => {
    latest.current = { flip, dir };
  });
  useEffect(() => {
    const element = card.current;
    if (element === null) return;
    let scrolled = Number.NEGATIVE_INFINITY;
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
      const { deltaX, deltaY, deltaMode, ctrlKey, timeStamp } = event;
      if (ctrlKey || (site.embedded && !element.closest('.dial')?.matches(':focus-within'))) return;
      if (timeStamp - heard > PAUSE) [gone, spent] = [0, false];
      heard = timeStamp;
      if (Math.abs(deltaX) > Math.abs(deltaY)) {
        // Else the browser would take it for its own way back.
        event.preventDefault();
        gone += latest.current.dir === 'rtl' ? -deltaX : deltaX;
        if (spent || Math.abs(gone) < SIDEWAYS) return;
        spent = true;
        turn(event, gone);
      } else if (timeStamp - scrolled > SCROLLS_ON && (deltaMode !== 0 || Math.abs(deltaY) >= NOTCH)) turn(event, deltaY);
    };
    const scroll = (event: Event) => {
      // A flip brings the card into view: that is no reader's scrolling.
      if (event.timeStamp - flipped > PAUSE) scrolled = event.timeStamp;
    };
    element.addEventListener('wheel', wheel, { passive: false });
    window.addEventListener('scroll', scroll, { passive: true });
    return () => {
      element.removeEventListener('wheel', wheel);
      window.removeEventListener('scroll', scroll);
    };
  }, [card, site.embedded]);
}
