import { type RefObject, useLayoutEffect, useRef } from 'react';

interface FocusRequest {
  readonly element: HTMLElement;
  /** Id of the row that receives the focus if the element is no longer mounted. */
  readonly nextId: string | null;
  /** True if the row `nextId` receives the focus even if the element is still mounted. */
  readonly moves: boolean;
  /** True if the element that receives the focus is scrolled into view. */
  readonly scrolls: boolean;
}

/**
 * Focus retention: restores the focus after a change of the rows, because a row that changes position is briefly
 * removed from the document and loses the focus. With an id, that row receives the focus if the focused one
 * disappeared. With `moves` it receives the focus in any case, and is scrolled into view if the focus was visible on a
 * row. The returned function is called before the change. It does nothing while no element has the focus.
 */
export function useFocusRetention(root: RefObject<HTMLElement | null>): (nextId: string | null, moves?: boolean) => void {
  const pending = useRef<FocusRequest | null>(null);
  useLayoutEffect(() => {
    const request = pending.current;
    pending.current = null;
    if (request === null || (!request.moves && focusedIn(root.current) !== null)) return;
    const { moves, scrolls } = request;
    const next = request.nextId === null ? null : rowControl(root.current, request.nextId);
    const previous = request.element.isConnected ? request.element : null;
    const target = moves ? (next ?? previous) : (previous ?? next);
    target?.focus({ preventScroll: !scrolls });
  });
  return (nextId, moves = false) => {
    const element = focusedIn(root.current);
    pending.current = element && { element, nextId, moves, scrolls: moves && element.matches('[data-row] :focus-visible') };
  };
}

/** Returns the focusable control of a row, also if the channel is not in the line-up. */
export const rowControl = (root: HTMLElement | null, id: string): HTMLElement | null =>
  root?.querySelector<HTMLElement>(
    `[data-row="${CSS.escape(id)}"] :is(button.row-main, .row-check), [data-available="${CSS.escape(id)}"] button`,
  ) ?? null;

/** Returns the focused control inside `root`, which may be in a shadow root; null if the focus is elsewhere. */
export function focusedIn(root: HTMLElement | null): HTMLElement | null {
  const rootNode = root?.getRootNode();
  const focused = rootNode instanceof ShadowRoot || rootNode instanceof Document ? rootNode.activeElement : null;
  return focused instanceof HTMLElement && root?.contains(focused) === true ? focused : null;
}
