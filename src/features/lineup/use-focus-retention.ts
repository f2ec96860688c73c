import { type RefObject, useLayoutEffect, useRef } from 'react';

interface Wanted {
  readonly element: HTMLElement;
  readonly next: string | null;
  /** Whether `next` gets the focus though the element is still there, and whether it is scrolled to. */
  readonly moves: boolean;
  readonly scrolls: boolean;
}

/**
 * Restores the focus after a change of the rows: a row that changes place is taken out of the document for a moment and loses
 * the focus. With an id, that row gets it when the focused one has left; with `moves` in any case, and is scrolled to where the
 * focus was seen on a row. Does nothing while nothing has the focus.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): (next: string | null, moves?: boolean) => void {
  const wanted = useRef<Wanted | null>(null);
  useLayoutEffect(() => {
    const kept = wanted.current;
    wanted.current = null;
    if (kept === null || (!kept.moves && focusedIn(root.current) !== null)) return;
    const { moves, scrolls } = kept;
    const next = kept.next === null ? null : rowControl(root.current, kept.next);
    const before = kept.element.isConnected ? kept.element : null;
    (moves ? (next ?? before) : (before ?? next))?.focus({ preventScroll: !scrolls });
  });
  return (next, moves = false) => {
    const element = focusedIn(root.current);
    wanted.current = element && { element, next, moves, scrolls: moves && element.matches('[data-row] :focus-visible') };
  };
}

/** The control of a row that takes the focus, also where the channel is not in the line-up. */
export const rowControl = (root: HTMLElement | null, id: string): HTMLElement | null =>
  root?.querySelector<HTMLElement>(
    `[data-row="${CSS.escape(id)}"] :is(button.row-main, .row-check), [data-available="${CSS.escape(id)}"] button`,
  ) ?? null;

/** The control that has the focus inside the page, which lives in a shadow root. */
export function focusedIn(root: HTMLElement | null): HTMLElement | null {
  const tree = root?.getRootNode();
  const active = tree instanceof ShadowRoot || tree instanceof Document ? tree.activeElement : null;
  return active instanceof HTMLElement && root?.contains(active) === true ? active : null;
}
