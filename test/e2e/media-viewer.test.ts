// Media viewer and its history entry in the app.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

let server: RunningServer;
let browser: Browser;
before(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const scrollY = (page: Page): Promise<number> => page.evaluate(() => Math.round(window.scrollY));
/** Returns the first post below the bar, and its position. */
const firstVisiblePost = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const articles = document.querySelector('changer-feed')?.shadowRoot?.querySelectorAll('article') ?? [];
    const found = [...articles].find((article) => article.getBoundingClientRect().bottom > 110);
    return `${found?.dataset.key} at ${Math.round(found?.getBoundingClientRect().top ?? 0)}`;
  });
/** Returns true if that is unchanged, up to one pixel, since a browser does not scroll by fractions of a pixel. */
async function isAtPosition(page: Page, at: string): Promise<boolean> {
  const [[key, top], [currentKey, currentTop]] = [at.split(' at '), (await firstVisiblePost(page)).split(' at ')];
  return key === currentKey && Math.abs(Number(top) - Number(currentTop)) <= 1;
}
const waitForPosition = (page: Page, at: string): Promise<void> =>
  until(() => isAtPosition(page, at), `the feed has its previous scroll position, ${at}`).catch(async (error: Error) => {
    throw new Error(`${error.message} It is ${await firstVisiblePost(page)}.`);
  });
const hasOverlayEntry = (page: Page): Promise<boolean> => page.evaluate(() => history.state?.changerOver === true);
const viewer = (page: Page) => page.locator('dialog.viewer');
const waitUntilOpen = (page: Page) => viewer(page).waitFor();
const waitUntilClosed = (page: Page) => viewer(page).waitFor({ state: 'detached' });

/** Opens the feed from the dial, and a picture in it whose post has text with a link. */
async function openPicture(page: Page): Promise<string> {
  await page.goto(`${server.origin}/changer`);
  await page.locator('changer-dial h1').first().waitFor();
  await page.locator('changer-layout a[href="/main"]:visible').first().click();
  const tile = page.locator('changer-feed .post:has(.text a[href^="/"]):has(.tile a) .tile a').first();
  await until(async () => {
    if ((await tile.count()) > 0) return true;
    await page.mouse.wheel(0, 1500);
    return false;
  }, 'a picture is there');
  await tile.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 40);
  await tile.click();
  await waitUntilOpen(page);
  return firstVisiblePost(page);
}

describe('the media viewer over the feed', () => {
  it('closes on Back, and the next Back leaves the page', async () => {
    const page = await browser.newPage();
    const at = await openPicture(page);
    await page.goBack();
    await waitUntilClosed(page);
    assert.equal(new URL(page.url()).pathname, '/main');
    await waitForPosition(page, at);
    await page.goBack();
    await page.waitForURL('**/changer');
    await page.close();
  });

  it('leaves no history entry when Escape closes it, and the feed starts at its top when it is opened again', async () => {
    const page = await browser.newPage();
    await openPicture(page);
    await page.keyboard.press('Escape');
    await waitUntilClosed(page);
    await until(async () => !(await hasOverlayEntry(page)), 'the history entry is removed');
    await page.locator('changer-layout a[href="/changer"]:visible').first().click();
    await page.waitForURL('**/changer');
    await page.locator('changer-layout a[href="/main"]:visible').first().click();
    await page.locator('changer-feed article').first().waitFor();
    assert.equal(await scrollY(page), 0);
    await page.goBack();
    await page.waitForURL('**/changer');
    await page.goBack();
    await page.locator('changer-feed article').first().waitFor();
    assert.equal(await hasOverlayEntry(page), false);
    await page.close();
  });

  it('replaces its history entry with the page of a link in its text', async () => {
    const page = await browser.newPage();
    const at = await openPicture(page);
    await viewer(page).locator('.viewer-caption a[href^="/"]').first().click();
    await waitUntilClosed(page);
    await until(async () => page.url() !== `${server.origin}/main`, 'the link navigates');
    assert.equal(await hasOverlayEntry(page), false);
    await page.goBack();
    await page.waitForURL(`${server.origin}/main`);
    assert.equal(await hasOverlayEntry(page), false);
    await waitForPosition(page, at);
    await page.close();
  });

  it('removes its history entry after a reload', async () => {
    const page = await browser.newPage();
    await openPicture(page);
    await page.reload();
    await page.locator('changer-feed article').first().waitFor();
    await until(async () => !(await hasOverlayEntry(page)), 'the history entry is removed');
    await page.goBack();
    await page.waitForURL('**/changer');
    await page.close();
  });
});
