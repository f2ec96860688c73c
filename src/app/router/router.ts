/* Router: matches addresses to routes with Navigo, and manages the browser history. */
import Navigo, { type Match } from 'navigo';
import { historyDepth, isOverlayEntry, pushPageEntry, replaceAddress, replacePageEntry } from '../../lib/history-state.ts';
import { HOME_PATH } from '../../lib/links.ts';
import { NOT_FOUND_ROUTE, ROUTES, type Route, type RouteMatch } from './routes.ts';

export interface Router {
  /** Reads the current URL and navigates to it. */
  start(): void;
  navigate(path: string, options?: { replace?: boolean }): void;
  /**
   * Goes back within the app. If this page is the first of the visit, goes to `fallbackPath`, by default the home page.
   */
  back(fallbackPath?: string): void;
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
  /** Called for each navigation. `isHistoryNavigation` is true for Back and Forward. */
  readonly onRoute: (destination: RouteMatch, isHistoryNavigation: boolean) => void;
  /** Called if the address did not change. */
  readonly onSameRoute: () => void;
}

/**
 * Creates the router. Navigo only names and matches routes and runs hooks, all synchronously, because of its limits: it
 * freezes permanently if a hook never completes or a handler throws, it runs overlapping navigations one after the
 * other, and it throws on a malformed escape. So its hook completes immediately, no handler is slow, and it receives no
 * address that it cannot parse. This module manages the history, and app-shell.ts waits for the work that the hook
 * started.
 */
export function createRouter({ beforeEach, onRoute, onSameRoute }: RouterOptions): Router {
  const matcher = createRouteMatcher(beforeEach);
  let shownRoute: MatchedRoute | null = null;
  const show = (matched: MatchedRoute, address: URL, isHistoryNavigation: boolean): void => {
    shownRoute = matched;
    onRoute(toRouteMatch(matched, address), isHistoryNavigation);
  };
  /** Shows the page of the current URL. Returns false if the address did not change. */
  const resolve = (isHistoryNavigation = false): boolean => {
    const address = new URL(location.href);
    const result = matcher.resolve(address);
    if (result === 'unchanged') return false;
    if (result === 'home') {
      replaceAddress(HOME_PATH + address.search);
      return resolve(isHistoryNavigation);
    }
    show(result, address, isHistoryNavigation);
    return true;
  };
  /**
   * Shows a page in a new history entry. Replaces the current entry if it belongs to an overlay or has the same
   * address.
   */
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
    back(fallbackPath = HOME_PATH) {
      if (historyDepth() > 0) history.back();
      else go(fallbackPath, true);
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
   * Resolves an address: to a route; to `home` if it has no path; to `unchanged` if it is the previous address (an
   * anchor on the page, or the same link again), for which Navigo calls no handler.
   */
  resolve(address: URL): MatchedRoute | 'home' | 'unchanged';
  hasRoute(path: string): boolean;
}

/** Creates Navigo with all routes. `beforeEach` is called before every handler. */
function createRouteMatcher(beforeEach: () => void): RouteMatcher {
  const navigo = new Navigo('/', { strategy: 'ONE', hash: false, noMatchWarning: true });
  // Removes Navigo's popstate listener: it would read the raw address, which may be malformed. Routes are added
  // afterwards.
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
 * Returns the address in a form that Navigo can parse: a malformed path becomes one segment that no route has, and the
 * query is re-encoded.
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
 * Parses the query here, because Navigo's parser loses the text after a second `=`. Path parameters override query
 * parameters.
 */
function toRouteMatch({ route, match }: MatchedRoute, { pathname, search, searchParams }: URL): RouteMatch {
  return { route, path: pathname + search, params: { ...Object.fromEntries(searchParams), ...match.data } };
}
