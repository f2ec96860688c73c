// Layout stability: pages load without layout shifts (CLS), whatever the order of responses.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { type Browser, type BrowserContext, launchBrowser, type Page, workerControls } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

declare global {
  interface Window {
    moved: string[];
  }
}

/**
 * Records the layout shifts that the browser reports, if they are larger than the rounding of a line height: the element, and
 * its old and new position.
 */
function recordLayoutShifts(): void {
  const shifts: string[] = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value: unknown = Reflect.get(entry, 'value');
      if (typeof value !== 'number' || value <= 0.0001) continue;
      const shiftSources: readonly { readonly node?: Element | null }[] = Reflect.get(entry, 'sources');
      const elements = shiftSources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? node?.textContent);
      shifts.push(`${value.toFixed(4)} ${JSON.stringify(shiftSources)} ${elements}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
  // This assignment is last, so that a page that is not observed has no list rather than an empty one.
  window.moved = shifts;
}

/** The order in which pending responses are sent. */
type Order = 'first asked, first answered' | 'last asked, first answered';
/** Responses of the API, and lazy chunks: pages, languages, components. */
const DELAYED_URLS = /\/api\/(?!events)|\/assets\/(changer-|ar-|ru-|[A-Z])/;

/**
 * Sends the pending responses one by one, in an order, and waits for a rendered frame after each. So every intermediate state
 * is rendered, which otherwise occurs only on a slow machine or network. Returns a function that ends this when no response is
 * pending.
 */
async function sendOneByOne(page: Page, order: Order): Promise<() => Promise<void>> {
  const pendingRoutes: Route[] = [];
  let sending: Promise<void> | null = null;
  const sendAll = async () => {
    // Waits until all requests that are sent together are pending, before the first is chosen.
    await frameRendered(page);
    for (let next = takeNext(); next !== undefined; next = takeNext()) {
      await next.continue();
      await (await next.request().response())?.finished();
      await frameRendered(page);
    }
    sending = null;
  };
  const takeNext = () => (order === 'first asked, first answered' ? pendingRoutes.shift() : pendingRoutes.pop());
  await page.route(DELAYED_URLS, (route) => {
    pendingRoutes.push(route);
    sending ??= sendAll();
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    await sending;
    await page.unrouteAll();
  };
}

/** The event stream never ends, so the network would never be idle. */
const blockEventStream = (context: BrowserContext): Promise<unknown> =>
  context.route('**/api/events*', (route) => route.fulfill({ status: 404 }));

const frameRendered = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

const TAGS: Readonly<Record<string, string>> = {
  '/main': 'changer-feed',
  '/channel/harbour_gazette_demo': 'changer-channel',
  '/changer': 'changer-dial',
  '/test': 'changer-self-test',
};
const PATHS = Object.keys(TAGS);
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

/** Starts a site of another origin with one of our tags, whose name is in the path. */
async function startSite({ origin }: RunningServer): Promise<Server> {
  const site = createServer((request, response) => {
    const tag = (request.url ?? '').slice(1);
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>A site</title><script type="module" src="${origin}/elements/${tag}.js"></script><${tag} channel-id="harbour_gazette_demo"></${tag}>`,
    );
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  return site;
}

// Several tests run concurrently, because most of the time of a load is waiting.
describe('a page that loads', { concurrency: 4 }, () => {
  let server: RunningServer;
  let browser: Browser;
  let site: Server;

  before(async () => {
    [server, browser] = await Promise.all([startServer({ development: true }), launchBrowser()]);
    site = await startSite(server);
  });
  after(async () => {
    await browser.close();
    site.close();
    await server.stop();
  });

  /** Returns the layout shifts in the page, or in its frame, from the first byte until everything is rendered. */
  async function layoutShifts(context: BrowserContext, address: string, order: Order): Promise<string[]> {
    await blockEventStream(context);
    const page = await context.newPage();
    await page.addInitScript(recordLayoutShifts);
    const stopSending = await sendOneByOne(page, order);
    await page.goto(address);
    await stopSending();
    const app = page.frames().at(-1) ?? page.mainFrame();
    await app.locator('h1, article').first().waitFor();
    await app.locator('.verdict.running, .bones, .lineup-bone').first().waitFor({ state: 'detached' });
    await frameRendered(page);
    const shifts = await app.evaluate(() => window.moved);
    await context.close();
    return shifts;
  }

  const readers = [
    ['phone', 'en-GB', 'last asked, first answered'],
    ['phone', 'ru', 'first asked, first answered'],
    ['phone', 'ar', 'last asked, first answered'],
    ['desk', 'en-GB', 'last asked, first answered'],
    ['desk', 'ar', 'first asked, first answered'],
  ] as const;
  for (const [size, locale, order] of readers)
    for (const path of PATHS)
      it(`has no layout shifts: ${path} on a ${size} in ${locale}, ${order}`, async () => {
        const context = await browser.newContext({ viewport: SIZES[size], locale, serviceWorkers: 'block' });
        assert.deepEqual(await layoutShifts(context, server.origin + path, order), []);
      });

  for (const path of PATHS)
    it(`has no layout shifts on the second visit, with the service worker: ${path}`, async () => {
      const context = await browser.newContext({ viewport: SIZES.phone, locale: 'en-GB' });
      await blockEventStream(context);
      const first = await context.newPage();
      await first.goto(server.origin + path);
      await workerControls(first);
      await first.waitForLoadState('networkidle');
      await first.close();
      assert.deepEqual(await layoutShifts(context, server.origin + path, 'last asked, first answered'), []);
    });

  for (const path of PATHS)
    it(`has no layout shifts inside Telegram: ${path}`, async () => {
      const context = await browser.newContext({ locale: 'ru', serviceWorkers: 'block' });
      // The embedding page opens /main in the frame. The script replaces this path by the path under test.
      await context.addInitScript((to) => {
        if (window !== window.top && location.pathname === '/main') history.replaceState(null, '', to + location.hash);
      }, path);
      assert.deepEqual(await layoutShifts(context, `${server.origin}/dev/telegram`, 'last asked, first answered'), []);
    });

  for (const path of PATHS)
    it(`has no layout shifts on a third-party page: <${TAGS[path]}>`, async () => {
      const context = await browser.newContext({ viewport: SIZES.phone, locale: 'en-GB' });
      const { port } = site.address() as AddressInfo;
      assert.deepEqual(await layoutShifts(context, `http://127.0.0.1:${port}/${TAGS[path]}`, 'last asked, first answered'), []);
    });
});
