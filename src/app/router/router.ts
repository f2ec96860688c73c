import Navigo, { type Match } from 'navigo';
import { type Destination, HOME, NOT_FOUND, ROUTES, type Route } from './routes.ts';

export interface Router {
  /** Reads the address and goes there. */
  start(): void;
  navigate(path: string, options?: { replace?: boolean }): void;
  /** Goes back within the app; where the app was entered, to `otherwise`, which is the first page where none is named. */
  back(otherwise?: string): void;
  /** Goes to the first page, also from there. */
  restart(): void;
  /** Whether a path is a page of ours; a malformed one is not. */
  knows(path: string): boolean;
}

interface Matched {
  readonly route: Route;
  readonly match: Match;
}

export interface RouterOptions {
  /** Navigo's before hook: called before every navigation, and not waited for here. */
  readonly before: () => void;
  /** `returned` says that it was by the history, Back or Forward. */
  readonly arrive: (destination: Destination, returned: boolean) => void;
  /** The address is where it was already. */
  readonly stay: () => void;
}

/**
 * Navigo, kept to what it does well: it names, matches and hooks, synchronously. Left to it, an unanswered hook or a handler
 * that throws would freeze it for good, overlapping navigations would all render in turn, and a malformed escape would throw.
 * So its hook is answered at once, and it gets no slow handler and no address it cannot read; history and the waiting for what
 * the hook began are ours (shell.ts).
 */
export function createRouter({ before, arrive, stay }: RouterOptions): Router {
  const navigo = new Navigo('/', { strategy: 'ONE', hash: false, noMatchWarning: true });
  // Takes its popstate listener away: it would read the raw address, which may be malformed. Routes are added after it.
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

  /** Asks Navigo for the address; it calls nobody where it is there already (a place on the page, the same link again). */
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
      // What lay over the page does not outlive a reload.
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

/** How many of our pages lie behind this one in the history. */
function depth(): number {
  const found = kept('changerDepth');
  return typeof found === 'number' ? found : 0;
}

/**
 * What an entry holds of the one before it: all (the launch, where storage is refused) but what lay over that one's page, and
 * where its reader was.
 */
const anew = (): object => ({ ...history.state, changerOver: undefined, changerPlace: undefined });

/** Whether this entry stands for what lies over the page (lib/history-state.ts): the next page takes its place. */
const isOver = (): boolean => kept('changerOver') === true;

/** The address as Navigo can read it: a malformed path as one segment that no route has, the query encoded anew. */
function readable({ pathname, searchParams }: URL): string {
  const path = isRoutable(pathname) ? pathname : `/${encodeURIComponent(pathname)}`;
  const query = searchParams.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Joined, not resolved: a path of ours that begins with two slashes would name another host. */
const addressOf = (path: string): URL => new URL(location.origin + path);

/** Navigo takes `//` for `/`, and the server does not. */
function isRoutable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('//');
  } catch {
    return false;
  }
}

/** Navigo's own reading of a query loses what follows a second `=`. The path's parameters win over the query's. */
function toDestination({ route, match }: Matched, { pathname, search, searchParams }: URL): Destination {
  return { route, path: pathname + search, params: { ...Object.fromEntries(searchParams), ...match.data } };
}
