/* App shell: connects the router, the auth guard, lazy loading of pages, and the page outlet. */
import type { Messages } from '../../i18n/i18n.ts';
import { replaceAddress } from '../../lib/history-state.ts';
import type { Host } from '../../platform/platform.ts';
import { interceptLinks } from '../router/link-interception.ts';
import { createRouter, type Router } from '../router/router.ts';
import { LAYOUT_TAG, type RouteMatch, startParamPath } from '../router/routes.ts';
import { createDocumentTitle, titleOfRoute } from './document-title.ts';
import { createLoadError } from './load-error.ts';
import { createOutlet, type OutletProps, scrollToTop } from './outlet.ts';

export interface ShellOptions {
  readonly root: HTMLElement;
  readonly host: Host;
  readonly brandName: string;
  /** Loads the module that defines a tag. */
  readonly load: (tag: string) => Promise<unknown>;
  /** Called before every navigation. */
  readonly guard: () => Promise<void>;
  /** Returns the current properties that every tag receives. */
  readonly outletProps: () => OutletProps;
  readonly messages: () => Messages;
}

export interface Shell {
  /** Reports to the container that the app is ready, then shows the page of the URL. Called once. */
  mount(): void;
  readonly navigate: Router['navigate'];
  readonly back: Router['back'];
  /** Sets the title of the displayed page. */
  setTitle(title: string): void;
  /** Sets the number of unread posts before the title; '' for none. */
  setUnreadLabel(label: string): void;
  /** Passes changed properties (language, theme) to the tags. */
  update(): void;
  /** Removes all pages and renders the home page again, for another reader. */
  restart(): void;
}

/**
 * Creates the app shell, which turns an address into a page. The router's before hook starts the guard. While the guard
 * runs, the page's chunk loads in parallel, and the layout is already mounted. A navigation that is no longer the
 * latest shows nothing. A failure shows an error message in place of the page, and the next navigation starts from a
 * clean state.
 */
export function createShell({ root, host, brandName, load, guard, outletProps, messages }: ShellOptions): Shell {
  const outlet = createOutlet(root);
  const title = createDocumentTitle();
  /** Number of the latest navigation. */
  let latestNavigation = 0;
  /** Resolves when the guard of the latest navigation has completed. */
  let guardCompleted = Promise.resolve();
  /** Hides the back button of the container; null while it is hidden. */
  let hideBackButton: (() => void) | null = null;

  const showRoute = async (destination: RouteMatch, isHistoryNavigation: boolean, isRetry = false): Promise<void> => {
    const navigation = ++latestNavigation;
    const { route } = destination;
    const showLayout = async (): Promise<void> => {
      await load(LAYOUT_TAG);
      if (navigation === latestNavigation) outlet.showLayout(destination, outletProps());
    };
    // Loads in parallel with the guard.
    const loading = Promise.allSettled([load(route.tag), ...(route.usesLayout ? [showLayout()] : [])]);
    await guardCompleted;
    if (navigation !== latestNavigation) return;
    if (route.name === 'closeRouter') host.close();
    const loaded = await loading;
    if (navigation !== latestNavigation) return;
    try {
      if (loaded.some(({ status }) => status === 'rejected')) throw new Error(route.tag);
      // Sets the title before the page renders, because the page may set a better one.
      if (!outlet.isShowing(destination)) title.announce(titleOfRoute(route, messages(), brandName));
      outlet.show(destination, outletProps(), isHistoryNavigation);
    } catch {
      // In many browsers, a module that failed to load is not requested again until the document is reloaded.
      if (isRetry && navigator.onLine) return location.reload();
      outlet.showFailure(
        destination,
        outletProps(),
        createLoadError(messages(), () => void showRoute(destination, isHistoryNavigation, true)),
      );
    }
    updateBackButton(!route.isTopLevel);
  };
  const updateBackButton = (isShown: boolean): void => {
    if (isShown) {
      hideBackButton ??= host.showBackButton(() => router.back());
      return;
    }
    hideBackButton?.();
    hideBackButton = null;
  };
  const router = createRouter({
    beforeEach() {
      guardCompleted = (async () => guard())().catch(() => {});
    },
    onRoute: (destination, isHistoryNavigation) => void showRoute(destination, isHistoryNavigation),
    onSameRoute: scrollToTop,
  });

  return {
    mount() {
      host.ready();
      host.expand();
      interceptLinks(router, host);
      const startPath = startParamPath(host.startParam());
      if (startPath !== null) replaceAddress(startPath);
      router.start();
    },
    navigate: router.navigate,
    back: router.back,
    setTitle: (name) => title.announce(`${name} · ${brandName}`),
    setUnreadLabel: title.setUnreadLabel,
    update: () => outlet.update(outletProps()),
    restart() {
      outlet.clear();
      router.restart();
    },
  };
}
