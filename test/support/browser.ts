// Browser for end-to-end tests: starts Chromium by Playwright, with functions that wait for and read the state of a page.

import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { CHROME_ARGS, ensureChrome } from './chrome.mjs';

/** Timeout of a condition on a busy machine, ms. */
const TIMEOUT_MS = 60_000;
/** Timeout of a script in a page, ms. */
const EVALUATE_TIMEOUT_MS = 180_000;

/**
 * Starts a headless Chromium. Call close() when done. Its pages finish loading when the app is mounted, because the
 * server-rendered HTML does not respond to clicks. With `asDrawn`, they finish as usual.
 */
export async function launchBrowser(args: readonly string[] = [], { asDrawn = false } = {}): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: ensureChrome(), args: [...CHROME_ARGS, ...args] });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    context.on('page', limitEvaluate);
    if (!asDrawn && options?.javaScriptEnabled !== false) context.on('page', waitForApp);
    return context;
  };
  return browser;
}

/** Makes `page.evaluate` fail after a timeout. Playwright has none for it, and a promise in a page may never settle. */
function limitEvaluate(page: Page): void {
  const evaluate = page.evaluate.bind(page) as (script: unknown, argument?: unknown) => Promise<unknown>;
  const limited = (script: unknown, argument?: unknown) =>
    raceWithTimeout(evaluate(script, argument), EVALUATE_TIMEOUT_MS, () => {
      throw new Error(`A script in the page did not end in time: ${String(script).slice(0, 200)}`);
    });
  page.evaluate = limited as Page['evaluate'];
}

function waitForApp(page: Page): void {
  const waitUntilMounted = async () => {
    await page.waitForFunction(() => document.getElementById('drawn') === null, null, { timeout: 30_000 }).catch(() => {});
  };
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...to) => {
    const response = await goto(...to);
    await waitUntilMounted();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await waitUntilMounted();
    return response;
  };
}

/** Opens pages as in the Android client of Telegram, whose proxy object exists before any script runs. */
export const asTelegram = (of: Page | BrowserContext): Promise<unknown> =>
  of.addInitScript('window.TelegramWebviewProxy ??= { postEvent() {} };');

/** Records the console output and the uncaught errors of a page from now on. */
export function listen(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.message}`));
  return lines;
}

/** Waits until a service worker controls the page. */
export async function workerControls(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Waits until `check` returns true. Unlike waitForFunction of Playwright, it awaits a promise. */
export async function until(check: () => Promise<boolean>, description: string): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  // A page that hangs never responds to a check. The last one has at least 1 s.
  while (!(await raceWithTimeout(check(), Math.max(1000, end - Date.now()), () => false))) {
    if (Date.now() > end) throw new Error(`It never came to this: ${description}.`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** Waits for a promise. After the timeout, the result is that of `onTimeout`, which may throw. */
async function raceWithTimeout<Value>(promise: Promise<Value>, timeoutMs: number, onTimeout: () => Value): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  }).then(onTimeout);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns everything that the IndexedDB databases of the device contain, with their names, as text. */
export function readIndexedDbText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const all: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const opened = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of opened.objectStoreNames) {
        const objects = opened.transaction(store).objectStore(store);
        for (const request of [objects.getAllKeys(), objects.getAll()] as IDBRequest<unknown[]>[])
          all.push(
            JSON.stringify([
              name,
              await new Promise<unknown[]>((resolve) => {
                request.onsuccess = () => resolve(request.result);
              }),
            ]),
          );
      }
      opened.close();
    }
    return all.join('\n');
  });
}

export type { Browser, BrowserContext, Page, Route };

/**
 * Stores all channels as known to a device of a reader since before their first post, so that all posts are unread. With
 * `unread`, only that many of the last posts are unread.
 */
export async function markAllPostsUnread(
  page: Page,
  origin: string,
  { readerId, unread = Number.POSITIVE_INFINITY }: { readonly readerId?: string; readonly unread?: number } = {},
): Promise<void> {
  const { items }: { items: { id: string; latest?: { id: number } }[] } = await (
    await page.request.get(`${origin}/api/channels`)
  ).json();
  // A file of the site that does not run the app.
  await page.goto(`${origin}/licences.txt`);
  await page.evaluate(
    async ([name, seen]) => {
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('things');
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const writing = opening.result.transaction('things', 'readwrite');
      writing.objectStore('things').put(seen, 'first-seen');
      await new Promise((resolve) => {
        writing.oncomplete = resolve;
      });
      opening.result.close();
    },
    [
      readerId === undefined ? 'changer-anonymous' : `changer-reader-${readerId}`,
      items.map(({ id, latest }) => ({ channelId: id, messageId: Math.max(0, (latest?.id ?? 0) - unread) })),
    ] as const,
  );
}

/** Opens the self-test page of the app, from the menu of the reader. */
export async function openCheck(page: Page): Promise<void> {
  await page.locator('changer-layout').locator('.tabs > button, .reader-button').locator('visible=true').click();
  await page.getByRole('link', { name: 'Check this app' }).click();
}
