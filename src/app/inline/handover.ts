/*
 * Handover from a prerendered page to the app: runs inline at the end of the page. The prerendered page is either
 * server-rendered (server/publishing/pages/page.ts), for a first visit, or a snapshot of the last visit. It stays readable
 * while the app mounts hidden at the same position. When the app shows at least as many items of each
 * kind, the prerendered page is removed before the next frame.
 */
import { localizeDates, numberFormat } from '../../i18n/format.ts';
import { afterPaint } from '../../lib/after-paint.ts';
import { placeDayHeadings, writeDayHeadings } from './day-headings.ts';
import { RETURNING_VISITOR_CLASS } from './first-visit.ts';
import { observeGroupHeights } from './group-heights.ts';
import { startHeldScripts } from './held-scripts.ts';
import { CONTENT_SELECTORS, LINKED_POST_SELECTOR, LOADING_SELECTOR, PRERENDERED_ID } from './prerendered.ts';
import { restoreSnapshot } from './restore-snapshot.ts';
import { createPositionKeeper } from './scroll-position.ts';

/**
 * Time after which the prerendered page is removed even if the app shows fewer items (a post was deleted in the meantime),
 * ms.
 */
const HANDOVER_TIMEOUT_MS = 3000;

const app = document.getElementById('q-app');
if (app !== null) {
  const prerendered = findServerRendered() ?? restoreSnapshot(app);
  const prerenderedRoot = prerendered?.firstElementChild?.shadowRoot;
  startHeldScripts(prerenderedRoot != null);
  if (prerenderedRoot) waitForApp(app, prerendered, prerenderedRoot);
  else prerendered?.remove();
}

/** Returns the server-rendered page of a first visit. Removes it for a returning visitor, whose content may differ. */
function findServerRendered(): HTMLElement | null {
  const serverRendered = document.getElementById(PRERENDERED_ID);
  if (serverRendered === null) return null;
  if (document.documentElement.classList.contains(RETURNING_VISITOR_CLASS)) {
    serverRendered.remove();
    document.getElementById('answers')?.remove();
    return null;
  }
  localizeServerRendered(serverRendered);
  return serverRendered;
}

/** Dates depend on the reader's time zone and clock, which the server does not know. */
function localizeServerRendered({ dataset, firstElementChild }: HTMLElement): void {
  const root = firstElementChild?.shadowRoot;
  if (root == null) return;
  const { when: dateTemplate = '' } = dataset;
  placeDayHeadings(root);
  // Scrolls to the post that the URL names; the app then finds it at this position.
  root.querySelector(LINKED_POST_SELECTOR)?.scrollIntoView();
  // The first formats take 70 ms on a slow device, so the posts are painted first. That of numbers, which the others need too, takes
  // most of it and has a task of its own.
  afterPaint(() => {
    const { lang } = document.documentElement;
    numberFormat(lang);
    setTimeout(() => {
      localizeDates(root, lang, dateTemplate);
      writeDayHeadings(root, lang);
    });
  });
}

/** Removes the prerendered page when the app shows its content. */
function waitForApp(mountPoint: HTMLElement, prerendered: HTMLElement, prerenderedRoot: ShadowRoot): void {
  const initialPath = location.pathname;
  const position = createPositionKeeper(prerenderedRoot);
  observeGroupHeights(prerenderedRoot);
  let isTimerSet = false;
  const appRoot = (): ShadowRoot | null => mountPoint.firstElementChild?.firstElementChild?.shadowRoot ?? null;
  const removePrerendered = (): void => {
    observer.disconnect();
    prerendered.remove();
    if (location.pathname === initialPath) position.restoreIn(appRoot());
    else position.stop();
  };
  /** Removes the prerendered page if the app shows enough items or has none, or after the timeout if it shows fewer. */
  const removeWhenReplaced = (): void => {
    const root = appRoot();
    if (root === null) return;
    observer.observe(root, { childList: true, subtree: true });
    const hasContent = root.querySelector(CONTENT_SELECTORS.join()) !== null;
    const isReplaced = CONTENT_SELECTORS.every((kind) => countIn(root, kind) >= countIn(prerenderedRoot, kind));
    const isEmpty = !hasContent && root.querySelector('.page') !== null && root.querySelector(LOADING_SELECTOR) === null;
    if (isReplaced || isEmpty || location.pathname !== initialPath) removePrerendered();
    else if (hasContent && !isTimerSet) {
      isTimerSet = true;
      setTimeout(removePrerendered, HANDOVER_TIMEOUT_MS);
    }
  };
  const observer = new MutationObserver(removeWhenReplaced);
  observer.observe(mountPoint, { childList: true, subtree: true });
  removeWhenReplaced();
}

/** Counts the items of a kind. A group of posts that the app renders later counts by the number of its posts. */
function countIn(root: ShadowRoot, selector: string): number {
  let count = root.querySelectorAll(selector).length;
  if (selector === 'article')
    for (const { dataset } of root.querySelectorAll<HTMLElement>('[data-posts]')) count += +(dataset.posts ?? 0);
  return count;
}
