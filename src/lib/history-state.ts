/**
 * Overlay history entry: pushes a history entry for an open overlay, so that Back closes the overlay instead of leaving the
 * page. Returns a function that removes the entry. If the reader navigates onwards from the overlay, the router replaces the
 * entry with the next page.
 */
export function pushOverlayEntry(close: () => void): () => void {
  const behind = Number(readHistoryState('changerDepth') ?? 0);
  history.pushState({ ...history.state, changerDepth: behind + 1, changerOver: true }, '');
  window.addEventListener('popstate', close, { once: true });
  return () => {
    if (readHistoryState('changerOver') === true) history.back();
    else window.removeEventListener('popstate', close);
  };
}

const readHistoryState = (name: string): unknown => Reflect.get(Object(history.state), name);
