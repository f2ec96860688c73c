/*
 * Visit: what islands need only when a visitor uses the page. The build makes this file a chunk; the loader imports it
 * at the first sign of a visitor.
 */
import { fetchPrerender, prerenderUrl, readPrerender } from './fetch-prerendered.ts';
import type { Island } from './island.ts';

export { recordState } from './handover.ts';

/** Distance of the last posts from the viewport at which a list loads its code, and with it more posts. */
const LIST_END_MARGIN = '100%';
/** Minimum time between two requests for the same prerendered HTML. */
const REFRESH_INTERVAL_MS = 60_000;

/** Functions of the loader. */
export interface LoaderApi {
  /** URLs of the tag's code, and of the loader itself. */
  readonly codeUrls: readonly string[];
  readonly ownUrl: string;
  /** Calls a function for each island in the document. */
  forEachIsland(action: (island: Island, tag: HTMLElement) => void): void;
  whenNear(element: Element, margin: string, action: () => void): void;
}

/**
 * Starts the work for a visitor: requests the code of visible tags ahead, loads it near the end of a list, and refreshes
 * the tags when the page becomes visible again. `event` is the first sign of the visitor.
 */
export function attendVisitor(event: Event, loader: LoaderApi): void {
  loader.forEachIsland((_, tag) => loader.whenNear(tag, '0px', () => prefetchModules(loader)));
  const watchEnds = () => loader.forEachIsland((island) => hydrateNearEnd(island, loader));
  if (event.type === 'scroll') watchEnds();
  else document.addEventListener('scroll', watchEnds, { capture: true, passive: true, once: true });
  const refreshAll = () => {
    if (document.visibilityState === 'visible') loader.forEachIsland((island, tag) => void refresh(island, tag));
  };
  document.addEventListener('visibilitychange', refreshAll);
  refreshAll();
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
  if (!next || !parts || next.styles !== parts.styles || prerenderUrl(tag) !== url || isPlaying(content)) return;
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

let isPrefetched = false;

/**
 * Requests the code ahead, with low priority, when the browser is idle. A policy that allowed the loader to import it
 * allows this too, if the links have its nonce. A browser without module preloading ignores the links.
 */
function prefetchModules({ codeUrls, ownUrl }: LoaderApi): void {
  if (isPrefetched || savesData()) return;
  isPrefetched = true;
  const nonce = [...document.scripts].find(({ src }) => src === ownUrl)?.nonce ?? '';
  const links = codeUrls.map((href) =>
    Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', nonce, href }),
  );
  whenIdle(() => document.head.append(...links));
}

/** Runs an action when the browser is idle. */
export function whenIdle(action: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(action);
  else setTimeout(action);
}
