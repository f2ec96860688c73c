import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';
import { CHROME_ARGS, ensureChrome } from './chrome.mjs';

/** Starts a headless Chromium. Call close() when done. */
export const launchBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: ensureChrome(), args: [...CHROME_ARGS, ...args] });

/** What a page wrote to its console and which errors it did not catch, from now on. */
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

/** Waits until `check` gives true; playwright's waitForFunction does not wait for what a promise holds. */
export async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`It never came to this: ${what}.`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

export type { Browser, BrowserContext, Page, Route };
