/*
 * Loader of embedded tags: the first script that a page with one of our tags runs. The build makes it the tag's script.
 * It shows the server-rendered HTML of the tags in the document, and loads the code when a tag needs it (island.ts). It
 * does not define the tag, and it stores nothing.
 */
import { isPrerendered } from '../../contract/prerender.ts';
import { tagsWithoutRoot, warmUpSoon } from './fetch-prerendered.ts';
import { Island, type IslandCode } from './island.ts';
import { DEFERRED_MARGIN, LAZY_MARGIN, MAX_EAGER_TAGS } from './prerender.ts';
import type { LoaderApi } from './visit.ts';

/**
 * Build constants: the tag, its code, the chunks that posts need if they contain more than text and pictures, and the
 * chunk of visit.ts.
 */
declare const __TAG__: string;
declare const __REQUIRED_CHUNKS__: readonly string[];
declare const __COMMON_CHUNKS__: readonly string[];
declare const __VISIT_CHUNK__: string;

/**
 * Reserves space until the tag's own style sheets are loaded; see src/components/styles/embedded.css, and post.css for
 * a post.
 */
const reservedSpaceSheet = new CSSStyleSheet();
const minBlockSize = __TAG__ === 'changer-post' ? '0px' : '100vh';
reservedSpaceSheet.replaceSync(`:host,slot{display:block}slot{min-block-size:var(--changer-reserve,${minBlockSize})}`);

const toUrl = (path: string): string => new URL(path, import.meta.url).href;
const codeUrls = (isPrerendered(__TAG__) ? [...__REQUIRED_CHUNKS__, ...__COMMON_CHUNKS__] : __REQUIRED_CHUNKS__).map(toUrl);
let loadedCode: Promise<unknown> | undefined;
const code: IslandCode = {
  /** If the code fails to load, the tags' content remains, as on a page where the tags are unknown. */
  load() {
    loadedCode ??= Promise.all(codeUrls.map((url) => import(url)));
    loadedCode.catch(() => reservedSpaceSheet.replaceSync(''));
    return loadedCode;
  },
  async loadVisit() {
    code.visit = await import(toUrl(__VISIT_CHUNK__));
  },
};

const islands = new WeakMap<Element, Island>();
/** Number of tags that have started. */
let startedTags = 0;

/** Starts a tag now, or when it is near the viewport. */
function receiveTag(tag: HTMLElement): void {
  const loading = tag.getAttribute('loading');
  const isLazy = loading === 'lazy';
  const mayStartNow = loading === 'eager' || startedTags < MAX_EAGER_TAGS;
  if (!isLazy && mayStartNow) startTag(tag);
  else {
    // If waiting tags had no height, all of them would be near the viewport. The content replaces the slot.
    tag.shadowRoot?.querySelector('slot')?.style.setProperty('min-block-size', 'max(var(--changer-reserve,0px),200px)');
    whenNear(tag, isLazy ? LAZY_MARGIN : DEFERRED_MARGIN, () => startTag(tag));
  }
}

function startTag(tag: HTMLElement): void {
  const { shadowRoot: root } = tag;
  // A tag whose code has loaded starts by itself (lifecycle.ts).
  if (root === null || customElements.get(__TAG__)) return;
  startedTags += 1;
  // Requests for prerendered HTML carry no grant. A search without a query has no results.
  if (!isPrerendered(__TAG__) || tag.matches('[grant],changer-search:not([q]),changer-search[q=""]')) {
    loadCode();
    return;
  }
  const island = new Island(tag, root, code);
  islands.set(tag, island);
  island
    .show()
    .then(() => code.loadVisit())
    .then(() => code.visit?.attendTag(tag, island, loader))
    .catch(() => {});
  if (tag.matches('[hydrate=load]')) island.hydrate();
}

function loadCode(): void {
  code.load().catch(() => {});
}

/** Runs an action once, when an element is within a distance of the viewport. */
function whenNear(element: Element, margin: string, action: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      // An element with `display: contents` has no box, so it never intersects.
      if (!entries.some(({ isIntersecting }) => isIntersecting) && getComputedStyle(element).display !== 'contents') return;
      observer.disconnect();
      action();
    },
    // scrollMargin has the same effect for a scroll container inside the page; older browsers ignore it.
    { rootMargin: margin, scrollMargin: margin } as IntersectionObserverInit,
  );
  observer.observe(element);
}

/**
 * Reserves the tag's space from now on, so that content that arrives later does not shift the page. Its children are
 * visible.
 */
function reserveSpace(tag: HTMLElement): void {
  const root = tag.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [reservedSpaceSheet];
  const children = document.createElement('slot');
  // As in fallback-content.ts: the tag, with its style sheets, may arrive before its prerendered HTML.
  children.className = 'fallback shown loading';
  root.append(children);
}

/** Starts the tags in the document that have not started. Returns whether there are any. */
function receiveTags(): boolean {
  const tags = tagsWithoutRoot(__TAG__);
  for (const tag of tags) reserveSpace(tag);
  for (const tag of tags) receiveTag(tag);
  return tags.length > 0;
}

const loader: LoaderApi = { tag: __TAG__, codeUrls, ownUrl: import.meta.url, code, islands, receiveTags, whenNear };
// Tags that a script adds later, also to other shadow roots, start by their code.
if (receiveTags()) warmUpSoon();
else loadCode();
