/*
 * Handover from server rendering to the app: runs inline at the end of a page that the server rendered
 * (server/publishing/pages/page.ts). The rendered page stays readable while the app mounts hidden at the same position.
 * When the app shows at least as many items, the rendered page is removed before the next frame.
 */
import { localizeDates } from '../../i18n/format.ts';
import { placeDayHeadings, writeDayHeadings } from './day-headings.ts';
import { RETURNING_VISITOR_CLASS } from './first-visit.ts';

/** Elements that come from different responses: the posts, and the numbers of the dial next to them. */
const CONTENT_SELECTOR = 'article, .key';
/**
 * Time after which the rendered page is removed even if the app shows fewer items (a post was deleted in the meantime),
 * ms.
 */
const HANDOVER_TIMEOUT_MS = 3000;

const prerendered = document.getElementById('drawn');
const app = document.getElementById('q-app');
const prerenderedRoot = prerendered?.firstElementChild?.shadowRoot;

if (
  prerendered === null ||
  app === null ||
  !prerenderedRoot ||
  document.documentElement.classList.contains(RETURNING_VISITOR_CLASS)
) {
  prerendered?.remove();
  document.getElementById('answers')?.remove();
} else {
  const initialPath = location.pathname;
  const prerenderedCount = prerenderedRoot.querySelectorAll(CONTENT_SELECTOR).length;
  const removePrerendered = (): void => {
    observer.disconnect();
    prerendered.remove();
  };
  let isTimerSet = false;
  /** Removes the rendered page if the app shows as many items, or after the timeout if the app shows fewer. */
  const removeWhenReplaced = (): void => {
    const appRoot = app.firstElementChild?.firstElementChild?.shadowRoot;
    if (appRoot == null) return;
    observer.observe(appRoot, { childList: true, subtree: true });
    const shownCount = appRoot.querySelectorAll(CONTENT_SELECTOR).length;
    if (shownCount >= prerenderedCount || location.pathname !== initialPath) removePrerendered();
    else if (shownCount > 0 && !isTimerSet) {
      isTimerSet = true;
      setTimeout(removePrerendered, HANDOVER_TIMEOUT_MS);
    }
  };
  const observer = new MutationObserver(removeWhenReplaced);
  // Dates depend on the reader's time zone and clock, which the server does not know.
  const { when: dateTemplate = '' } = prerendered.dataset;
  placeDayHeadings(prerenderedRoot);
  // Scrolls to the post that the URL names; the app then finds it at this position.
  prerenderedRoot.querySelector('article[aria-current]')?.scrollIntoView();
  // The first date format takes 60 ms on a slow device, so the posts are painted first.
  requestAnimationFrame(() =>
    setTimeout(() => {
      localizeDates(prerenderedRoot, document.documentElement.lang, dateTemplate);
      writeDayHeadings(prerenderedRoot, document.documentElement.lang);
      observer.observe(app, { childList: true, subtree: true });
      removeWhenReplaced();
    }),
  );
}
