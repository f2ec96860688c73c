/* Router: browser history around Navigo. */
import Navigo, { type Match } from 'navigo';
import { type Destination, HOME, NOT_FOUND, ROUTES, type Route } from './routes.ts';

export interface Router {
  /** Reads the current URL and navigates to it. */
  start(): void;
  navigate(path: string, options?: { replace?: boolean }): void;
  /** Goes back within the app. If the app was entered at this page, goes to `otherwise`, by default the home page. */
  back(otherwise?: string): void;
  /** Goes to the home page, also if it is the current page. */
  restart(): void;
  /** Returns true if a path is a page of the app; false for a malformed path. */
  knows(path: string): boolean;
}

interface Matched {
  readonly route: Route;
  readonly match: Match;
}

export interface RouterOptions {
  /** Navigo's before hook: called before every navigation. The router does not wait for it. */
  readonly before: () => void;
  /** Called for each navigation. `returned` is true if it came from the history (Back or Forward). */
  readonly arrive: (destination: Destination, returned: boolean) => void;
  /** Called if the address did not change. */
  readonly stay: () => void;
}

/**
 * Router built on Navigo, which is used only to name and match routes and to run hooks, all synchronously. Used further, Navigo
 * would freeze for good if a hook never completes or a handler throws, would render overlapping navigations one after the
 * other, and would throw on a malformed escape. So its hook completes at once, and it receives no slow handler and no address
 * that it cannot parse. This module manages the history, and app-shell.ts waits for the work that the hook started.
 */
export function createRouter({ before, arrive, stay }: RouterOptions): Router {
  const navigo = new Navigo('/', { strategy: 'ONE', hash: false, noMatchWarning: true });
  // Removes Navigo's popstate listener: it would read the raw address, which may be malformed. Routes are added afterwards.
  navigo.destroy();
  navigo.hooks({
    before(done) {
      before();
      done();
    },
  });
  let matched: Matched | null = null;
  let last: Matched | null = null;
  let toHome = false;
  for (const route of ROUTES) {
    navigo.on({
      [route.path]: {
        as: route.name,
        uses: (match: Match) => {
          matched = { route, match };
        },
      },
    });
  }
  navigo.on('/', () => {
    toHome = true;
  });
  navigo.notFound((match: Match) => {
    matched = { route: NOT_FOUND, match };
  });

  /**
   * Resolves the current URL with Navigo, which calls no handler if it is at that address already (an anchor on the page, or
   * the same link again).
   */
  const resolve = (returned = false): 'arrived' | 'there' => {
    const address = new URL(location.href);
    matched = null;
    toHome = false;
    navigo.navigate(readable(address), { updateBrowserURL: false });
    if (toHome) {
      history.replaceState(history.state, '', HOME + address.search);
      return resolve(returned);
    }
    if (matched === null) return 'there';
    last = matched;
    arrive(toDestination(matched, address), returned);
    return 'arrived';
  };
  const go = (path: string, replace: boolean): void => {
    const address = addressOf(path);
    const replaces = isOver() || replace || address.href === location.href;
    if (replaces) history.replaceState(anew(), '', address);
    else history.pushState({ ...anew(), changerDepth: depth() + 1 }, '', address);
    if (resolve() === 'there') stay();
  };
  return {
    start() {
      history.scrollRestoration = 'manual';
      window.addEventListener('popstate', () => resolve(true));
      // An overlay over the page does not survive a reload.
      if (isOver()) history.back();
      resolve();
    },
    navigate: (path, { replace = false } = {}) => go(path, replace),
    back(otherwise = HOME) {
      if (depth() > 0) history.back();
      else go(otherwise, true);
    },
    restart() {
      history.replaceState(anew(), '', HOME);
      if (resolve() !== 'there' || last === null) return;
      before();
      arrive(toDestination(last, new URL(location.href)), false);
    },
    knows(path) {
      const { pathname } = addressOf(path);
      return isRoutable(pathname) && navigo.match(pathname) !== false;
    },
  };
}

const kept = (name: string): unknown => Reflect.get(Object(history.state), name);

/** Returns the number of the app's pages before this one in the history. */
function depth(): number {
  const found = kept('changerDepth');
  return typeof found === 'number' ? found : 0;
}

/**
 * Returns the state for a new history entry: a copy of the current state (including the launch data, if storage is blocked)
 * without the overlay flag and the scroll position of the current page.
 */
const anew = (): object => ({ ...history.state, changerOver: undefined, changerPlace: undefined });

/** Returns true if this entry is an overlay entry (lib/history-state.ts); the next page then replaces it. */
const isOver = (): boolean => kept('changerOver') === true;

/**
 * Returns the address in a form that Navigo can parse: a malformed path becomes one segment that no route has, and the query is
 * re-encoded.
 */
function readable({ pathname, searchParams }: URL): string {
  const path = isRoutable(pathname) ? pathname : `/${encodeURIComponent(pathname)}`;
  const query = searchParams.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Concatenates rather than resolves: a path that begins with two slashes would otherwise name another host. */
const addressOf = (path: string): URL => new URL(location.origin + path);

/** Rejects `//`: Navigo treats it as `/`, but the server does not. */
function isRoutable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('//');
  } catch {
    return false;
  }
}

/**
 * Parses the query here, because Navigo's parser loses the text after a second `=`. Path parameters override query parameters.
 */
function toDestination({ route, match }: Matched, { pathname, search, searchParams }: URL): Destination {
  return { route, path: pathname + search, params: { ...Object.fromEntries(searchParams), ...match.data } };
}
