// Offline use of the app by the service worker.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { cacheNames, endWorkers, oneCopyIsLeft, postsAreShown, visitUntilStored } from '../support/stored-copies.ts';

const FOREIGN_CACHE = 'left-by-somebody';

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

  const visit = () => visitUntilStored(page, server.origin);

  it('deletes every previous cache when the worker is ready, and keeps one complete copy', async () => {
    await visit();
    const before = await cacheNames(page);
    await page.reload();
    await until(async () => !(await cacheNames(page)).some((name) => before.includes(name)), 'the previous copy is deleted');
    await oneCopyIsLeft(page);
  });

  it('opens with posts three times in a row without a server', async () => {
    await visit();
    await server.halt();
    for (let visit = 1; visit <= 3; visit += 1) {
      await page.reload();
      await postsAreShown(page);
      // The failed refresh deletes the copy that it had begun to write.
      await until(async () => (await cacheNames(page)).length === 1, `one copy is left after offline visit ${visit}`);
    }
  });

  it('opens a page offline that was never visited before', async () => {
    await visit();
    await server.halt();
    await page.goto(`${server.origin}/changer`);
    await page.locator('changer-dial').getByRole('heading').first().waitFor();
  });

  it('deletes nothing offline', async () => {
    await visit();
    await server.halt();
    await page.evaluate((name) => caches.open(name), FOREIGN_CACHE);
    await page.reload();
    await postsAreShown(page);
    // The failed refresh is over when its incomplete copy is deleted.
    await until(async () => (await cacheNames(page)).length === 2, 'two caches are left');
    assert.ok((await cacheNames(page)).includes(FOREIGN_CACHE));
  });

  it('opens offline after all caches were deleted, also if the worker has stopped since', async () => {
    await visit();
    await server.halt();
    await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
    await endWorkers(page);
    for (let visit = 1; visit <= 2; visit += 1) {
      await page.reload();
      await postsAreShown(page);
    }
  });

  it('sends requests for the API, for media and with other methods to the network', async () => {
    await visit();
    await server.halt();
    const fetchOutcome = (path: string, method: string) =>
      page.evaluate(
        ([url, httpMethod]) =>
          fetch(url, { method: httpMethod }).then(
            () => 'answer',
            () => 'none',
          ),
        [path, method] as const,
      );
    const outcome = [
      await fetchOutcome('/api/channels', 'GET'),
      await fetchOutcome('/media/none', 'GET'),
      await fetchOutcome('/main', 'POST'),
    ];
    assert.deepEqual(outcome, ['none', 'none', 'none']);
  });

  it('logs that it is offline', async () => {
    await visit();
    const lines: string[] = [];
    page.on('console', (message) => lines.push(message.text()));
    await context.setOffline(true);
    await page.reload();
    await postsAreShown(page);
    await until(
      async () => lines.includes('No internet connection found. App is running in offline mode.'),
      'the log contains it',
    );
  });
});
