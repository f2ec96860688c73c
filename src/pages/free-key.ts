/** Whether a key is the page's to use: nothing else has taken it, and neither a field nor a dialog has the focus. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return false;
  return !event.composedPath().some((node) => node instanceof Element && (isField(node) || node.matches('dialog')));
}

const isField = (node: Element): boolean =>
  node.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]');
