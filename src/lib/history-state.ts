/**
 * Lays an entry of the history over the page's own, so that Back closes what lies over the page instead of leaving it; gives
 * what takes the entry away again. Where the reader goes on from it, the router puts the next page into its place.
 */
export function layEntry(close: () => void): () => void {
  const behind = Number(read('changerDepth') ?? 0);
  history.pushState({ ...history.state, changerDepth: behind + 1, changerOver: true }, '');
  window.addEventListener('popstate', close, { once: true });
  return () => {
    if (read('changerOver') === true) history.back();
    else window.removeEventListener('popstate', close);
  };
}

const read = (name: string): unknown => Reflect.get(Object(history.state), name);
