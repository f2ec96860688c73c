// Scroll restoration in a long feed.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seed } from '../../bench/seed.ts';
import { openStore } from '../../server/storage/open.ts';
import { type Browser, launchBrowser, openCheck, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

let server: RunningServer;
let browser: Browser;
before(async () => {
  server = await startServer({ demo: false });
  await server.halt();
  const store = await openStore({ dataDir: server.dataDir });
  await seed(store, 400, 4);
  await store.close();
  await server.resume();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

interface Sight {
  readonly key: string;
  readonly top: number;
}

const posts = (page: Page) => page.locator('changer-feed article');

/** Returns the first post below the bar, and its position. */
const sight = (page: Page): Promise<Sight> =>
  page.evaluate(() => {
    const articles = document.querySelector('changer-feed')?.shadowRoot?.querySelectorAll('article') ?? [];
    const found = [...articles].find((article) => article.getBoundingClientRect().bottom > 110);
    return { key: found?.dataset.key ?? '', top: found?.getBoundingClientRect().top ?? 0 };
  });

/** Waits until the same post is at the same pixel. */
async function standsAt(page: Page, { key, top }: Sight): Promise<void> {
  const topNow = () =>
    page.evaluate((name) => {
      const root = document.querySelector('changer-feed')?.shadowRoot;
      return root?.querySelector(`[data-key="${name}"]`)?.getBoundingClientRect().top ?? Number.NaN;
    }, key);
  await until(async () => Math.abs((await topNow()) - top) < 1, `post ${key} is at ${top}`);
}

async function scrollFar(page: Page): Promise<Sight> {
  await posts(page).first().waitFor();
  await until(async () => {
    await page.mouse.wheel(0, 2500);
    return page.evaluate(() => window.scrollY > 30_000);
  }, 'the page scrolls far');
  // The scroll position is saved in this history entry when scrolling ends.
  await until(async () => {
    const { key, top } = await sight(page);
    const note: unknown = await page.evaluate(() => history.state?.changerPlace);
    return String(JSON.stringify(note)).includes(`"key":"${key}","offset":${top}`);
  }, 'the scroll position is saved');
  return sight(page);
}

/** Opens a page. Scripts whose URL contains `late` load only when they are released. */
async function open(
  use: (page: Page, scripts: { readonly held: number; release(): void }) => Promise<void>,
  late: string | null = null,
): Promise<void> {
  const viewport = { width: 412, height: 823 };
  const context = await browser.newContext({ viewport, locale: 'en-GB', serviceWorkers: late === null ? 'allow' : 'block' });
  const page = await context.newPage();
  const scripts = { held: 0, release: () => {} };
  const released = new Promise<void>((done) => (scripts.release = done));
  await page.route(`**/assets/${late}*.js`, async (route) => {
    scripts.held++;
    await released;
    await route.continue();
  });
  await page.goto(`${server.origin}/main`);
  await use(page, scripts);
  await context.close();
}

const openPost = async (page: Page, { key }: Sight): Promise<void> => {
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
      const before = await scrollFar(page);
      await page.setViewportSize({ width: 823, height: 412 });
      await standsAt(page, before);
      await openPost(page, before);
      await page.setViewportSize({ width: 412, height: 823 });
      await page.goBack();
      await standsAt(page, before);
    }));
  it('is restored after a reload, without loading the posts above, which are then added without a shift', () =>
    open(async (page) => {
      const before = await scrollFar(page);
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().includes('/api/feed')) asked++;
      });
      await page.reload();
      await standsAt(page, before);
      assert.ok(asked <= 4, `requested ${asked} pages`);
      const answer = await (await fetch(`${server.origin}/api/feed?limit=1`)).json();
      const newest = `${answer.items[0].channelId}/${answer.items[0].id}`;
      // The top of the loaded posts is reached a moment before the posts above them are loaded.
      await until(async () => {
        await page.mouse.wheel(0, -2500);
        const top = await page.evaluate(() => window.scrollY);
        return top === 0 && (await posts(page).first().getAttribute('data-key')) === newest;
      }, 'the newest post is at the top');
    }));
  it('is restored to the pixel by Back from a post, also after a reload of the post', () =>
    open(async (page) => {
      const before = await scrollFar(page);
      await openPost(page, before);
      await page.goBack();
      await standsAt(page, before);
      await openPost(page, before);
      await page.reload();
      await page.locator('changer-channel article').first().waitFor();
      await page.goBack();
      await standsAt(page, before);
    }));
  it('is restored by Back from a page without posts, after a reload of that page', () =>
    open(async (page) => {
      const before = await scrollFar(page);
      await openCheck(page);
      await page.locator('changer-self-test h1').waitFor();
      await page.reload();
      await page.locator('changer-self-test h1').waitFor();
      await page.goBack();
      await standsAt(page, before);
    }));
  it('is restored if the reader goes back before the next page has loaded, and is not used for a new visit', () =>
    open(async (page, scripts) => {
      const before = await scrollFar(page);
      await openCheck(page);
      await until(async () => scripts.held > 0, 'the page is requested');
      await page.goBack();
      await page.waitForURL(`${server.origin}/main`);
      scripts.release();
      // Longer than the delay before a scroll position is saved.
      await page.waitForTimeout(600);
      await standsAt(page, before);
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
      const before = await sight(page);
      await openPost(page, before);
      assert.ok(scripts.held > 0);
      await page.goBack();
      await standsAt(page, before);
    }, 'PostListEffects-'));
  it('is the top after every other navigation, also after a reload there', () =>
    open(async (page) => {
      const before = await scrollFar(page);
      await openPost(page, before);
      await page.getByRole('link', { name: 'Feed' }).first().click();
      await posts(page).first().waitFor();
      assert.equal(await page.evaluate(() => window.scrollY), 0);
      await page.reload();
      await posts(page).first().waitFor();
      assert.equal(await page.evaluate(() => window.scrollY), 0);
    }));
});
