/*
 * Fallback content of an embedded tag: the children that the site put into the tag are shown until the tag's own content is
 * ready, or permanently if it never is. They are shown through a slot next to the page, which is hidden until then, so that the
 * site's layout shifts only once.
 */

/** Placeholders of content that is still loading. */
const PENDING_SELECTOR = '.bones, .card-skeleton, .waiting';
/** Replaces content that cannot be shown; see StandIn in src/components/States.tsx. */
const FAILED_SELECTOR = 'slot';
const COUNTED_SELECTOR = 'article, .row';

/** Minimum height of a tag that waits. If waiting tags had no height, all of them would be near the viewport. */
const reservedSpaceSheet = new CSSStyleSheet();
reservedSpaceSheet.replaceSync(':host{min-block-size:max(var(--reserve),200px)}');

/** Reserves a tag's space in the page until its content is ready. */
export function reserveSpace(root: ShadowRoot): void {
  if (!root.adoptedStyleSheets.includes(reservedSpaceSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, reservedSpaceSheet];
}

/** Fallback content in a tag's root. */
export interface Fallback {
  /** Inserts the slot again after the root was emptied. */
  insertSlot(): void;
  /** Observes the content again: the tag's attributes select other content. */
  reset(): void;
  end(): void;
}

/** Shows a tag's children until its page is ready in `root`; then it calls `loaded`. */
export function showFallbackUntilReady(root: ShadowRoot, loaded: (count: number) => void): Fallback {
  const slot = document.createElement('slot');
  const observer = new MutationObserver(update);

  function update(): void {
    const page = root.querySelector('.root:not(.drawn)');
    const state = page === null ? 'coming' : contentState(page);
    if (state !== 'coming') removePrerender(root);
    const isShown = root.querySelector('.drawn') === null && slot.assignedNodes().some(isContent);
    const name = isShown ? `fallback shown ${state}` : `fallback ${state}`;
    // The observer also sees our own writes.
    if (slot.className !== name) slot.className = name;
    if (state !== 'there') return;
    observer.disconnect();
    slot.remove();
    loaded(page?.querySelectorAll(COUNTED_SELECTOR).length ?? 0);
  }
  const watch = (): void =>
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] });

  // The event also fires when the slot itself is removed.
  slot.addEventListener('slotchange', () => slot.isConnected && update());
  const insertSlot = (): void => root.prepend(slot);
  insertSlot();
  watch();
  update();
  return {
    insertSlot,
    // The previous content is still there; it is removed with the next change.
    reset() {
      removePrerender(root);
      watch();
    },
    end() {
      observer.disconnect();
      slot.remove();
    },
  };
}

/**
 * Removes the content that a loader shows, and the reserved space. If the focus was on a link in that content, it moves to the
 * same link of the page.
 */
function removePrerender(root: ShadowRoot): void {
  const { adoptedStyleSheets: sheets } = root;
  if (sheets.includes(reservedSpaceSheet)) root.adoptedStyleSheets = sheets.filter((sheet) => sheet !== reservedSpaceSheet);
  const prerendered = root.querySelector('.drawn');
  const href = prerendered?.contains(root.activeElement) && root.activeElement?.getAttribute('href');
  prerendered?.remove();
  if (href) root.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}

function contentState(page: Element): 'coming' | 'failed' | 'there' {
  if (page.matches(PENDING_SELECTOR) || page.querySelector(PENDING_SELECTOR) !== null) return 'coming';
  if (page.querySelector(FAILED_SELECTOR) !== null) return 'failed';
  return page.querySelector('article') !== null || page.textContent.trim() !== '' ? 'there' : 'coming';
}

const isContent = (node: Node): boolean => node instanceof Element || node.textContent?.trim() !== '';
