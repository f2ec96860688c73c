import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, type Page, until, workerControls } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const FOREIGN = 'left-by-somebody';

describe('the app offline', () => {
  let server: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    await server.resume();
  });

  const cacheNames = () => page.evaluate(() => caches.keys());
  const postsAreShown = () => page.locator('changer-feed article').first().waitFor();

  /** Visits with a foreign cache entry there, whose end tells that the purge has been. */
  async function visitOnce(path = '/main'): Promise<void> {
    await page.goto(`${server.origin}/healthz`);
    await page.evaluate(async (name) => (await caches.open(name)).put('/old', new Response('old')), FOREIGN);
    await page.goto(server.origin + path);
    await postsAreShown();
    await workerControls(page);
    await until(async () => !(await cacheNames()).includes(FOREIGN), 'the foreign entry is gone');
    await purgeIsDone();
  }

  /** After the purge one whole copy is left, ours: its shell was written last. */
  async function purgeIsDone(): Promise<void> {
    const isWhole = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const files = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return names.length === 1 && files.flat().some(({ url }) => url.endsWith('.html'));
      });
    await until(isWhole, 'one whole copy is left');
  }

  it('deletes every cache entry that was there when the worker is ready, and keeps a whole copy', async () => {
    await visitOnce();
    const before = await cacheNames();
    await page.reload();
    await until(async () => !(await cacheNames()).some((name) => before.includes(name)), 'the former copy is gone');
    await purgeIsDone();
  });

  it('opens with posts three times in a row without a server', async () => {
    await visitOnce();
    await server.halt();
    for (let visit = 1; visit <= 3; visit += 1) {
      await page.reload();
      await postsAreShown();
      assert.equal((await cacheNames()).length, 1, `caches after offline visit ${visit}`);
    }
  });

  it('opens a page offline that was never visited', async () => {
    await visitOnce();
    await server.halt();
    await page.goto(`${server.origin}/changer`);
    await page.locator('changer-dial').getByRole('heading').first().waitFor();
  });

  it('deletes nothing offline', async () => {
    await visitOnce();
    await server.halt();
    await page.evaluate((name) => caches.open(name), FOREIGN);
    await page.reload();
    await postsAreShown();
    // The refused refresh has answered when its half-written copy is gone again.
    await until(async () => (await cacheNames()).length === 2, 'two caches are left');
    assert.ok((await cacheNames()).includes(FOREIGN));
  });

  it('opens offline after somebody deleted every cache, also when the worker has ended since', async () => {
    await visitOnce();
    await server.halt();
    await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
    await endWorkers(page);
    for (let visit = 1; visit <= 2; visit += 1) {
      await page.reload();
      await postsAreShown();
    }
  });

  it('leaves the API, media and other methods to the network', async () => {
    await visitOnce();
    await server.halt();
    const ask = (path: string, method: string) =>
      page.evaluate(
        ([to, how]) =>
          fetch(to, { method: how }).then(
            () => 'answer',
            () => 'none',
          ),
        [path, method] as const,
      );
    const outcome = [await ask('/api/channels', 'GET'), await ask('/media/none', 'GET'), await ask('/main', 'POST')];
    assert.deepEqual(outcome, ['none', 'none', 'none']);
  });

  it('says so in the log', async () => {
    await visitOnce();
    const lines: string[] = [];
    page.on('console', (message) => lines.push(message.text()));
    await context.setOffline(true);
    await page.reload();
    await postsAreShown();
    assert.ok(lines.includes('No internet connection found. App is running in offline mode.'), lines.join('\n'));
  });
});

/** Ends the service worker as a browser does that wants its memory back. */
async function endWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  await devtools.detach();
}
