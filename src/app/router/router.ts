/* Router: browser history around Navigo. */
import Navigo, { type Match } from 'navigo';
import { historyDepth, isOverlayEntry, pushPageEntry, replaceAddress, replacePageEntry } from '../../lib/history-state.ts';
import { HOME_PATH, NOT_FOUND_ROUTE, ROUTES, type Route, type RouteMatch } from './routes.ts';

export interface Router {
  /** Reads the current URL and navigates to it. */
  start(): void;
  navigate(path: string, options?: { replace?: boolean }): void;
  /** Goes back within the app. If the app was entered at this page, goes to `otherwise`, by default the home page. */
  back(otherwise?: string): void;
  /** Goes to the home page, also if it is the current page. */
  restart(): void;
  /** Returns true if a path is a page of the app; false for a malformed path. */
  hasRoute(path: string): boolean;
}

interface MatchedRoute {
  readonly route: Route;
  readonly match: Match;
}

export interface RouterOptions {
  /** Navigo's before hook: called before every navigation. The router does not wait for it. */
  readonly beforeEach: () => void;
  /** Called for each navigation. `returned` is true if it came from the history (Back or Forward). */
  readonly onRoute: (destination: RouteMatch, returned: boolean) => void;
  /** Called if the address did not change. */
  readonly onSameRoute: () => void;
}

/**
 * Router built on Navigo, which is used only to name and match routes and to run hooks, all synchronously. Used further, Navigo
 * would freeze for good if a hook never completes or a handler throws, would render overlapping navigations one after the
 * other, and would throw on a malformed escape. So its hook completes at once, and it receives no slow handler and no address
 * that it cannot parse. This module manages the history, and app-shell.ts waits for the work that the hook started.
 */
export function createRouter({ beforeEach, onRoute, onSameRoute }: RouterOptions): Router {
  const matcher = createRouteMatcher(beforeEach);
  let shownRoute: MatchedRoute | null = null;
  const show = (matched: MatchedRoute, address: URL, returned: boolean): void => {
    shownRoute = matched;
    onRoute(toRouteMatch(matched, address), returned);
  };
  /** Shows the page of the current URL. Returns false if the address did not change. */
  const resolve = (returned = false): boolean => {
    const address = new URL(location.href);
    const result = matcher.resolve(address);
    if (result === 'unchanged') return false;
    if (result === 'home') {
      replaceAddress(HOME_PATH + address.search);
      return resolve(returned);
    }
    show(result, address, returned);
    return true;
  };
  /** Adds or replaces a history entry, and shows its page. The entry of an overlay, and that of the same address, is replaced. */
  const go = (path: string, replace: boolean): void => {
    const address = toUrl(path);
    if (isOverlayEntry() || replace || address.href === location.href) replacePageEntry(address);
    else pushPageEntry(address);
    if (!resolve()) onSameRoute();
  };
  return {
    start() {
      history.scrollRestoration = 'manual';
      window.addEventListener('popstate', () => resolve(true));
      // An overlay over the page does not survive a reload.
      if (isOverlayEntry()) history.back();
      resolve();
    },
    navigate: (path, { replace = false } = {}) => go(path, replace),
    back(otherwise = HOME_PATH) {
      if (historyDepth() > 0) history.back();
      else go(otherwise, true);
    },
    restart() {
      replacePageEntry(HOME_PATH);
      if (resolve() || shownRoute === null) return;
      // The address did not change, so Navigo called no hook.
      beforeEach();
      show(shownRoute, new URL(location.href), false);
    },
    hasRoute: matcher.hasRoute,
  };
}

interface RouteMatcher {
  /**
   * Resolves an address: to a route; to `home` if it has no path; to `unchanged` if it is the previous address (an anchor on the
   * page, or the same link again), for which Navigo calls no handler.
   */
  resolve(address: URL): MatchedRoute | 'home' | 'unchanged';
  hasRoute(path: string): boolean;
}

/** Creates Navigo with all routes. `beforeEach` is called before every handler. */
function createRouteMatcher(beforeEach: () => void): RouteMatcher {
  const navigo = new Navigo('/', { strategy: 'ONE', hash: false, noMatchWarning: true });
  // Removes Navigo's popstate listener: it would read the raw address, which may be malformed. Routes are added afterwards.
  navigo.destroy();
  navigo.hooks({
    before(done) {
      beforeEach();
      done();
    },
  });
  let result: ReturnType<RouteMatcher['resolve']> = 'unchanged';
  for (const route of ROUTES) {
    navigo.on({
      [route.path]: {
        as: route.name,
        uses: (match: Match) => {
          result = { route, match };
        },
      },
    });
  }
  navigo.on('/', () => {
    result = 'home';
  });
  navigo.notFound((match: Match) => {
    result = { route: NOT_FOUND_ROUTE, match };
  });
  return {
    resolve(address) {
      result = 'unchanged';
      navigo.navigate(toNavigoPath(address), { updateBrowserURL: false });
      return result;
    },
    hasRoute(path) {
      const { pathname } = toUrl(path);
      return isRoutable(pathname) && navigo.match(pathname) !== false;
    },
  };
}

/**
 * Returns the address in a form that Navigo can parse: a malformed path becomes one segment that no route has, and the query is
 * re-encoded.
 */
function toNavigoPath({ pathname, searchParams }: URL): string {
  const path = isRoutable(pathname) ? pathname : `/${encodeURIComponent(pathname)}`;
  const query = searchParams.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Concatenates rather than resolves: a path that begins with two slashes would otherwise name another host. */
const toUrl = (path: string): URL => new URL(location.origin + path);

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
function toRouteMatch({ route, match }: MatchedRoute, { pathname, search, searchParams }: URL): RouteMatch {
  return { route, path: pathname + search, params: { ...Object.fromEntries(searchParams), ...match.data } };
}
