// Server-side rendering (SSR) of embedded tags, before their code loads.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import { compareStyles } from '../support/compare-styles.ts';
import { firstPageRequests, shownTexts, waitUntilReplaced } from '../support/prerendered-tags.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const CHANNEL = 'harbour_gazette_demo';
const CODE = /\/assets\//;
const CONTENT = 'article, .row';

/** The dates are localized in a task after the first paint. */
const AFTER_NEXT_PAINT = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))`;

/** Script that runs before any script of the page. */
const RECORDER_SCRIPT = `
  window.moved = 0;
  window.told = [];
  addEventListener('changer-loaded', (event) => told.push(event.detail.count));
  addEventListener('changer-failed', (event) => told.push(event.detail.message));
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.moved += value))).observe({ type: 'layout-shift', buffered: true });
`;

describe('the server-rendered HTML of a tag', () => {
  let server: RunningServer;
  let browser: Browser;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a site with a body. The code of the tags loads only when `release` is called. */
  async function open(body: string, action: (visit: SiteVisit) => Promise<void>, options = {}, headers = {}): Promise<void> {
    const site: Site = await startSite(body.replaceAll('{server}', server.origin), headers);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options });
    const page = await context.newPage();
    const lines = listen(page);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.addInitScript(RECORDER_SCRIPT);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(CODE, async (route) => {
      await released;
      await route.continue();
    });
    try {
      await page.goto(site.origin);
      await action({ page, requestedUrls, release });
      assert.deepEqual(lines, []);
    } finally {
      release();
      await context.close();
      site.stop();
    }
  }

  interface SiteVisit {
    readonly page: Page;
    readonly requestedUrls: readonly string[];
    release(): void;
  }

  const script = (tag: string) => `<script type="module" src="{server}/elements/${tag}.js"></script>`;
  const TAGS: Readonly<Record<string, string>> = {
    'changer-channel': `<changer-channel channel-id="${CHANNEL}" limit="5" hydrate="load"><p>By hand</p></changer-channel>`,
    'changer-dial': '<changer-dial hydrate="load"><p>By hand</p></changer-dial>',
    'changer-feed': '<changer-feed limit="5" hydrate="load"><p>By hand</p></changer-feed>',
    'changer-post': `<changer-post channel-id="${CHANNEL}" post-id="{post}" hydrate="load"><p>By hand</p></changer-post>`,
    'changer-search': '<changer-search q="the" limit="5" hydrate="load"><p>By hand</p></changer-search>',
  };
  for (const [tag, markup] of Object.entries(TAGS))
    for (const timezoneId of ['UTC', 'Pacific/Auckland'])
      it(`is shown before the code loads, and is replaced without a visible change: <${tag}> in ${timezoneId}`, async () => {
        const { items } = await (await fetch(`${server.origin}/api/channels/${CHANNEL}/posts?limit=1`)).json();
        const from = ['script', 'connect', 'img', 'media', 'style'].map((kind) => `${kind}-src ${server.origin}`);
        const policy = { 'content-security-policy': `default-src 'none'; ${from.join('; ')}` };
        const icon = '<link rel="icon" href="{server}/icon.svg">';
        await open(
          icon + script(tag) + markup.replace('{post}', items[0].id),
          async ({ page, requestedUrls, release }) => {
            await page.locator(tag).locator(CONTENT).first().waitFor();
            assert.equal(await page.evaluate((name) => customElements.get(name) === undefined, tag), true);
            assert.equal(await page.getByText('By hand').count(), 1);
            assert.equal(await page.getByText('By hand').isVisible(), false);
            await page.evaluate(AFTER_NEXT_PAINT);
            const [before, moved] = [await shownTexts(page, tag), await page.evaluate('moved')];
            assert.equal(before.length, tag === 'changer-post' ? 1 : 5);
            release();
            await waitUntilReplaced(page, tag);
            assert.deepEqual(await shownTexts(page, tag), before);
            await page.waitForFunction('told.length > 0');
            assert.equal(await page.evaluate('told.length'), 1);
            assert.equal(await page.evaluate('moved'), moved);
            assert.deepEqual(firstPageRequests(requestedUrls, tag), []);
            assert.equal(requestedUrls.filter((url) => url.includes('/elements/drawn/')).length, 1);
          },
          { timezoneId },
          policy,
        );
      });

  const SHARED_STYLES = ['src/components/styles/tokens.css', 'src/components/styles/base.css'];
  const SHEET = 'src/components/styles/sheet.css';
  const POSTS = 'src/features/post-list/post-list.css';
  const OWN_STYLES: Readonly<Record<string, readonly string[]>> = {
    'changer-channel': [POSTS, 'src/features/channel/channel.css'],
    'changer-dial': [SHEET, 'src/features/dial/dial.css'],
    'changer-feed': [POSTS, 'src/features/feed/feed.css'],
    'changer-post': [POSTS, 'src/features/post/post-page.css'],
    'changer-search': [POSTS, SHEET, 'src/features/search/search.css'],
  };
  for (const [tag, paths] of Object.entries(OWN_STYLES))
    it(`is shown as with all styles of the tag: <${tag}>`, async () => {
      const { items } = await (await fetch(`${server.origin}/api/channels/${CHANNEL}/posts?limit=1`)).json();
      const markup = (TAGS[tag] ?? '').replace('{post}', items[0].id).replaceAll(' limit="5"', '').replace(' hydrate="load"', '');
      const embedded = 'src/components/styles/embedded.css';
      for (const attributes of ['', ' theme="dark" density="compact" dir="rtl"'])
        await open(script(tag) + markup.replace(`<${tag}`, `<${tag}${attributes}`), async ({ page }) => {
          await page.locator(tag).locator(CONTENT).first().waitFor();
          assert.deepEqual(await compareStyles(page, [tag], [[...SHARED_STYLES, ...paths, embedded]]), []);
        });
    });

  it('is fetched once for tags with the same content, also if the site preloads it', async () => {
    const tag = `<changer-channel channel-id="${CHANNEL}" limit="3" hydrate="load"></changer-channel>`;
    const address = `{server}/elements/drawn/changer-channel?channel-id=${CHANNEL}&limit=3&lang=en`;
    const preload = `<link rel="preload" as="fetch" crossorigin href="${address}">`;
    await open(preload + script('changer-channel') + tag.repeat(10), async ({ page, requestedUrls, release }) => {
      await until(async () => (await page.locator('changer-channel article').count()) === 30, 'ten tags are rendered');
      release();
      await page.waitForFunction(() => Reflect.get(window, 'told').length === 10);
      assert.equal(requestedUrls.filter((url) => url.includes('/elements/drawn/')).length, 1);
      assert.deepEqual(firstPageRequests(requestedUrls, 'changer-channel'), []);
    });
  });

  it('keeps the focus on the link that the reader focused', async () => {
    await open(script('changer-channel') + TAGS['changer-channel'], async ({ page, release }) => {
      const link = page.locator('changer-channel .post-facts a').first();
      await link.focus();
      const href = await link.getAttribute('href');
      release();
      await waitUntilReplaced(page, 'changer-channel');
      const focused = () => document.querySelector('changer-channel')?.shadowRoot?.activeElement?.getAttribute('href');
      assert.equal(await page.evaluate(focused), href);
    });
  });

  it('is not used for a tag whose content has changed, or for a lazy tag', async () => {
    const tags = [
      `<changer-channel id="other" channel-id="${CHANNEL}" limit="2" hydrate="load"></changer-channel>`,
      `<changer-channel id="lazy" loading="lazy" style="display: block; margin-top: 5000px" channel-id="${CHANNEL}"></changer-channel>`,
    ];
    await open(script('changer-channel') + tags.join(''), async ({ page, requestedUrls, release }) => {
      const other = page.locator('#other');
      await other.locator(CONTENT).first().waitFor();
      await other.evaluate((element) => element.setAttribute('limit', '1'));
      assert.equal(requestedUrls.filter((url) => url.includes('/elements/drawn/')).length, 1);
      release();
      await page.waitForFunction(() => Reflect.get(window, 'told').length >= 1);
      await until(async () => (await page.locator('#other article').count()) >= 1, 'the other tag is rendered');
      assert.equal(await page.locator('#lazy article').count(), 0);
      await page.context().unrouteAll();
    });
  });

  it('is an empty 204 response, without a console error, for a channel that does not exist', async () => {
    const { status } = await fetch(`${server.origin}/elements/drawn/changer-channel?channel-id=nobody_has_this_name`);
    assert.equal(status, 204);
  });
});
