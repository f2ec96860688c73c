import { type RefObject, useEffect } from 'react';
import { isShortcutEvent } from '../../hooks/use-single-key-shortcuts.ts';
import { focusedElementIn, stepToPost } from './current-post.ts';
import type { PostGroups } from './post-groups.ts';

/**
 * Keyboard of an ARIA feed: Page Up and Page Down move from post to post, from any focused element in a post; Control
 * with Home or End leaves the feed. If the page belongs to the app (`isAppPage`), Page Up and Page Down start at the
 * visible post while the focus is elsewhere.
 */
export function useFeedKeyboard(feed: RefObject<HTMLElement | null>, postGroups: PostGroups, isAppPage: boolean): void {
  useEffect(() => {
    const element = feed.current;
    if (element === null) return;
    const onKeyDown = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || isHandledElsewhere(event)) return;
      if (event.ctrlKey) moveFocusOut(event, element);
      else if ((event.key === 'PageDown' || event.key === 'PageUp') && isShortcutEvent(event))
        if (stepToPost(element, postGroups, event.key === 'PageDown' ? 1 : -1)) event.preventDefault();
    };
    // The window receives the event last: any other handler of the key has handled it by then.
    const target = isAppPage ? window : element;
    target.addEventListener('keydown', onKeyDown);
    return () => target.removeEventListener('keydown', onKeyDown);
  }, [feed, postGroups, isAppPage]);
}

/** Returns true if a key belongs to the element that received it, or to the browser. */
const isHandledElsewhere = (event: KeyboardEvent): boolean => {
  const { altKey, metaKey, shiftKey, ctrlKey } = event;
  const [target] = event.composedPath();
  return (
    altKey ||
    metaKey ||
    (ctrlKey && shiftKey) ||
    (target instanceof Element && target.closest('input, textarea, select, dialog, video, audio, pre') !== null)
  );
};

function moveFocusOut(event: KeyboardEvent, feed: HTMLElement): void {
  if ((event.key !== 'Home' && event.key !== 'End') || focusedElementIn(feed) === null) return;
  const { before, after } = findTabStopsAround(feed);
  const target = event.key === 'Home' ? before : after;
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

/** Returns the focusable elements before and after an element in Tab order, through shadow roots and slots. */
function findTabStopsAround(element: HTMLElement): {
  readonly before: HTMLElement | undefined;
  readonly after: HTMLElement | undefined;
} {
  const tabStops = [...tabStopsIn(document.body)];
  const isInside = (tabStop: HTMLElement): boolean => element.contains(tabStop);
  return { before: tabStops[tabStops.findIndex(isInside) - 1], after: tabStops[tabStops.findLastIndex(isInside) + 1] };
}

/** Yields the focusable elements in a node, in the order of the document. */
function* tabStopsIn(node: ParentNode): Generator<HTMLElement> {
  for (const child of node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : node.children) {
    if (!(child instanceof HTMLElement) || child.inert || child.matches(':disabled')) continue;
    if (child.tabIndex >= 0 && child.checkVisibility({ visibilityProperty: true })) yield child;
    yield* tabStopsIn(child.shadowRoot ?? child);
  }
}
