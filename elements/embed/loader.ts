/*
 * Loader of embedded tags: the first script that a page with one of our tags runs. The build makes it the tag's script.
 * It shows the server-rendered HTML of the tags in the document, and loads the code when a tag needs it (island.ts). It
 * does not define the tag, and it stores nothing.
 */
import { isPrerendered } from '../../contract/prerender.ts';
import { warmUpDateFormats } from '../../src/i18n/format.ts';
import { reflectEarlyProperties } from './early-properties.ts';
import { tagsWithoutRoot } from './fetch-prerendered.ts';
import { Island, type IslandCode } from './island.ts';
import { MAX_EAGER_TAGS } from './prerender.ts';

/**
 * Build constants: the tag, its code, the chunks that posts need if they contain more than text and pictures, and the
 * chunk of visit.ts.
 */
declare const __TAG__: string;
declare const __REQUIRED_CHUNKS__: readonly string[];
declare const __COMMON_CHUNKS__: readonly string[];
declare const __VISIT_CHUNK__: string;

/** Distances from the viewport, as in lifecycle.ts. */
const [LAZY_MARGIN, DEFERRED_MARGIN] = ['600px', '200%'];

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
  else whenNear(tag, isLazy ? LAZY_MARGIN : DEFERRED_MARGIN, () => startTag(tag));
}

function startTag(tag: HTMLElement): void {
  const { shadowRoot: root } = tag;
  // A tag whose code has loaded starts by itself (lifecycle.ts).
  if (root === null || customElements.get(__TAG__)) return;
  startedTags += 1;
  if (!hasPrerender(tag)) return void code.load().catch(() => {});
  const island = new Island(tag, root, code);
  islands.set(tag, island);
  island.update();
  scheduleHydration(tag, island);
  attributeObserver.observe(tag, { attributes: true });
}

/** Requests for prerendered HTML carry no grant. A search without a query has no results. */
const hasPrerender = (tag: HTMLElement): boolean =>
  isPrerendered(__TAG__) && !tag.matches('[grant],changer-search:not([q]),changer-search[q=""]');

function scheduleHydration(tag: HTMLElement, island: Island): void {
  const mode = tag.getAttribute('hydrate');
  const hydrate = () => island.hydrate();
  if (mode === 'load') hydrate();
  else if (mode === 'idle') void code.loadVisit().then(() => code.visit?.whenIdle(hydrate));
  else if (mode === 'visible') whenNear(tag, '0px', hydrate);
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

/** Calls a function for each island in the document. */
function forEachIsland(action: (island: Island, tag: HTMLElement) => void): void {
  for (const tag of document.querySelectorAll<HTMLElement>(__TAG__)) {
    const island = islands.get(tag);
    if (island) action(island, tag);
  }
}

/** Events that a page receives only if a visitor looks at it. */
const VISITOR_EVENTS = ['scroll', 'pointermove', 'keydown', 'visibilitychange'];
function onVisitor(event: Event): void {
  for (const type of VISITOR_EVENTS) document.removeEventListener(type, onVisitor, true);
  const loader = { codeUrls, ownUrl: import.meta.url, forEachIsland, whenNear };
  void code.loadVisit().then(() => code.visit?.attendVisitor(event, loader));
}

const attributeObserver = new MutationObserver((records) => {
  for (const { target, attributeName } of records) {
    const tag = target as HTMLElement;
    const island = islands.get(tag);
    if (attributeName === 'hydrate' && island) scheduleHydration(tag, island);
    island?.update();
  }
});

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

function receiveTags(): void {
  const tags = tagsWithoutRoot(__TAG__);
  for (const tag of tags) reserveSpace(tag);
  for (const tag of tags) {
    if (isPrerendered(__TAG__)) reflectEarlyProperties(tag, __TAG__);
    receiveTag(tag);
  }
}

receiveTags();
// Tags that a script adds later, also to other shadow roots, start by their code.
if (startedTags === 0 && document.querySelector(__TAG__) === null) void code.load().catch(() => {});
else warmUpDateFormats(navigator.language);
const treeObserver = new MutationObserver(() => {
  if (customElements.get(__TAG__)) treeObserver.disconnect();
  else receiveTags();
});
treeObserver.observe(document, { childList: true, subtree: true });
for (const type of VISITOR_EVENTS) document.addEventListener(type, onVisitor, { capture: true, passive: true });
