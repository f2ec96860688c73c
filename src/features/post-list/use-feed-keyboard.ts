import { type RefObject, useEffect } from 'react';
import { isFree } from '../../hooks/use-single-key-shortcuts.ts';
import { focusIn, step } from './current-post.ts';
import type { Leaves } from './post-groups.ts';

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

/** What the Tab key stops at before and after an element, through the tags and slots that it stands in. */
export function waysOut(element: HTMLElement): {
  readonly before: HTMLElement | undefined;
  readonly after: HTMLElement | undefined;
} {
  const stops = [...stopsIn(document.body)];
  const isInside = (stop: HTMLElement): boolean => element.contains(stop);
  return { before: stops[stops.findIndex(isInside) - 1], after: stops[stops.findLastIndex(isInside) + 1] };
}

function* stopsIn(node: ParentNode): Generator<HTMLElement> {
  for (const child of node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : node.children) {
    if (!(child instanceof HTMLElement) || child.inert || child.matches(':disabled')) continue;
    if (child.tabIndex >= 0 && child.checkVisibility({ visibilityProperty: true })) yield child;
    yield* stopsIn(child.shadowRoot ?? child);
  }
}
