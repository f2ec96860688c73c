/**
 * Restores the focus after the focused element was removed: focuses the first match of these selectors, otherwise the
 * tag itself. The Tab key continues from there.
 */
export function moveFocusTo(root: Node, selectors: readonly string[] = []): void {
  if (!(root instanceof ShadowRoot) || document.activeElement !== document.body) return;
  const target = selectors.map((selector) => root.querySelector(selector)).find((element) => element !== null) ?? root.host;
  if (!(target instanceof HTMLElement) || !target.isConnected) return;
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('focusout', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}
