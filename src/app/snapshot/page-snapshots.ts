/*
 * Page snapshots: stores what the reader sees when a page is at rest, so that the next visit shows it before the app has
 * started (src/app/inline/restore-snapshot.ts). Each snapshot belongs to the current reader, in whose database it is. A
 * separate chunk, which loads after the first posts are displayed.
 */
import { isStorageFull } from '../../data/offline/eviction.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import { deletePageSnapshot, readPageSnapshot, storePageSnapshot } from '../../storage/page-snapshots.ts';
import { CONTENT_SELECTORS, LINKED_POST_SELECTOR, LOADING_SELECTOR } from '../inline/prerendered.ts';
import { serializeRoot } from './serialize-root.ts';
import { pageAddress, snapshotConditions, snapshotReader } from './snapshot-conditions.ts';
import type { PageSnapshot, RootSnapshot } from './snapshot-format.ts';
import { tabSnapshot } from './tab-snapshot.ts';
import { readUsedStyles } from './used-styles.ts';

/** Time without a change or a scroll after which a page is at rest, ms. */
const IDLE_DELAY_MS = 1500;
/** Minimum time between two snapshots, ms. */
const MIN_INTERVAL_MS = 5000;
/** Maximum size of a snapshot, in characters of its JSON. */
const MAX_SIZE = 150_000;
/** The same for a snapshot in the tab's storage, which has about 5 MB in all, and which each start of the app reads. */
const MAX_TAB_SIZE = 60_000;
/** Number of screens below the top of the window whose posts are included; the largest that fits is used. */
const SCREENS = [2, 1, 0.5] as const;

const OVERLAY_SELECTOR = 'dialog[open]';

/** A reader with the open storage. Another object after the reader has changed. */
export interface SnapshotReader {
  /** Null for an anonymous reader. */
  readonly id: string | null;
  readonly storage: Promise<DeviceStorage>;
}

/** Starts to store snapshots of the pages that are mounted in `mountPoint`. */
export function startPageSnapshots(mountPoint: HTMLElement, currentReader: () => SnapshotReader): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastCapture = 0;
  let isCapturing = false;
  const observer = new MutationObserver(() => scheduleCapture());
  const capture = async (): Promise<void> => {
    observeRoots();
    if (isCapturing) return scheduleCapture();
    isCapturing = true;
    lastCapture = performance.now();
    await capturePage(mountPoint, currentReader).catch(() => {}); // The next visit then starts without a snapshot.
    isCapturing = false;
  };
  const scheduleCapture = (): void => {
    clearTimeout(timer);
    const wait = Math.max(IDLE_DELAY_MS, lastCapture + MIN_INTERVAL_MS - performance.now());
    timer = setTimeout(() => whenIdle().then(capture), wait);
  };
  /** Observes the roots of the layout and of the page that is shown now. */
  const observeRoots = (): void => {
    observer.disconnect();
    const { layout, page } = findRoots(mountPoint);
    for (const root of [mountPoint, layout, page])
      if (root !== null) observer.observe(root, { childList: true, subtree: true, characterData: true });
  };
  window.addEventListener('scroll', scheduleCapture, { passive: true });
  document.addEventListener('visibilitychange', scheduleCapture);
  // From then on, the snapshots are in the database.
  navigator.serviceWorker?.addEventListener('controllerchange', scheduleCapture);
  observeRoots();
  scheduleCapture();
}

function findRoots(mountPoint: HTMLElement): { readonly layout: ShadowRoot | null; readonly page: ShadowRoot | null } {
  const layout = mountPoint.firstElementChild;
  return { layout: layout?.shadowRoot ?? null, page: layout?.firstElementChild?.shadowRoot ?? null };
}

/** Stores a snapshot of the current page, or deletes it if the page has no content any more. */
async function capturePage(mountPoint: HTMLElement, currentReader: () => SnapshotReader): Promise<void> {
  const { layout, page } = findRoots(mountPoint);
  const path = pageAddress();
  const conditions = snapshotConditions();
  const reader = currentReader();
  if (layout === null || page === null || path === null || document.hidden || reader.id !== snapshotReader()) return;
  if (page.querySelector(LOADING_SELECTOR) !== null) return;
  if ([layout, page].some((root) => root.querySelector(OVERLAY_SELECTOR) !== null)) return;
  // A snapshot must not take the space of the reader's posts.
  if (await isStorageFull()) return;
  const storage = await reader.storage;
  if (page.querySelector(CONTENT_SELECTORS.join()) === null) {
    tabSnapshot.write(null);
    return deletePageSnapshot(storage, path);
  }
  const [layoutStyles, pageStyles] = [await readUsedStyles(layout, whenIdle), await readUsedStyles(page, whenIdle)];
  const isAtTop = window.scrollY < window.innerHeight;
  const isAtStart = isAtTop || isVisible(page.querySelector(LINKED_POST_SELECTOR));
  const previous = isAtStart ? null : parseSnapshot(await readPageSnapshot(storage, path));
  // During the pauses the reader may have opened another page, or signed out.
  if (reader !== currentReader() || path !== pageAddress() || conditions !== snapshotConditions()) return;
  const layoutSnapshot: RootSnapshot = { styles: layoutStyles, nodes: serializeRoot(layout, () => true) };
  const createSnapshot = (screens: number): PageSnapshot => {
    const view: RootSnapshot = { styles: pageStyles, nodes: serializeRoot(page, postsWithin(screens, isAtTop)) };
    return {
      path,
      conditions,
      locale: document.documentElement.lang,
      theme: document.documentElement.getAttribute('theme'),
      style: document.documentElement.getAttribute('style'),
      layout: layoutSnapshot,
      start: isAtStart ? view : previous?.conditions === conditions ? previous.start : null,
      scrolled: isAtStart ? null : view,
    };
  };
  const find = (maxSize: number): string | undefined => {
    for (const screens of SCREENS) {
      const json = JSON.stringify(createSnapshot(screens));
      if (json.length <= maxSize) return json;
    }
    return undefined;
  };
  if (navigator.serviceWorker?.controller) {
    const json = find(MAX_SIZE);
    tabSnapshot.write(null);
    if (json !== undefined) await storePageSnapshot(storage, reader.id, path, json);
  } else tabSnapshot.write(find(MAX_TAB_SIZE) ?? null);
}

/** Returns true if a part of an element is in the window. */
function isVisible(element: Element | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/**
 * Returns a function that selects the posts between the top of the page (`fromTop`) or of the window, and a number of
 * screens below the top of the window.
 */
const postsWithin =
  (screens: number, fromTop: boolean) =>
  (article: Element): boolean => {
    const { top, bottom } = article.getBoundingClientRect();
    return top < window.innerHeight * screens && (fromTop || bottom > 0);
  };

/** Parses a stored snapshot; returns null if it is damaged. */
function parseSnapshot(json: string | null): PageSnapshot | null {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return null;
  }
}
