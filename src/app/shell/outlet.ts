import { PRERENDERED_ID } from '../inline/prerendered.ts';
import { LAYOUT_TAG, type RouteMatch } from '../router/routes.ts';

/** Properties that every tag receives; the shell does not read them. */
export interface OutletProps {
  readonly services: unknown;
  readonly locale: string;
  readonly scheme: 'light' | 'dark' | null;
}

export interface Outlet {
  /** Returns true if the page of this destination is mounted, possibly with another query. */
  isShowing(destination: RouteMatch): boolean;
  /** Shows a page. If Back or Forward leads to the page that is still mounted, its scroll position stays. */
  show(destination: RouteMatch, props: OutletProps, isHistoryNavigation: boolean): void;
  /** Shows the layout without a page if nothing is mounted yet, so that the frame is visible while the page loads. */
  showLayout(destination: RouteMatch, props: OutletProps): void;
  /** Shows `failure` in place of the page, within the layout if the layout is loaded. */
  showFailure(destination: RouteMatch, props: OutletProps, failure: HTMLElement): void;
  /** Passes changed properties to all tags. */
  update(props: OutletProps): void;
  /** Removes everything mounted, so that the next `show` creates it again (for another reader). */
  clear(): void;
}

/** Page outlet: mounts pages inside `root`, either within the layout, which stays mounted, or alone. */
export function createOutlet(root: HTMLElement): Outlet {
  let layout: HTMLElement | null = null;
  let page: HTMLElement | null = null;
  /** Destination of the mounted page; null if none is mounted, or an error message is. */
  let shown: RouteMatch | null = null;

  const setProps = ({ services, locale, scheme }: OutletProps): void => {
    for (const tag of [layout, page]) {
      if (tag === null) continue;
      if (scheme === null) tag.removeAttribute('theme');
      else tag.setAttribute('theme', scheme);
      tag.setAttribute('lang', locale);
      Object.assign(tag, { services });
    }
  };
  /**
   * Updates the mounted page with another query. The page keeps its element, its state and the focus (for example while
   * the reader types a search).
   */
  const updatePage = (element: HTMLElement, { path, params }: RouteMatch): void => {
    layout?.setAttribute('path', path);
    Object.assign(element, { params });
  };
  /** Mounts an element in the layout, or alone. It receives the focus if it replaces another element. */
  const mount = (next: HTMLElement, path: string, inLayout: boolean, props: OutletProps): void => {
    const previousPage = page;
    page = next;
    if (inLayout) layout ??= document.createElement(LAYOUT_TAG);
    else layout = null;
    layout?.setAttribute('path', path);
    setProps(props);
    // Scrolls before the page is mounted, because on Back the page restores its own scroll position.
    scrollToTop();
    if (layout === null) root.replaceChildren(page);
    else {
      previousPage?.remove();
      if (layout.parentNode !== root) root.replaceChildren(layout);
      layout.replaceChildren(page);
    }
    if (previousPage !== null) focusPage(page);
  };
  const createPage = ({ route, path, params }: RouteMatch, props: OutletProps): void => {
    const element = document.createElement(route.tag);
    Object.assign(element, { params });
    if (params.id !== undefined) element.setAttribute('channel-id', params.id);
    mount(element, path, route.usesLayout, props);
  };
  const isShowing = (destination: RouteMatch): boolean => shown !== null && pathname(shown) === pathname(destination);
  return {
    isShowing,
    show(destination, props, isHistoryNavigation) {
      if (page !== null && isShowing(destination)) {
        if (!isHistoryNavigation || shown?.path !== destination.path) scrollToTop();
        updatePage(page, destination);
      } else {
        createPage(destination, props);
      }
      shown = destination;
    },
    showLayout({ path }, props) {
      if (shown !== null || layout !== null) return;
      layout = document.createElement(LAYOUT_TAG);
      layout.setAttribute('path', path);
      setProps(props);
      root.replaceChildren(layout);
    },
    showFailure({ route, path }, props, failure) {
      mount(failure, path, route.usesLayout && customElements.get(LAYOUT_TAG) !== undefined, props);
      shown = null;
    },
    update: setProps,
    clear() {
      layout = null;
      page = null;
      shown = null;
      root.replaceChildren();
    },
  };
}

/**
 * Moves the focus to the page. A host with tabindex -1 hides its content from the Tab key, so the attribute is removed
 * when the focus leaves.
 */
function focusPage(page: HTMLElement): void {
  page.tabIndex = -1;
  page.focus({ preventScroll: true });
  page.addEventListener('focusout', () => page.removeAttribute('tabindex'), { once: true });
}

const pathname = ({ path }: RouteMatch): string => path.split('?', 1)[0] ?? path;

/**
 * Scrolls to the top left on every navigation (specification 2.2). A prerendered page is no navigation, so its scroll
 * position stays.
 */
export function scrollToTop(): void {
  if (document.getElementById(PRERENDERED_ID) === null) window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
}
