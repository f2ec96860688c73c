// Storage failures: a browser that rejects workers and storage, has no quota left, or clears the data of the site.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, listen, openCheck, type Page } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { cacheNames, oneCopyIsLeft, postsAreShown, visitUntilStored } from '../support/stored-copies.ts';

describe('the app without browser storage', () => {
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
  afterEach(() => context.close());

  it('shows posts at each visit in a private window that rejects workers and all storage, and logs the rejection', async () => {
    const lines = listen(page);
    await page.addInitScript(() => {
      const error = new DOMException('The operation is insecure.', 'SecurityError');
      ServiceWorkerContainer.prototype.register = () => Promise.reject(error);
      IDBFactory.prototype.open = () => {
        throw error;
      };
      for (const name of ['caches', 'localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw error;
          },
        });
    });
    for (let visit = 1; visit <= 2; visit += 1) {
      await page.goto(`${server.origin}/main`);
      await postsAreShown(page);
    }
    await page.waitForLoadState();
    const isErrorLogged = () => lines.some((line) => line.startsWith('error: Error during service worker registration:'));
    if (!isErrorLogged()) await page.waitForEvent('console', isErrorLogged);
    assert.deepEqual(
      lines.filter((line) => line.startsWith('uncaught')),
      [],
    );
  });

  it('shows posts at each visit if the storage quota is used up, and works offline once there is space', async () => {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: 0 });
    for (let visit = 1; visit <= 2; visit += 1) {
      await page.goto(`${server.origin}/main`);
      await postsAreShown(page);
    }
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.origin });
    await visitUntilStored(page, server.origin);
  });

  it('continues if the browser clears the site data during use, and works offline after the next visit', async () => {
    await visitUntilStored(page, server.origin);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes: 'all' });
    assert.deepEqual(await cacheNames(page), []);
    await openCheck(page);
    await page.locator('changer-self-test').getByRole('heading').first().waitFor();
    await page.goto(`${server.origin}/main`);
    await postsAreShown(page);
    await oneCopyIsLeft(page);
    await server.halt();
    await page.reload();
    await postsAreShown(page);
    await server.resume();
  });
});
