import { type Destination, LAYOUT_TAG } from '../router/routes.ts';

/** What every tag is given; the shell does not look inside. */
export interface Given {
  readonly services: unknown;
  readonly locale: string;
  readonly scheme: 'light' | 'dark' | null;
}

export interface Stage {
  /** Whether the page of this destination is there, perhaps with another query. */
  stands(destination: Destination): boolean;
  /** One to which its reader `returned` before another page stood in its place stays where it is. */
  show(destination: Destination, given: Given, returned: boolean): void;
  /** Shows the layout without a page where nothing stands yet, so that there is something to see while the page loads. */
  frame(destination: Destination, given: Given): void;
  /** Puts `failure` where the page would be, within the layout where that is there. */
  fail(destination: Destination, given: Given, failure: HTMLElement): void;
  /** Hands all tags what has changed. */
  give(given: Given): void;
  /** Forgets what stands, so that the next show makes it anew (another reader). */
  strike(): void;
}

/** The DOM of the app: inside `root` the layout, which stays, around the page, or a page alone. */
export function createStage(root: HTMLElement): Stage {
  let layout: HTMLElement | null = null;
  let page: HTMLElement | null = null;
  let shown: Destination | null = null;

  const give = ({ services, locale, scheme }: Given): void => {
    for (const tag of [layout, page]) {
      if (tag === null) continue;
      if (scheme === null) tag.removeAttribute('theme');
      else tag.setAttribute('theme', scheme);
      tag.setAttribute('lang', locale);
      Object.assign(tag, { services });
    }
  };
  /** The same page with another query keeps its element, its state and the focus (a search as it is typed). */
  const change = (element: HTMLElement, { path, params }: Destination): void => {
    layout?.setAttribute('path', path);
    Object.assign(element, { params });
  };
  /** Puts it into the layout, or alone. What follows something gets the focus. */
  const put = (next: HTMLElement, path: string, framed: boolean, given: Given): void => {
    const outgoing = page;
    page = next;
    if (framed) layout ??= document.createElement(LAYOUT_TAG);
    else layout = null;
    layout?.setAttribute('path', path);
    give(given);
    // Before the page is there: on Back it finds its own place again.
    scrollToTop();
    if (layout === null) root.replaceChildren(page);
    else {
      outgoing?.remove();
      if (layout.parentNode !== root) root.replaceChildren(layout);
      layout.replaceChildren(page);
    }
    if (outgoing !== null) focusOn(page);
  };
  const make = ({ route, path, params }: Destination, given: Given): void => {
    const made = document.createElement(route.tag);
    Object.assign(made, { params });
    if (params.id !== undefined) made.setAttribute('channel-id', params.id);
    put(made, path, route.layout, given);
  };
  const stands = (destination: Destination): boolean => shown !== null && pathname(shown) === pathname(destination);
  return {
    stands,
    show(destination, given, returned) {
      if (page !== null && stands(destination)) {
        if (!returned || shown?.path !== destination.path) scrollToTop();
        change(page, destination);
      } else {
        make(destination, given);
      }
      shown = destination;
    },
    frame({ path }, given) {
      if (shown !== null || layout !== null) return;
      layout = document.createElement(LAYOUT_TAG);
      layout.setAttribute('path', path);
      give(given);
      root.replaceChildren(layout);
    },
    fail({ route, path }, given, failure) {
      put(failure, path, route.layout && customElements.get(LAYOUT_TAG) !== undefined, given);
      shown = null;
    },
    give,
    strike() {
      layout = null;
      page = null;
      shown = null;
      root.replaceChildren();
    },
  };
}

/** A host with a tabindex of -1 keeps all that is inside it from the Tab key: it has one only until the reader goes on. */
function focusOn(page: HTMLElement): void {
  page.tabIndex = -1;
  page.focus({ preventScroll: true });
  page.addEventListener('focusout', () => page.removeAttribute('tabindex'), { once: true });
}

const pathname = ({ path }: Destination): string => path.split('?', 1)[0] ?? path;

/** Specification 2.2: every navigation scrolls to the top left. A server-rendered page is no navigation: its scroll position stays. */
export function scrollToTop(): void {
  if (document.getElementById('drawn') === null) window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
}
