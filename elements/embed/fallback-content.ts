/*
 * Until a tag's content stands, what the site put between its tags does; for good, where the content never comes. It shows
 * through a slot beside the page, which is out of sight meanwhile, so that nothing on the site moves but once.
 */

/** Stands in for what is on its way. */
const COMING = '.bones, .card-skeleton, .waiting';
/** Holds the place of what cannot be shown; see StandIn in src/components/States.tsx. */
const FAILED = 'slot';
const COUNTED = 'article, .row';

/** The place of a tag that waits: were it of no height, all others would be near, too. */
const place = new CSSStyleSheet();
place.replaceSync(':host{min-block-size:max(var(--reserve),200px)}');

/** Keeps a tag's place in the page until its content stands. */
export function keepPlace(root: ShadowRoot): void {
  if (!root.adoptedStyleSheets.includes(place)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, place];
}

/** What a tag's root holds so far. */
export interface Fallback {
  /** Puts the slot where the root was emptied. */
  place(): void;
  /** Watches for content anew: the tag's attributes name something else. */
  renew(): void;
  end(): void;
}

/** Shows a tag's children until its page stands in `root`, which it tells by `loaded`. */
export function keepFallback(root: ShadowRoot, loaded: (count: number) => void): Fallback {
  const slot = document.createElement('slot');
  const observer = new MutationObserver(look);

  function look(): void {
    const page = root.querySelector('.root:not(.drawn)');
    const state = page === null ? 'coming' : stateOf(page);
    if (state !== 'coming') takeAway(root);
    const isShown = root.querySelector('.drawn') === null && slot.assignedNodes().some(isContent);
    const name = isShown ? `fallback shown ${state}` : `fallback ${state}`;
    // What is written is seen, too.
    if (slot.className !== name) slot.className = name;
    if (state !== 'there') return;
    observer.disconnect();
    slot.remove();
    loaded(page?.querySelectorAll(COUNTED).length ?? 0);
  }
  const watch = (): void =>
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] });

  // It tells of its own leaving, too.
  slot.addEventListener('slotchange', () => slot.isConnected && look());
  const place = (): void => root.prepend(slot);
  place();
  watch();
  look();
  return {
    place,
    // What stood before still does: it goes with the next change.
    renew() {
      takeAway(root);
      watch();
    },
    end() {
      observer.disconnect();
      slot.remove();
    },
  };
}

/** Takes away what a loader shows, and the place; who had come to a link in it is at the same link of the page. */
function takeAway(root: ShadowRoot): void {
  const { adoptedStyleSheets: sheets } = root;
  if (sheets.includes(place)) root.adoptedStyleSheets = sheets.filter((each) => each !== place);
  const drawn = root.querySelector('.drawn');
  const href = drawn?.contains(root.activeElement) && root.activeElement?.getAttribute('href');
  drawn?.remove();
  if (href) root.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}

function stateOf(page: Element): 'coming' | 'failed' | 'there' {
  if (page.matches(COMING) || page.querySelector(COMING) !== null) return 'coming';
  if (page.querySelector(FAILED) !== null) return 'failed';
  return page.querySelector('article') !== null || page.textContent.trim() !== '' ? 'there' : 'coming';
}

const isContent = (node: Node): boolean => node instanceof Element || node.textContent?.trim() !== '';
