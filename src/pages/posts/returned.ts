/*
 * Whether the reader came by Back or Forward: only then a page takes its former place up again, since every other navigation
 * goes to the top. One window has one history, so this one note belongs to the module.
 */
let popped: string | null = null;
let watching = false;

/** Begins to note where the history goes; harmless twice. */
export function watchReturns(): void {
  if (watching) return;
  watching = true;
  window.addEventListener('popstate', () => (popped = location.href), { capture: true });
}

/** Says once whether the present address was reached by Back or Forward. */
export function takeReturn(): boolean {
  const returned = popped === location.href;
  popped = null;
  return returned;
}
