/*
 * Visit: what islands need after they show their prerendered HTML. The build makes this file a chunk, which the loaders
 * of a page share.
 */
import { isPrerendered } from '../../contract/prerender.ts';
import { whenIdle } from '../../src/lib/when-idle.ts';
import { reflectEarlyProperties } from './early-properties.ts';
import { fetchPrerender, prerenderUrl, readPrerender, tagsWithoutRoot } from './fetch-prerendered.ts';
import type { Island, IslandCode } from './island.ts';

export { recordState } from './handover.ts';

/** Distance of the last posts from the viewport at which a list loads its code, and with it more posts. */
const LIST_END_MARGIN = '100%';
/** Minimum time between two requests for the same prerendered HTML. */
const REFRESH_INTERVAL_MS = 60_000;

/** Parts of the loader. */
export interface LoaderApi {
  /** Name of the tag. */
  readonly tag: string;
  /** URLs of the tag's code, and of the loader itself. */
  readonly codeUrls: readonly string[];
  readonly ownUrl: string;
  readonly code: IslandCode;
  readonly islands: WeakMap<Element, Island>;
  /** Starts the tags in the document that have not started. */
  receiveTags(): void;
  whenNear(element: Element, margin: string, action: () => void): void;
}

/** Observes a tag that shows its prerendered HTML: its properties, its attributes, and the value of `hydrate`. */
export function attendTag(tag: HTMLElement, island: Island, loader: LoaderApi): void {
  if (!attendedLoaders.has(loader)) attendPage(loader);
  reflectProperties(tag, loader);
  applyAttributes(tag, island);
  scheduleHydration(tag, island, loader);
  const observer = new MutationObserver((records) => {
    if (island.isMounted) return observer.disconnect();
    if (records.some(({ attributeName }) => attributeName === 'hydrate')) scheduleHydration(tag, island, loader);
    applyAttributes(tag, island);
  });
  observer.observe(tag, { attributes: true });
}

function reflectProperties(tag: HTMLElement, { tag: name }: LoaderApi): void {
  if (!customElements.get(name) && isPrerendered(name)) reflectEarlyProperties(tag, name);
}

/** Applies attributes that have changed since the prerendered HTML was requested. */
function applyAttributes(tag: HTMLElement, island: Island): void {
  const { content } = island.shown;
  const color = tag.getAttribute('accent');
  island.accent.replaceSync(':host{}');
  const [rule] = island.accent.cssRules;
  if (rule instanceof CSSStyleRule) rule.style.setProperty('--changer-brand', color);
  if (content && tag.dir) content.dir = tag.dir;
  // Requests for prerendered HTML carry no grant.
  if (tag.matches('[grant]')) island.hydrate();
  else if (island.url !== prerenderUrl(tag)) void island.show();
}

function scheduleHydration(tag: HTMLElement, island: Island, loader: LoaderApi): void {
  const mode = tag.getAttribute('hydrate');
  const hydrate = () => island.hydrate();
  if (mode === 'load') hydrate();
  else if (mode === 'idle') void whenIdle().then(hydrate);
  else if (mode === 'visible') loader.whenNear(tag, '0px', hydrate);
}

const attendedLoaders = new WeakSet<LoaderApi>();
/** Events that a page receives only if a visitor looks at it. */
const VISITOR_EVENTS = ['scroll', 'pointermove', 'keydown'];

/**
 * Starts the tags that are added to the document later, and the work for a visitor: requests the code of visible tags
 * ahead, loads it near the end of a list, and refreshes the tags when the page becomes visible again.
 */
function attendPage(loader: LoaderApi): void {
  attendedLoaders.add(loader);
  const treeObserver = new MutationObserver(() => {
    if (customElements.get(loader.tag)) treeObserver.disconnect();
    else receiveTags();
  });
  treeObserver.observe(document, { childList: true, subtree: true });
  // A framework sets the properties of a tag before it adds the tag.
  const receiveTags = () => {
    for (const tag of tagsWithoutRoot(loader.tag)) reflectProperties(tag, loader);
    loader.receiveTags();
  };
  receiveTags();
  const forEachIsland = (action: (island: Island, tag: HTMLElement) => void) => {
    for (const tag of document.querySelectorAll<HTMLElement>(loader.tag)) {
      const island = loader.islands.get(tag);
      if (island) action(island, tag);
    }
  };
  const prefetch = () => {
    for (const type of VISITOR_EVENTS) document.removeEventListener(type, prefetch, true);
    forEachIsland((_, tag) => loader.whenNear(tag, '0px', () => prefetchModules(loader)));
  };
  for (const type of VISITOR_EVENTS) document.addEventListener(type, prefetch, { capture: true, passive: true });
  const watchEnds = () => forEachIsland((island) => hydrateNearEnd(island, loader));
  document.addEventListener('scroll', watchEnds, { capture: true, passive: true, once: true });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') forEachIsland((island, tag) => void refresh(island, tag));
  });
}

/** Hydrates a list when the visitor comes near its end. */
function hydrateNearEnd(island: Island, loader: LoaderApi): void {
  const group = [...(island.shown.content?.querySelectorAll('.leaf') ?? [])].at(-1);
  if (group === undefined) return;
  // Newer HTML may have replaced the group.
  loader.whenNear(group, LIST_END_MARGIN, () => (group.isConnected ? island.hydrate() : hydrateNearEnd(island, loader)));
}

/** Newer prerendered HTML by its URL, with the time of the request. */
const refreshed = new Map<string, { readonly page: Promise<Document | null>; readonly at: number }>();
/** Time at which the prerendered HTML was requested that the tags show at first. */
const startedAt = performance.timeOrigin;

/** Requests the HTML of a tag again if it is old, and shows it if it has changed. */
async function refresh(island: Island, tag: HTMLElement): Promise<void> {
  const url = prerenderUrl(tag);
  if (!island.shown.parts || url === null || !navigator.onLine) return;
  const existing = refreshed.get(url);
  const isDue = Date.now() - (existing?.at ?? startedAt) >= REFRESH_INTERVAL_MS;
  const page = isDue ? refetch(url) : existing?.page;
  if (isDue && page) refreshed.set(url, { page, at: Date.now() });
  const next = readPrerender((await page) ?? null);
  const { parts, content } = island.shown;
  if (!next || !parts || prerenderUrl(tag) !== url || isPlaying(content)) return;
  if (!next.content.isEqualNode(parts.content)) island.insert(next);
}

/**
 * Fetches prerendered HTML after the browser has validated its stored response (ETag). Otherwise it could return an old
 * one, and validate it afterwards.
 */
const refetch = (url: string): Promise<Document | null> =>
  fetch(url, { cache: 'no-cache', credentials: 'omit' })
    .then((response) => response.text())
    .then(
      () => fetchPrerender(url),
      () => null,
    );

const isPlaying = (content: Element | undefined): boolean =>
  [...(content?.querySelectorAll<HTMLMediaElement>('video,audio') ?? [])].some(({ paused }) => !paused);

/** Returns whether the visitor asks to save data. */
const savesData = (): boolean => {
  const connection = Reflect.get(navigator, 'connection') as { readonly saveData?: boolean } | undefined;
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;
};

const prefetchedLoaders = new WeakSet<LoaderApi>();

/**
 * Requests the code ahead, with low priority, when the browser is idle. A policy that allowed the loader to import it
 * allows this too, if the links have its nonce. A browser without module preloading ignores the links.
 */
function prefetchModules(loader: LoaderApi): void {
  if (prefetchedLoaders.has(loader) || savesData()) return;
  prefetchedLoaders.add(loader);
  const { codeUrls, ownUrl } = loader;
  const nonce = [...document.scripts].find(({ src }) => src === ownUrl)?.nonce ?? '';
  const links = codeUrls.map((href) =>
    Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', nonce, href }),
  );
  void whenIdle().then(() => document.head.append(...links));
}
