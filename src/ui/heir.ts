/** The first post, else what the page is called. */
const CONTENT = ['[role=feed] article', 'h1'] as const;

/** Gives the focus to the first of these that is there, else to the tag, where what had it has gone: the Tab key goes on from there. */
export function passFocus(root: Node, selectors: readonly string[] = []): void {
  if (!(root instanceof ShadowRoot) || document.activeElement !== document.body) return;
  const heir = selectors.map((selector) => root.querySelector(selector)).find((found) => found !== null) ?? root.host;
  if (!(heir instanceof HTMLElement) || !heir.isConnected) return;
  if (heir.tabIndex < 0) {
    heir.tabIndex = -1;
    heir.addEventListener('focusout', () => heir.removeAttribute('tabindex'), { once: true });
  }
  heir.focus({ preventScroll: true });
}

/** Makes the ref of what may go while the focus is in it, as a button does whose work is done: one of these takes the focus. */
export const leavesFocusTo = (selectors: readonly string[]) => (element: HTMLElement | null) => {
  const root = element?.getRootNode();
  return () => {
    // It stands for the last moment: what takes its place is not there yet.
    if (root instanceof ShadowRoot && element?.contains(root.activeElement)) queueMicrotask(() => passFocus(root, selectors));
  };
};

export const leavesFocusToContent = leavesFocusTo(CONTENT);
export const leavesFocusToHeading = leavesFocusTo(['h1']);
