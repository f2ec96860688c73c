import { type RefObject, useLayoutEffect, useRef } from 'react';

interface FocusRequest {
  readonly element: HTMLElement;
  readonly next: string | null;
  /** True if `next` receives the focus although the element is still mounted; `scrolls` if it is scrolled into view. */
  readonly moves: boolean;
  readonly scrolls: boolean;
}

/**
 * Focus retention: restores the focus after a change of the rows, because a row that changes position is briefly removed from
 * the document and loses the focus. With an id, that row receives the focus if the focused one disappeared. With `moves` it
 * receives the focus in any case, and is scrolled into view if the focus was visible on a row. Does nothing while no element
 * has the focus.
 */
export function useFocusRetention(root: RefObject<HTMLElement | null>): (next: string | null, moves?: boolean) => void {
  const pending = useRef<FocusRequest | null>(null);
  useLayoutEffect(() => {
    const request = pending.current;
    pending.current = null;
    if (request === null || (!request.moves && focusedIn(root.current) !== null)) return;
    const { moves, scrolls } = request;
    const next = request.next === null ? null : rowControl(root.current, request.next);
    const previous = request.element.isConnected ? request.element : null;
    (moves ? (next ?? previous) : (previous ?? next))?.focus({ preventScroll: !scrolls });
  });
  return (next, moves = false) => {
    const element = focusedIn(root.current);
    pending.current = element && { element, next, moves, scrolls: moves && element.matches('[data-row] :focus-visible') };
  };
}

/** Returns the focusable control of a row, also if the channel is not in the line-up. */
export const rowControl = (root: HTMLElement | null, id: string): HTMLElement | null =>
  root?.querySelector<HTMLElement>(
    `[data-row="${CSS.escape(id)}"] :is(button.row-main, .row-check), [data-available="${CSS.escape(id)}"] button`,
  ) ?? null;

/** Returns the focused control inside the page, which is in a shadow root. */
export function focusedIn(root: HTMLElement | null): HTMLElement | null {
  const tree = root?.getRootNode();
  const active = tree instanceof ShadowRoot || tree instanceof Document ? tree.activeElement : null;
  return active instanceof HTMLElement && root?.contains(active) === true ? active : null;
}
