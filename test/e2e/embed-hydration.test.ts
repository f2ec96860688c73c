// Hydration of embedded tags: their code loads only when a visitor uses them, and nothing that a visitor does is lost.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import { isPrerenderRequest, PRERENDERED_TAGS, prerenderedTags } from '../support/prerendered-tags.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

const CHANNEL = 'harbour_gazette_demo';
/** The chunk of React and those of our code; the loader's own chunk is not one of them. */
const CODE = /\/assets\/[A-Z0-9]{8}\.js$/;

/** Script that runs before any script of the page. */
const RECORDER_SCRIPT = `
  window.moved = 0;
  window.told = [];
  window.copied = [];
  for (const type of ['changer-loaded', 'changer-failed', 'changer-post-opened', 'changer-attribute-refused'])
    addEventListener(type, (event) => told.push([type, event.target.localName, event.detail]));
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.moved += value))).observe({ type: 'layout-shift', buffered: true });
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void copied.push(text) } });
`;

interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly requestedUrls: readonly string[];
}

describe('a tag whose code has not loaded', () => {
  let server: RunningServer;
  let browser: Browser;
  let policy: Readonly<Record<string, string>>;
  let post: number;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const sources = ['script', 'connect', 'img', 'media', 'style'].map((kind) => `${kind}-src ${server.origin}`);
    policy = {
      'content-security-policy': `default-src 'none'; ${sources.join('; ')}; require-trusted-types-for 'script'; trusted-types 'none'`,
    };
    const { items } = await (await fetch(`${server.origin}/api/channels/${CHANNEL}/posts?limit=1`)).json();
    post = items[0].id;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a site with a strict policy. At the end, no line is in the console, and nothing has moved by itself. */
  async function open(body: string, action: (visit: Visit) => Promise<void>, { prepare = '', ...options } = {}): Promise<void> {
    const tags = new Set([...body.matchAll(/<(changer-\w+)/g)].map(([, tag]) => tag));
    const scripts = [...tags].map((tag) => `<script type="module" src="${server.origin}/elements/${tag}.js"></script>`);
    const icon = `<link rel="icon" href="${server.origin}/icon.svg">`;
    const site = await startSite(icon + scripts.join('') + body, policy);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options });
    const page = await context.newPage();
    const lines = listen(page);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.addInitScript(RECORDER_SCRIPT + prepare);
    try {
      await page.goto(site.origin);
      await waitFor(page, `told.length >= ${tags.size}`);
      await action({ page, context, requestedUrls });
      assert.deepEqual(lines, []);
      assert.equal(await page.evaluate('moved'), 0);
    } finally {
      await context.close();
      site.stop();
    }
  }

  /** Waits for an expression. The policy of the site forbids `page.waitForFunction` with a text. */
  const waitFor = (page: Page, expression: string) => until(() => page.evaluate<boolean>(expression), expression);
  const channelTag = (attributes = '') => `<changer-channel channel-id="${CHANNEL}" ${attributes}>By hand</changer-channel>`;
  const isHydrated = (page: Page, tag = 'changer-channel') =>
    page.evaluate((name) => document.querySelector(name)?.shadowRoot?.querySelector('.root:not(.drawn) article, .root:not(.drawn) .row') != null && document.querySelector(name)?.shadowRoot?.querySelector('.drawn') === null, tag);
  const waitUntilHydrated = (page: Page, tag?: string) => until(() => isHydrated(page, tag), 'the tag is hydrated');
  const codeRequests = (urls: readonly string[]) => urls.filter((url) => CODE.test(url));
  const idle = async (page: Page) => {
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  };

  it('loads none of its code without a visitor, in five tags', async () => {
    const tags = Object.values(prerenderedTags(CHANNEL, post));
    await open(tags.join(''), async ({ page, requestedUrls }) => {
      await idle(page);
      assert.deepEqual(codeRequests(requestedUrls), []);
      assert.equal(requestedUrls.filter(isPrerenderRequest).length, tags.length);
      assert.equal(requestedUrls.filter((url) => url.endsWith('/elements/posts.css')).length, 1);
      const told = await page.evaluate<[string, string, { count: number }][]>('told');
      assert.deepEqual(told.map(([type, tag]) => `${type} ${tag}`).sort(), PRERENDERED_TAGS.map((tag) => `changer-loaded ${tag}`));
      for (const [, tag, { count }] of told) assert.equal(count, tag === 'changer-post' ? 1 : tag === 'changer-dial' ? 8 : 5);
    });
  });

  it('copies a link at the first tap, once, and loads each chunk once', async () => {
    await open(channelTag(), async ({ page, requestedUrls }) => {
      const button = page.locator('changer-channel article').nth(1).getByRole('button', { name: 'Copy link' });
      await button.click();
      await waitFor(page, 'copied.length > 0');
      await waitUntilHydrated(page);
      await idle(page);
      assert.equal(await page.evaluate('copied.length'), 1);
      const key = await page.locator('changer-channel article').nth(1).getAttribute('data-key');
      assert.ok((await page.evaluate<string>('copied[0]')).endsWith(`?post=${key?.split('/')[1]}`));
      assert.deepEqual(codeRequests(requestedUrls), [...new Set(codeRequests(requestedUrls))]);
      assert.deepEqual(await page.evaluate('told.map(([type]) => type)'), ['changer-loaded']);
    });
  });
});
