/*
 * Handover from server rendering to the app: runs inline at the end of a page that the server rendered
 * (server/publishing/pages/page.ts). The rendered page stays readable while the app mounts hidden in the same position. When
 * the app shows as many items, the rendered page is removed before the next frame.
 */
import { retellDates } from '../../i18n/format.ts';
import { nameDays, placeDays } from './day-headings.ts';
import { OWN } from './first-visit.ts';

/** Elements that come from different responses: the posts, and the numbers of the dial next to them. */
const SHOWN = 'article, .key';
/** Time until the rendered page is removed although the app shows fewer items (a post was deleted in the meantime), ms. */
const HANDOVER_TIMEOUT_MS = 3000;

const drawn = document.getElementById('drawn');
const app = document.getElementById('q-app');
const page = drawn?.firstElementChild?.shadowRoot;

if (drawn === null || app === null || !page || document.documentElement.classList.contains(OWN)) {
  drawn?.remove();
  document.getElementById('answers')?.remove();
} else {
  const { pathname } = location;
  const { length } = page.querySelectorAll(SHOWN);
  const give = (): void => {
    observer.disconnect();
    drawn.remove();
  };
  let isLess = false;
  const look = (): void => {
    const standing = app.firstElementChild?.firstElementChild?.shadowRoot;
    if (standing == null) return;
    observer.observe(standing, { childList: true, subtree: true });
    const shown = standing.querySelectorAll(SHOWN).length;
    if (shown >= length || location.pathname !== pathname) give();
    else if (shown > 0 && !isLess) {
      isLess = true;
      setTimeout(give, HANDOVER_TIMEOUT_MS);
    }
  };
  const observer = new MutationObserver(look);
  // The server knows neither the reader's time zone nor the network latency of its page.
  const { when = '' } = drawn.dataset;
  placeDays(page);
  // Scrolls to the post that the URL names; the app then finds it at this position.
  page.querySelector('article[aria-current]')?.scrollIntoView();
  // The first date format takes 60 ms on a slow device, so the posts are painted first.
  requestAnimationFrame(() =>
    setTimeout(() => {
      retellDates(page, document.documentElement.lang, when);
      nameDays(page, document.documentElement.lang);
      observer.observe(app, { childList: true, subtree: true });
      look();
    }),
  );
}
