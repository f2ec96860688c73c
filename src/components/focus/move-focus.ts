/**
 * Restores the focus after the focused element was removed: focuses the first match of these selectors, otherwise the tag itself.
 * The Tab key continues from there.
 */
export function moveFocusTo(root: Node, selectors: readonly string[] = []): void {
  if (!(root instanceof ShadowRoot) || document.activeElement !== document.body) return;
  const heir = selectors.map((selector) => root.querySelector(selector)).find((found) => found !== null) ?? root.host;
  if (!(heir instanceof HTMLElement) || !heir.isConnected) return;
  if (heir.tabIndex < 0 && !heir.hasAttribute('tabindex')) {
    heir.tabIndex = -1;
    heir.addEventListener('focusout', () => heir.removeAttribute('tabindex'), { once: true });
  }
  heir.focus({ preventScroll: true });
}
