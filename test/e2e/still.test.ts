import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

declare global {
  interface Window {
    moved: string[];
  }
}

/** What the browser counts as moved, of more than the rounding of a line's height. */
function watchMoves(): void {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value: unknown = Reflect.get(entry, 'value');
      if (typeof value === 'number' && value > 0.0001)
        window.moved.push(`${value.toFixed(4)} at ${Math.round(entry.startTime)} ms`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const PATHS = ['/main', '/channel/harbour_gazette_demo', '/changer', '/test'];
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

describe('a page that loads', () => {
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a page whose answers come late, and one after the other: counts last. */
  async function moves(path: string, viewport: { width: number; height: number }, locale: string): Promise<string[]> {
    const context = await browser.newContext({ viewport, locale, serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.addInitScript(watchMoves);
    await page.route('**/api/**', async (route) => {
      const late = new URL(route.request().url()).pathname === '/api/unread' ? 600 : 200;
      await new Promise((next) => setTimeout(next, late));
      await route.continue();
    });
    await page.goto(server.origin + path);
    await page.waitForLoadState('networkidle');
    if (path === '/test') await page.locator('.verdict:not(.running)').waitFor();
    const moved = await page.evaluate(
      () => new Promise<string[]>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.moved)))),
    );
    await context.close();
    return moved;
  }

  const readers = [
    ['phone', 'en-GB'],
    ['phone', 'ar'],
    ['desk', 'en-GB'],
  ] as const;
  for (const [size, locale] of readers)
    for (const path of PATHS)
      it(`moves nothing: ${path} on a ${size} in ${locale}`, async () => {
        assert.deepEqual(await moves(path, SIZES[size], locale), []);
      });
});
