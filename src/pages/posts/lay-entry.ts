import { address, takeReturn } from './returned.ts';

/**
 * Lays an entry of the history over the page's own, so that Back closes what lies over the page instead of leaving it; gives
 * what takes the entry away again. Where the reader goes on from it, the router puts the next page into its place.
 */
export function layEntry(close: () => void): () => void {
  const at = address();
  const behind = Number(read('changerDepth') ?? 0);
  history.pushState({ ...history.state, changerDepth: behind + 1, changerOver: true }, '');
  const onPop = () => {
    // Nobody came back to this page: it stood there all the time.
    if (address() === at) takeReturn();
    close();
  };
  window.addEventListener('popstate', onPop, { once: true });
  return () => {
    if (read('changerOver') === true) history.back();
    else window.removeEventListener('popstate', onPop);
  };
}

const read = (name: string): unknown => Reflect.get(Object(history.state), name);
