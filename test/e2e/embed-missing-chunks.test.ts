// Embedded tags whose lazy chunks fail to load.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

declare global {
  interface Window {
    /** Errors that the error handlers of the site itself received. */
    told: string[];
  }
}

describe('a tag whose lazy chunks fail to load', () => {
  let server: RunningServer;
  let browser: Browser;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  it('stays readable, and causes no errors on the site', async () => {
    const site = await startSite(`
      <script>
        window.told = [];
        addEventListener('error', ({ message }) => told.push(message));
        addEventListener('unhandledrejection', ({ reason }) => told.push(String(reason)));
      </script>
      <script type="module" src="${server.origin}/elements/changer-feed.js"></script>
      <changer-feed hydrate="load"></changer-feed>`);
    const page = await browser.newPage();
    try {
      await page.goto(site.origin);
      // The content of the tag itself, and not the server-rendered HTML.
      await page.waitForFunction(() => {
        const root = document.querySelector('changer-feed')?.shadowRoot;
        return root?.querySelector('.drawn') === null && root.querySelector('article') !== null;
      });
      await page.locator('changer-feed .tile a').first().waitFor();
      await page.evaluate(() =>
        document.querySelector('changer-feed')?.shadowRoot?.querySelector('article')?.setAttribute('data-mine', ''),
      );
      await page.route('**/assets/**', (route) => route.abort());
      // Without the viewer, the picture opens like a normal link.
      const picture = page.waitForEvent('popup');
      await page.locator('changer-feed .tile a').first().click();
      assert.match((await picture).url(), new RegExp(`^${server.origin}/media/`));
      // The messages of another language.
      const messagesFailed = page.waitForEvent('requestfailed');
      await page.evaluate(() => document.querySelector('changer-feed')?.setAttribute('lang', 'ru'));
      await messagesFailed;
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
      assert.equal(await page.locator('changer-feed article').first().getAttribute('data-mine'), '');
      assert.deepEqual(await page.evaluate(() => window.told), []);
    } finally {
      await page.close();
      site.stop();
    }
  });

  it('dispatches an event for a failure in a click handler, and causes no error on the site', async () => {
    const site = await startSite(`
      <script>
        window.told = [];
        addEventListener('error', ({ message }) => told.push(message));
        document.addEventListener('changer-failed', ({ detail }) => told.push('told: ' + detail.message));
      </script>
      <script type="module" src="${server.origin}/elements/changer-feed.js"></script>
      <changer-feed hydrate="load"></changer-feed>`);
    const page = await browser.newPage();
    try {
      await page.goto(site.origin);
      await page.locator('changer-feed .root:not(.drawn) [data-jump]').first().waitFor();
      await page.evaluate(() => {
        Element.prototype.closest = () => {
          throw new Error('the site broke this');
        };
        document.querySelector('changer-feed')?.shadowRoot?.querySelector<HTMLElement>('.root:not(.drawn) [data-jump]')?.click();
      });
      await page.waitForFunction(() => window.told.length > 0);
      // Several listeners receive the click, and each reports its own error.
      const messages = await page.evaluate(() => window.told);
      assert.deepEqual([...new Set(messages)], ['told: the site broke this']);
    } finally {
      await page.close();
      site.stop();
    }
  });

  it('dispatches an event for a failure in a listener outside React', async () => {
    const site = await startSite(`
      <script>
        window.told = [];
        addEventListener('error', ({ message }) => told.push(message));
        document.addEventListener('changer-failed', ({ detail }) => told.push('told: ' + detail.message));
      </script>
      <script type="module" src="${server.origin}/elements/changer-feed.js"></script>
      <changer-feed hydrate="load"></changer-feed>`);
    const page = await browser.newPage();
    try {
      await page.goto(site.origin);
      await page.locator('changer-feed .root:not(.drawn) .post-facts a').first().waitFor();
      await page.evaluate(() => {
        Event.prototype.composedPath = () => {
          throw new Error('the site broke this');
        };
        const postFacts = document.querySelector('changer-feed')?.shadowRoot?.querySelector('.root:not(.drawn) .post-facts');
        postFacts?.dispatchEvent(new MouseEvent('auxclick', { bubbles: true }));
      });
      await page.waitForFunction(() => window.told.length > 0);
      assert.deepEqual(await page.evaluate(() => [...new Set(window.told)]), ['told: the site broke this']);
    } finally {
      await page.close();
      site.stop();
    }
  });

  it('keeps its children, and takes no more space than they do, if its code never loads', async () => {
    const site = await startSite(`
      <script type="module" src="${server.origin}/elements/changer-channel.js"></script>
      <changer-channel><p>By hand</p></changer-channel><footer>The end</footer>`);
    const page = await browser.newPage();
    try {
      const failed = page.waitForEvent('requestfailed');
      await page.route('**/assets/**', (route) => route.abort());
      await page.goto(site.origin);
      await failed;
      await page.waitForFunction(() => {
        const root = document.querySelector('changer-channel')?.shadowRoot;
        return root && (document.querySelector('footer')?.getBoundingClientRect().top ?? 999) < 200;
      });
      assert.ok(await page.getByText('By hand').isVisible());
    } finally {
      await page.close();
      site.stop();
    }
  });
});
