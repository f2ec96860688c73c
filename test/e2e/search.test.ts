// Search in the app.

import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('search', () => {
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
    context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block', viewport: { width: 390, height: 844 } });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const field = () => page.getByRole('searchbox');
  const address = () => {
    const { pathname, search } = new URL(page.url());
    return decodeURIComponent(pathname + search);
  };
  const at = (expected: string) => until(async () => address() === expected, expected);
  const waitForMark = (text: RegExp) => page.locator('mark').filter({ hasText: text }).first().waitFor();

  it('opens from the feed by a link or by one key, and Back goes through the previous queries', async () => {
    await page.goto(`${server.origin}/main`);
    await page.locator('changer-feed article').first().waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await at('/main?search');
    await field().pressSequentially('ferry');
    await at('/main?search=ferry');
    await field().press('Enter');
    await waitForMark(/ferr/i);
    await field().fill('tram');
    await at('/main?search=tram');
    await page.goBack();
    await at('/main?search=ferry');
    await until(async () => (await field().inputValue()) === 'ferry', 'the search field has the query of the address');
    await page.goBack();
    await at('/main');
    await page.locator('.feed-page article').first().waitFor();
    await page.keyboard.press('/');
    await at('/main?search');
  });

  it('opens the channel of a result, and Back restores the position to the pixel', async () => {
    await page.goto(`${server.origin}/main?search=the`);
    const result = page.locator('changer-feed article').nth(5);
    await result.waitFor();
    await result.scrollIntoViewIfNeeded();
    await page.evaluate(() => window.scrollBy(0, 137));
    const key = await result.getAttribute('data-key');
    const top = () =>
      page.locator(`changer-feed [data-key="${key}"]`).evaluate((each) => Math.round(each.getBoundingClientRect().top));
    const link = result.locator('.post-facts a').first();
    await link.evaluate((each) => each.scrollIntoView({ block: 'center' }));
    const before = await top();
    // A click of Playwright may scroll before it.
    await link.evaluate((each) => each instanceof HTMLElement && each.click());
    await page.locator('changer-channel article[aria-current]').waitFor();
    await page.goBack();
    await page.locator('changer-feed article').first().waitFor();
    await until(async () => Math.abs((await top()) - before) <= 1, 'the scroll position is restored');
  });

  for (const [language, query, found] of [
    ['Russian', 'трамваями', /трамва/i],
    ['Arabic', 'الشارع', /^شارع$/],
  ] as const) {
    it(`finds other forms of a word in ${language}, and highlights them`, async () => {
      await page.goto(`${server.origin}/main?search=${encodeURIComponent(query)}`);
      await waitForMark(found);
    });
  }

  it('opens the search over all channels for a hashtag of the feed', async () => {
    await page.goto(`${server.origin}/main?search=%23`);
    await page.goto(`${server.origin}/main`);
    const tag = page.locator('changer-feed .text a[href^="/main?search=%23"]').first();
    await until(async () => {
      await page.evaluate(() => window.scrollBy(0, 2000));
      return (await tag.count()) > 0;
    }, 'a hashtag is shown');
    const text = (await tag.textContent()) ?? '';
    await tag.evaluate((each) => each instanceof HTMLElement && each.click());
    await at(`/main?search=${text}`);
    await until(async () => (await field().inputValue()) === text, 'the hashtag is in the search field');
  });
});
