import { type RefObject, useEffect } from 'react';
import { isFree } from '../free-key.ts';
import { focusIn, step } from './current-post.ts';
import type { Leaves } from './leaves.ts';
import { waysOut } from './ways-out.ts';

/**
 * The ARIA feed's keys: Page Up and Page Down go from post to post, wherever in one the focus is; Control with Home or End, out.
 * Where the page is ours (`own`), Page Up and Page Down begin at the post in sight while the focus is elsewhere.
 */
export function useFeedKeys(feed: RefObject<HTMLElement | null>, leaves: Leaves, own: boolean): void {
  useEffect(() => {
    const element = feed.current;
    if (element === null) return;
    const listen = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || isElsewhere(event)) return;
      if (event.ctrlKey) moveOut(event, element);
      else if ((event.key === 'PageDown' || event.key === 'PageUp') && isFree(event))
        if (step(element, leaves, event.key === 'PageDown' ? 1 : -1)) event.preventDefault();
    };
    // The window hears it last: whatever else uses the key has taken it by then.
    const target = own ? window : element;
    target.addEventListener('keydown', listen);
    return () => target.removeEventListener('keydown', listen);
  }, [feed, leaves, own]);
}

/** Returns whether a key belongs to the element it was pressed in, or to the browser. */
const isElsewhere = (event: KeyboardEvent): boolean => {
  const { altKey, metaKey, shiftKey, ctrlKey } = event;
  const [target] = event.composedPath();
  return (
    altKey ||
    metaKey ||
    (ctrlKey && shiftKey) ||
    (target instanceof Element && target.closest('input, textarea, select, dialog, video, audio, pre') !== null)
  );
};

function moveOut(event: KeyboardEvent, feed: HTMLElement): void {
  if ((event.key !== 'Home' && event.key !== 'End') || focusIn(feed) === null) return;
  const { before, after } = waysOut(feed);
  const way = event.key === 'Home' ? before : after;
  if (way === undefined) return;
  event.preventDefault();
  way.focus();
}
