/*
 * History state: the fields that the app stores in the state of a history entry. They survive a reload, and Back
 * restores them. Only this module reads and writes `history.state`.
 */

interface HistoryFields {
  /** Number of the app's entries before this one. */
  readonly changerDepth?: number | undefined;
  /** True for the entry of an open overlay. */
  readonly changerOver?: boolean | undefined;
  /** Scroll position of the page; features/post-list/use-scroll-restoration.ts. */
  readonly changerPlace?: object | null | undefined;
  /** Position of the dial; features/dial/use-dial.ts. */
  readonly changerDial?: object;
  /** Launch parameters, if the browser blocks sessionStorage; platform/telegram/launch.ts. */
  readonly changer_launch?: string;
}

/**
 * Returns a field of the current entry; undefined on the server. Its value is untrusted: another version of the app may have
 * written it.
 */
export const readHistoryState = (field: keyof HistoryFields): unknown => Reflect.get(Object(globalThis.history?.state), field);

/** Changes fields of the current entry. */
export const writeHistoryState = (fields: HistoryFields): void => history.replaceState({ ...history.state, ...fields }, '');

/** Changes the address of the current entry; its state does not change. */
export const replaceAddress = (address: string | URL): void => history.replaceState(history.state, '', address);

/**
 * State of the entry of another page: a copy of the current state (including the launch data, if storage is blocked)
 * without the overlay flag and the scroll position of the current page.
 */
const nextPageState = (): HistoryFields => ({ ...history.state, changerOver: undefined, changerPlace: undefined });

/** Adds an entry for another page. */
export const pushPageEntry = (address: string | URL): void =>
  history.pushState({ ...nextPageState(), changerDepth: historyDepth() + 1 }, '', address);

/** Replaces the current entry with that of another page. */
export const replacePageEntry = (address: string | URL): void => history.replaceState(nextPageState(), '', address);

/** Returns the number of the app's entries before this one in the history. */
export function historyDepth(): number {
  const depth = readHistoryState('changerDepth');
  return typeof depth === 'number' ? depth : 0;
}

/** Returns true if this entry is that of an overlay; the next page then replaces it. */
export const isOverlayEntry = (): boolean => readHistoryState('changerOver') === true;

/**
 * Overlay history entry: pushes a history entry for an open overlay, so that Back closes the overlay instead of leaving
 * the page. Returns a function that removes the entry. If the reader navigates onwards from the overlay, the router
 * replaces the entry with the next page.
 */
export function pushOverlayEntry(close: () => void): () => void {
  history.pushState({ ...history.state, changerDepth: historyDepth() + 1, changerOver: true }, '');
  window.addEventListener('popstate', close, { once: true });
  return () => {
    if (isOverlayEntry()) history.back();
    else window.removeEventListener('popstate', close);
  };
}
