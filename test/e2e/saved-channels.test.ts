// Saved channels and pictures, offline.

import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, type Page, until, workerControls } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('saved posts and channels offline', () => {
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

  /** Returns the keys in the public database of the device that begin with the prefix. */
  const storedKeys = (prefix: string) =>
    page.evaluate(
      (start) =>
        new Promise<string[]>((resolve, reject) => {
          const openRequest = indexedDB.open('changer-public');
          openRequest.onerror = () => reject(openRequest.error);
          openRequest.onsuccess = () => {
            const keysRequest = openRequest.result.transaction('things').objectStore('things').getAllKeys();
            keysRequest.onsuccess = () => resolve(keysRequest.result.map(String).filter((key) => key.startsWith(start)));
            openRequest.result.close();
          };
        }),
      prefix,
    );

  /** Stops the server and clears the HTTP cache of the browser, which expires by itself in time. */
  async function goOffline(): Promise<void> {
    await server.halt();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.clearBrowserCache');
    await devtools.detach();
  }

  const isCachedPicture = (picture: ReturnType<Page['locator']>) =>
    picture.evaluate((image: HTMLImageElement) => image.src.startsWith('blob:') && image.naturalWidth > 0);

  it('show the pictures of cached posts without a server', async () => {
    await page.goto(`${server.origin}/main`);
    await workerControls(page);
    const picture = page.locator('changer-feed .album img').first();
    await picture.waitFor();
    await until(async () => (await storedKeys('picture/')).length > 0, 'pictures are stored');
    await goOffline();
    await page.reload();
    await picture.scrollIntoViewIfNeeded();
    await until(() => isCachedPicture(picture), 'a cached picture is shown');
  });

  it('show a saved channel completely, from its newest post to its first', async () => {
    const response = await fetch(`${server.origin}/api/channels/harbour_gazette_demo/posts?limit=100`);
    const { items }: { items: { id: number }[] } = JSON.parse(await response.text());
    await page.goto(`${server.origin}/channel/harbour_gazette_demo`);
    await workerControls(page);
    await page.getByRole('button', { name: 'Save for offline' }).click();
    const saveDialog = page.getByRole('dialog', { name: 'Save for offline' });
    await saveDialog.getByRole('button', { name: 'Save', exact: true }).click();
    await saveDialog.getByText('All posts are saved.').first().waitFor();
    await goOffline();
    await page.reload();
    const posts = page.locator('changer-channel article');
    await posts.first().waitFor();
    const first = page.locator(`changer-channel article[data-key$="/${items.at(-1)?.id}"]`);
    await until(async () => {
      await page.keyboard.press('End');
      return (await first.count()) > 0;
    }, 'the first post is shown');
    const last = page.locator('changer-channel .album img').last();
    await last.scrollIntoViewIfNeeded();
    await until(() => isCachedPicture(last), 'its picture is shown');
  });
});
