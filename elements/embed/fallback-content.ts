/*
 * Fallback content of an embedded tag: the children that the site put into the tag are shown until the tag's own
 * content is ready, or permanently if it never is. They are shown through a slot next to the page, which is hidden
 * until then, so that the site's layout shifts only once.
 */
import type { ContentStatus, ReportedState } from '../../src/components/content-status.ts';
import { COUNTED_SELECTOR, prerenderOf } from './prerender.ts';

/** Prerendered HTML, which a loader shows until the page is ready (fetch-prerendered.ts). */
const PRERENDERED_SELECTOR = '.drawn';

/** Minimum height of a tag that waits. If waiting tags had no height, all of them would be near the viewport. */
const reservedSpaceSheet = new CSSStyleSheet();
reservedSpaceSheet.replaceSync(':host{min-block-size:max(var(--reserve),200px)}');

/** Reserves a tag's space in the page until its content is ready. */
export function reserveSpace(root: ShadowRoot): void {
  if (!root.adoptedStyleSheets.includes(reservedSpaceSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, reservedSpaceSheet];
}

/** Fallback content in a tag's root. */
export interface FallbackContent {
  /** Inserts the slot again after the root was emptied. */
  insertSlot(): void;
  /** Receives the state of the page's content. */
  readonly contentStatus: ContentStatus;
  /** Waits for new content, after a change of the attributes that select it. */
  reset(): void;
  /** Stops waiting, and removes the slot. */
  end(): void;
}

/**
 * Shows a tag's children until the page in `root` reports that its content is ready. Then calls `onLoaded` with the
 * number of posts and rows.
 */
export function showFallbackUntilReady(root: ShadowRoot, onLoaded: (count: number) => void): FallbackContent {
  const slot = document.createElement('slot');
  const reports = new Set<{ readonly state: ReportedState }>();
  let isWaiting = true;
  let isUpdateScheduled = false;

  function update(): void {
    isUpdateScheduled = false;
    if (!isWaiting) return;
    const state = contentState(reports);
    if (state !== 'loading') removePrerender(root);
    const isShown = root.querySelector(PRERENDERED_SELECTOR) === null && slot.assignedNodes().some(isContent);
    slot.className = isShown ? `fallback shown ${state}` : `fallback ${state}`;
    if (state !== 'ready') return;
    isWaiting = false;
    slot.remove();
    onLoaded(root.querySelectorAll(COUNTED_SELECTOR).length);
  }
  /** Updates after the current commit of React, in which the page's components report one after another. */
  function scheduleUpdate(): void {
    if (!isUpdateScheduled) queueMicrotask(update);
    isUpdateScheduled = true;
  }

  // The event also fires when the slot itself is removed.
  slot.addEventListener('slotchange', () => slot.isConnected && update());
  const insertSlot = (): void => {
    if (isWaiting) root.prepend(slot);
  };
  insertSlot();
  update();
  return {
    insertSlot,
    contentStatus: {
      report(state) {
        const report = { state };
        reports.add(report);
        scheduleUpdate();
        return () => {
          reports.delete(report);
          scheduleUpdate();
        };
      },
    },
    // The previous content is still displayed; its components report with the next change.
    reset() {
      removePrerender(root);
      isWaiting = true;
    },
    end() {
      isWaiting = false;
      slot.remove();
    },
  };
}

/**
 * Removes the content that a loader shows, and the reserved space. The loader then applies what the reader did in that
 * content to the page. Without a loader, the focus moves from a link in that content to the same link of the page.
 */
function removePrerender(root: ShadowRoot): void {
  const { adoptedStyleSheets: sheets } = root;
  if (sheets.includes(reservedSpaceSheet)) root.adoptedStyleSheets = sheets.filter((sheet) => sheet !== reservedSpaceSheet);
  const prerendered = root.querySelector(PRERENDERED_SELECTOR);
  const finishHandover = prerendered && prerenderOf(root.host)?.handOver?.(prerendered);
  const href = prerendered?.contains(root.activeElement) && root.activeElement?.getAttribute('href');
  prerendered?.remove();
  if (finishHandover) finishHandover();
  else if (href) root.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}

function contentState(reports: Iterable<{ readonly state: ReportedState }>): 'loading' | 'failed' | 'ready' {
  const states = new Set([...reports].map(({ state }) => state));
  if (states.has('loading') || !states.has('rendered')) return 'loading';
  return states.has('failed') ? 'failed' : 'ready';
}

const isContent = (node: Node): boolean => node instanceof Element || node.textContent?.trim() !== '';
