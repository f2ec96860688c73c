// Lazy chunks that fail to load: recovery by retry or reload.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, openCheck, type Page, until } from '../support/browser.ts';
import { type FailingProxy, openFailingProxy } from '../support/failing-proxy.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { postsAreShown } from '../support/stored-copies.ts';

/**
 * Removes service workers, as in Telegram on iOS, or before a worker is installed. Then a chunk comes from the server or not at
 * all.
 */
const withoutWorker = () => {
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
};

describe('a chunk of the app that fails to load', () => {
  let server: RunningServer;
  let gate: FailingProxy;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    gate = await openFailingProxy(server.origin);
  });
  after(async () => {
    await browser.close();
    gate.stop();
    await server.stop();
  });
  beforeEach(() => gate.open());
  afterEach(() => context.close());

  async function enter(locale = 'en-GB', bypassCSP = false): Promise<void> {
    context = await browser.newContext({ locale, bypassCSP });
    await context.addInitScript(withoutWorker);
    page = await context.newPage();
  }

  it('is reported as a new version if the server no longer has the chunk of a page, and a reload fixes it', async () => {
    await enter();
    await page.goto(`${gate.origin}/main`);
    await postsAreShown(page);
    gate.respondNotFound(/changer-self-test-/);
    await openCheck(page);
    await page.getByRole('alert').getByRole('heading', { name: 'There is a new version' }).waitFor();
    gate.open();
    await page.getByRole('alert').getByRole('button', { name: 'Reload' }).click();
    await page.locator('changer-self-test').getByRole('heading').first().waitFor();
  });

  it('is reported in the reader’s language if the entry script itself is missing', async () => {
    await enter('ru-RU');
    await context.addInitScript(() => localStorage.setItem('here', 'before'));
    gate.respondNotFound(/\/assets\/main-/);
    await page.goto(`${gate.origin}/main`);
    await page.getByRole('alert').getByRole('heading', { name: 'Вышла новая версия' }).waitFor();
    gate.open();
    await page.getByRole('alert').getByRole('button').click();
    await postsAreShown(page);
  });

  it('is ignored if a browser extension inserted the script', async () => {
    // Extensions insert scripts, and the policy of the page does not apply to them.
    await enter('en-GB', true);
    await page.goto(`${gate.origin}/main`);
    await postsAreShown(page);
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const extensionScript = Object.assign(document.createElement('script'), {
            type: 'module',
            src: '/theirs.js',
            onerror: resolve,
          });
          document.body.append(extensionScript);
        }),
    );
    await postsAreShown(page);
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('is reported above the tabs as a new version, also if large text wraps the tabs into two rows', async () => {
    await enter();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.addInitScript(() =>
      addEventListener('load', () => document.documentElement.style.setProperty('font-size', '26px')),
    );
    gate.respondNotFound(/\/assets\/gone/);
    await page.goto(`${gate.origin}/main`);
    await page.evaluate(() => fetch('/assets/gone.js'));
    const boxOf = (selector: string) => page.locator(`changer-layout ${selector}`).boundingBox();
    await page.locator('changer-layout .offer').waitFor();
    await until(async () => {
      const [offer, tabs] = [await boxOf('.offer'), await boxOf('.tabs')];
      return offer !== null && tabs !== null && tabs.height > 110 && offer.y + offer.height <= tabs.y;
    }, 'the offer stands above two rows of tabs');
  });
});
