import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * A row that changes place is taken out of the document for a moment and loses the focus; it gets it back. With an id, that
 * row gets it when the focused one has left.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): (next: string | null) => void {
  const wanted = useRef<{ readonly element: HTMLElement; readonly next: string | null } | null>(null);
  useLayoutEffect(() => {
    const kept = wanted.current;
    wanted.current = null;
    if (kept === null || focusedIn(root.current) !== null) return;
    const next = kept.next === null ? null : rowControl(root.current, kept.next);
    (kept.element.isConnected ? kept.element : next)?.focus({ preventScroll: true });
  });
  return (next) => {
    const element = focusedIn(root.current);
    wanted.current = element === null ? null : { element, next };
  };
}

/** What of a row takes the focus. */
export const rowControl = (root: HTMLElement | null, id: string): HTMLElement | null =>
  root?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] :is(button.row-main, .row-check)`) ?? null;

/** What has the focus inside the page, which lives in a shadow root. */
function focusedIn(root: HTMLElement | null): HTMLElement | null {
  const tree = root?.getRootNode();
  const active = tree instanceof ShadowRoot || tree instanceof Document ? tree.activeElement : null;
  return active instanceof HTMLElement && root?.contains(active) === true ? active : null;
}
