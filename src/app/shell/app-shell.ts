import type { Messages } from '../../i18n/i18n.ts';
import type { Host } from '../../platform/platform.ts';
import { followLinks } from '../router/link-interception.ts';
import { createRouter, type Router } from '../router/router.ts';
import { type Destination, LAYOUT_TAG, pathOfStartParam } from '../router/routes.ts';
import { createDocumentTitle, titleOf } from './document-title.ts';
import { createFailure } from './load-error.ts';
import { createStage, type Given, scrollToTop } from './outlet.ts';

export interface ShellOptions {
  readonly root: HTMLElement;
  readonly host: Host;
  readonly brandName: string;
  /** Loads what defines a tag. */
  readonly load: (tag: string) => Promise<unknown>;
  /** Called before every navigation. */
  readonly guard: () => Promise<void>;
  /** What the tags are given, as it is now. */
  readonly given: () => Given;
  readonly messages: () => Messages;
}

export interface Shell {
  /** Mounts the root view: tells the container, once, then shows the page of the address. */
  mount(): void;
  readonly navigate: Router['navigate'];
  readonly back: Router['back'];
  /** Names what the page that is shown is about. */
  setTitle(title: string): void;
  /** Puts a number of unread posts before the title, '' for none. */
  setUnread(label: string): void;
  /** Hands the tags what has changed: another language, another theme. */
  update(): void;
  /** Shows the home page anew, with nothing left of what stood (another reader). */
  restart(): void;
}

/**
 * From an address to a page. While the guard, begun by the router's before hook, has its say, the page's chunk loads beside it,
 * and the layout stands already. The last navigation wins: one that was overtaken shows nothing. Whatever fails on the way ends
 * in a page or in the notice that there is none, and the next navigation starts afresh.
 */
export function createShell({ root, host, brandName, load, guard, given, messages }: ShellOptions): Shell {
  const stage = createStage(root);
  const title = createDocumentTitle();
  let latest = 0;
  let guarded = Promise.resolve();
  let hideBack: (() => void) | null = null;

  const arrive = async (destination: Destination, returned: boolean, again = false): Promise<void> => {
    const turn = ++latest;
    const { route } = destination;
    const frame = async (): Promise<void> => {
      await load(LAYOUT_TAG);
      if (turn === latest) stage.frame(destination, given());
    };
    const loading = Promise.allSettled([load(route.tag), ...(route.layout ? [frame()] : [])]);
    await guarded;
    if (turn !== latest) return;
    if (route.name === 'closeRouter') host.close();
    const loaded = await loading;
    if (turn !== latest) return;
    try {
      if (loaded.some(({ status }) => status === 'rejected')) throw new Error(route.tag);
      // Before the page: it may know a better title.
      if (!stage.stands(destination)) title.announce(titleOf(route, messages(), brandName));
      stage.show(destination, given(), returned);
    } catch {
      // Many browsers never ask again for a module that once failed, until there is a new document.
      if (again && navigator.onLine) return location.reload();
      stage.fail(
        destination,
        given(),
        createFailure(messages(), () => void arrive(destination, returned, true)),
      );
    }
    showBack(!route.top);
  };
  const showBack = (shown: boolean): void => {
    if (shown) {
      hideBack ??= host.showBackButton(() => router.back());
      return;
    }
    hideBack?.();
    hideBack = null;
  };
  const router = createRouter({
    before() {
      guarded = (async () => guard())().catch(() => {});
    },
    arrive: (destination, returned) => void arrive(destination, returned),
    stay: scrollToTop,
  });

  return {
    mount() {
      host.ready();
      host.expand();
      followLinks(router, host);
      const wanted = pathOfStartParam(host.startParam());
      if (wanted !== null) history.replaceState(history.state, '', wanted);
      router.start();
    },
    navigate: router.navigate,
    back: router.back,
    setTitle: (name) => title.announce(`${name} · ${brandName}`),
    setUnread: title.setUnread,
    update: () => stage.give(given()),
    restart() {
      stage.strike();
      router.restart();
    },
  };
}
