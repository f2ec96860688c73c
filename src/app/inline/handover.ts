/*
 * Runs inline at the end of a page that the server drew (server/publishing/pages/page.ts). What was drawn stays to be read until the
 * app, which mounts unseen in the same place, shows as much; then it goes, before the next frame.
 */
import { retellDates } from '../../i18n/format.ts';
import { nameDays, placeDays } from './day-headings.ts';
import { OWN } from './first-visit.ts';

/** What comes of different answers: the posts, and the numbers of the dial beside them. */
const SHOWN = 'article, .key';
/** The app shows less than what was drawn (a post has left meanwhile): that is all there is, ms. */
const PATIENCE = 3000;

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
      setTimeout(give, PATIENCE);
    }
  };
  const observer = new MutationObserver(look);
  // The server knows neither the reader's time zone nor how long its page was on the way.
  const { when = '' } = drawn.dataset;
  placeDays(page);
  // The post that the address names; the app finds it where it is.
  page.querySelector('article[aria-current]')?.scrollIntoView();
  // The first format of a date takes a slow device 60 ms: the posts are painted before.
  requestAnimationFrame(() =>
    setTimeout(() => {
      retellDates(page, document.documentElement.lang, when);
      nameDays(page, document.documentElement.lang);
      observer.observe(app, { childList: true, subtree: true });
      look();
    }),
  );
}
