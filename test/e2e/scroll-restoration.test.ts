// Scroll restoration in a long feed.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seed } from '../../bench/seed.ts';
import { type Browser, launchBrowser, openCheck, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

let server: RunningServer;
let browser: Browser;
before(async () => {
  server = await startServer({ demo: false });
  await server.halt();
  const store = await server.openStore();
  await seed(store, 400, 4);
  await store.close();
  await server.resume();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

interface VisiblePost {
  readonly key: string;
  readonly top: number;
}

const posts = (page: Page) => page.locator('changer-feed article');

/** Returns the first post below the bar, and its position. */
const firstVisiblePost = (page: Page): Promise<VisiblePost> =>
  page.evaluate(() => {
    const articles = document.querySelector('changer-feed')?.shadowRoot?.querySelectorAll('article') ?? [];
    const found = [...articles].find((article) => article.getBoundingClientRect().bottom > 110);
    return { key: found?.dataset.key ?? '', top: found?.getBoundingClientRect().top ?? 0 };
  });

/** Waits until the same post is at the same pixel. */
async function waitForPosition(page: Page, { key, top }: VisiblePost): Promise<void> {
  const topNow = () =>
    page.evaluate((name) => {
      const root = document.querySelector('changer-feed')?.shadowRoot;
      return root?.querySelector(`[data-key="${name}"]`)?.getBoundingClientRect().top ?? Number.NaN;
    }, key);
  await until(async () => Math.abs((await topNow()) - top) < 1, `post ${key} is at ${top}`);
}

async function scrollDown(page: Page): Promise<VisiblePost> {
  await posts(page).first().waitFor();
  await until(async () => {
    await page.mouse.wheel(0, 2500);
    return page.evaluate(() => window.scrollY > 30_000);
  }, 'the page scrolls far');
  // The scroll position is saved in this history entry when scrolling ends.
  await until(async () => {
    const { key, top } = await firstVisiblePost(page);
    const savedPosition: unknown = await page.evaluate(() => history.state?.changerPlace);
    return String(JSON.stringify(savedPosition)).includes(`"key":"${key}","offset":${top}`);
  }, 'the scroll position is saved');
  return firstVisiblePost(page);
}

/** Opens a page. Scripts whose URL contains `heldScript` load only when they are released. */
async function open(
  action: (page: Page, scripts: { readonly heldCount: number; release(): void }) => Promise<void>,
  heldScript: string | null = null,
): Promise<void> {
  const viewport = { width: 412, height: 823 };
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    serviceWorkers: heldScript === null ? 'allow' : 'block',
  });
  const page = await context.newPage();
  const scripts = { heldCount: 0, release: () => {} };
  const released = new Promise<void>((done) => (scripts.release = done));
  await page.route(`**/assets/${heldScript}*.js`, async (route) => {
    scripts.heldCount++;
    await released;
    await route.continue();
  });
  await page.goto(`${server.origin}/main`);
  await action(page, scripts);
  await context.close();
}

const openPost = async (page: Page, { key }: VisiblePost): Promise<void> => {
  // An event is dispatched, because a mouse click of Playwright would scroll to the link first.
  await page
    .locator(`[data-key="${key}"] .post-facts a`)
    .first()
    .dispatchEvent('click', { bubbles: true, composed: true, cancelable: true });
  await page.locator('changer-channel article').first().waitFor();
};

describe('the scroll position in a long feed', () => {
  it('stays after a rotation of the window, here or while another page is shown', () =>
    open(async (page) => {
      const before = await scrollDown(page);
      await page.setViewportSize({ width: 823, height: 412 });
      await waitForPosition(page, before);
      await openPost(page, before);
      await page.setViewportSize({ width: 412, height: 823 });
      await page.goBack();
      await waitForPosition(page, before);
    }));
  it('is restored after a reload, without loading the posts above, which are then added without a shift', () =>
    open(async (page) => {
      const before = await scrollDown(page);
      let requestCount = 0;
      page.on('request', (request) => {
        if (request.url().includes('/api/feed')) requestCount++;
      });
      await page.reload();
      await waitForPosition(page, before);
      assert.ok(requestCount <= 4, `requested ${requestCount} pages`);
      const response = await (await fetch(`${server.origin}/api/feed?limit=1`)).json();
      const newest = `${response.items[0].channelId}/${response.items[0].id}`;
      // The top of the loaded posts is reached a moment before the posts above them are loaded.
      await until(async () => {
        await page.mouse.wheel(0, -2500);
        const top = await page.evaluate(() => window.scrollY);
        return top === 0 && (await posts(page).first().getAttribute('data-key')) === newest;
      }, 'the newest post is at the top');
    }));
  it('is restored to the pixel by Back from a post, also after a reload of the post', () =>
    open(async (page) => {
      const before = await scrollDown(page);
      await openPost(page, before);
      await page.goBack();
      await waitForPosition(page, before);
      await openPost(page, before);
      await page.reload();
      await page.locator('changer-channel article').first().waitFor();
      await page.goBack();
      await waitForPosition(page, before);
    }));
  it('is restored by Back from a page without posts, after a reload of that page', () =>
    open(async (page) => {
      const before = await scrollDown(page);
      await openCheck(page);
      await page.locator('changer-self-test h1').waitFor();
      await page.reload();
      await page.locator('changer-self-test h1').waitFor();
      await page.goBack();
      await waitForPosition(page, before);
    }));
  it('is restored if the reader goes back before the next page has loaded, and is not used for a new visit', () =>
    open(async (page, scripts) => {
      const before = await scrollDown(page);
      await openCheck(page);
      await until(async () => scripts.heldCount > 0, 'the page is requested');
      await page.goBack();
      await page.waitForURL(`${server.origin}/main`);
      scripts.release();
      // Longer than the delay before a scroll position is saved.
      await page.waitForTimeout(600);
      await waitForPosition(page, before);
      await openCheck(page);
      await page.locator('changer-self-test h1').waitFor();
      await page.getByRole('link', { name: 'Feed' }).first().click();
      await posts(page).first().waitFor();
      assert.equal(await page.evaluate(() => window.scrollY), 0);
    }, 'changer-self-test-'));
  it('is restored if the reader left before the code that saves it had loaded', () =>
    open(async (page, scripts) => {
      const third = posts(page).nth(3);
      await third.waitFor();
      await third.evaluate((post) => post.scrollIntoView({ block: 'center' }));
      const before = await firstVisiblePost(page);
      await openPost(page, before);
      assert.ok(scripts.heldCount > 0);
      await page.goBack();
      await waitForPosition(page, before);
    }, 'PostListEffects-'));
  it('is the top after every other navigation, also after a reload there', () =>
    open(async (page) => {
      const before = await scrollDown(page);
      await openPost(page, before);
      await page.getByRole('link', { name: 'Feed' }).first().click();
      await posts(page).first().waitFor();
      assert.equal(await page.evaluate(() => window.scrollY), 0);
      await page.reload();
      await posts(page).first().waitFor();
      assert.equal(await page.evaluate(() => window.scrollY), 0);
    }));
});
