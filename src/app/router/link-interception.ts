import type { Host } from '../../platform/platform.ts';
import type { Router } from './router.ts';

/**
 * Link interception: turns clicks on links to the app's pages into navigations, also from inside shadow roots. Telegram
 * opens external links.
 */
export function interceptLinks(router: Router, host: Host): void {
  document.addEventListener('click', (event) => {
    const link = clickedLink(event);
    if (link === null) return;
    const isOwnOrigin = link.origin === location.origin;
    const opensInSameTab = link.target === '' || link.target === '_self';
    if (isOwnOrigin && router.hasRoute(link.pathname) && !isFragmentLink(link) && opensInSameTab) {
      event.preventDefault();
      router.navigate(link.pathname + link.search);
    } else if (!isOwnOrigin && host.kind === 'telegram' && /^https?:$/.test(link.protocol)) {
      event.preventDefault();
      if (link.hostname === 't.me') host.openTelegramLink(link.href);
      else host.openLink(link.href);
    }
  });
}

/**
 * Returns the clicked link; null if the browser must handle the click: already handled, a modifier key, another button,
 * or a download.
 */
function clickedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!(link instanceof HTMLAnchorElement) || link.href === '' || link.hasAttribute('download')) return null;
  return link;
}

/** Returns true if a link leads to a position in the current page. */
const isFragmentLink = (link: HTMLAnchorElement): boolean =>
  link.hash !== '' && link.pathname === location.pathname && link.search === location.search;
