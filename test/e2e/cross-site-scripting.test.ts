// Cross-site scripting (XSS) in a browser: hostile texts in pages, tags and feeds.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { loadRenderer } from '../../server/publishing/pages/load-renderer.ts';
import { ADDRESSES, ALL_TEXTS, CANARY, TEXTS_BY_KIND } from '../hostile/corpus.ts';
import { hostileChannel, hostileNames, hostilePosts } from '../hostile/posts.ts';
import { watchScripts } from '../hostile/script-watcher.ts';
import { serve } from '../server/sources/rss/feed-server.ts';
import { launchData, makeApp, signIn, type TestApp } from '../server/support/make-app.ts';
import { asTelegram, type Browser, launchBrowser, type Page } from '../support/browser.ts';
import { startSite } from '../support/site.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const OPERATOR = 7;
/** A context with this base URL gets none of the scripts of the app. */
const BASE_URL_WITHOUT_SCRIPTS = 'http://drawn.test';

/** Returns a feed as an author would write it on their own site: each text is used as markup. */
const feedOf = (texts: readonly string[]): string => {
  const items = texts.map((text, at) => {
    const escapedText = Buffer.from(text)
      .toString()
      .replace(/\p{Cc}/gu, ' ')
      .replaceAll(']]>', '');
    const link = (ADDRESSES[at % ADDRESSES.length] ?? '').replace(/[<>&\p{Cc}]/gu, ' ');
    return `<item><guid>${at}</guid><title><![CDATA[${escapedText}]]></title><link>${link}</link>
      <description><![CDATA[<p>Said: ${escapedText}</p><a href="${link.replaceAll('"', '')}">x</a>]]></description></item>`;
  });
  return `<rss version="2.0"><channel><title><![CDATA[${texts[0]}]]></title>${items.join('')}</channel></rss>`;
};

describe('texts with XSS payloads', () => {
  const cleanups: (() => unknown)[] = [];
  const cleanupScope = { after: (end: unknown) => void cleanups.push(end as () => unknown) };
  let testApp: TestApp;
  let browser: Browser;
  let origin: string;
  let feedId: string;

  before(async () => {
    browser = await launchBrowser([], { asDrawn: true });
    testApp = await makeApp(cleanupScope, { OPERATOR_IDS: String(OPERATOR) }, 'dist');
    Object.assign(testApp.context, { renderer: () => loadRenderer(DIST) });
    const { store, app } = testApp;
    await store.putChannel(hostileChannel('1', { username: 'hostile' }));
    await store.putMessages(hostilePosts('1'));
    for (const { channel, post } of hostileNames()) {
      await store.putChannel(channel);
      await store.putMessages([post]);
    }
    const port = await serve(cleanupScope, (_request, response) => void response.end(feedOf(ALL_TEXTS)));
    const headers = await signIn(testApp, OPERATOR);
    const added = await app.inject({
      method: 'POST',
      url: '/api/operator/feeds',
      payload: { url: `http://feed.test:${port}/` },
      headers,
    });
    assert.equal(added.statusCode, 200, added.body);
    feedId = added.json().id;
    for (let id = 1; id <= 20; id += 1) {
      const starred = await app.inject({ method: 'PUT', url: `/api/stars/1/${id}`, headers });
      assert.ok(starred.statusCode < 300, starred.body);
    }
    await app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser.close();
    for (const end of cleanups) await end();
  });

  type Options = Parameters<Browser['newContext']>[0];

  /**
   * Opens an address, lets `action` wait for its content, and checks that nothing ran, violated the policy or sent a request
   * elsewhere.
   */
  async function visit(address: string, action: (page: Page) => Promise<unknown>, options: Options = {}) {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    try {
      const runs = await watchScripts(context);
      if (address.includes('tgWebAppData')) await asTelegram(context);
      const page = await context.newPage();
      if (options.baseURL === BASE_URL_WITHOUT_SCRIPTS) await context.route('**/assets/**', (route) => route.abort());
      await page.goto(address);
      await action(page);
      assert.deepEqual(await runs.found(page), [], address.slice(0, 120));
    } finally {
      await context.close();
    }
  }

  /** Visits another site whose page has no policy. */
  async function visitSite(body: string, action: (page: Page) => Promise<unknown>) {
    const site = await startSite(body);
    await visit(site.origin, action).finally(site.stop);
  }

  /**
   * Scrolls to the end, so that posts that are rendered near the window are rendered, and opens everything that can be opened.
   */
  const scrollAndOpenAll = async (page: Page, tag: string) => {
    await page
      .locator(`${tag} article`)
      .filter({ hasText: /__ran|Said/ })
      .first()
      .waitFor();
    await page.evaluate(async () => {
      for (let at = 0; at < 40; at += 1) {
        window.scrollBy(0, 2000);
        await new Promise((done) => requestAnimationFrame(done));
      }
    });
    await page
      .locator(`${tag} article`)
      .last()
      .hover({ force: true, timeout: 5000 })
      .catch(() => {});
  };

  /** Each case runs with and without the policy of the page, so that the policy does not hide a missing protection. */
  const BYPASS_CSP = [false, true] as const;

  const PAGES: readonly (readonly [address: () => string, tag: string, minPosts: number])[] = [
    [() => '/main', 'changer-feed', 20],
    [() => '/channel/hostile', 'changer-channel', 20],
    [() => '/channel/hostile?post=3', 'changer-channel', 3],
    [() => `/channel/${feedId}`, 'changer-channel', 20],
    [() => '/main?search=script', 'changer-feed', 5],
    [() => '/main?search=%3Cimg%20src%3Dx%20onerror%3Dwindow.__ran%3D1%3E', 'changer-feed', 0],
    [() => '/changer', 'changer-dial', 0],
  ];

  for (const [address, tag, minPosts] of PAGES)
    it(`do not run on ${address().replace('undefined', 'a feed')}, with or without the policy of the page`, async () => {
      for (const bypassCSP of BYPASS_CSP)
        await visit(
          origin + address(),
          async (page) => {
            await page.waitForFunction(() => document.getElementById('drawn') === null);
            if (minPosts > 0) await scrollAndOpenAll(page, tag);
            else await page.locator(tag).first().waitFor();
            assert.ok((await page.locator(`${tag} article`).count()) >= minPosts);
          },
          { bypassCSP },
        );
    });

  it('do not run among the starred posts', async () => {
    const launch = `#tgWebAppData=${encodeURIComponent(launchData(OPERATOR, { at: testApp.clock.now }))}&tgWebAppVersion=8.0`;
    for (const bypassCSP of BYPASS_CSP)
      await visit(`${origin}/main?show=starred${launch}`, (page) => scrollAndOpenAll(page, 'changer-feed'), { bypassCSP });
  });

  it('do not run in server-rendered pages', async () => {
    const addresses = ['/main', '/channel/hostile', '/channel/hostile?post=3', `/channel/${feedId}`, '/channel/51', '/privacy'];
    for (const address of addresses)
      for (const bypassCSP of BYPASS_CSP)
        await visit(
          origin + address,
          async (page) => {
            if (address !== '/privacy') await page.locator('#drawn article').first().waitFor();
          },
          // Script files of the app do not load. A script that a text created would be inline, and would run.
          { bypassCSP, baseURL: BASE_URL_WITHOUT_SCRIPTS },
        );
  });

  it('do not run in tags on another site, or in oEmbed markup that an editor inserts', async (t) => {
    const inserted = await (await fetch(`${origin}/oembed?url=${encodeURIComponent(`${origin}/channel/hostile`)}`)).json();
    const oembed = await (await fetch(`${origin}/oembed?url=${encodeURIComponent(`${origin}/channel/hostile?post=3`)}`)).json();
    const tags = {
      'changer-feed': '<changer-feed limit="20"></changer-feed>',
      'changer-channel': '<changer-channel channel-id="hostile" limit="20"></changer-channel>',
      'changer-post': '<changer-post channel-id="hostile" post-id="3"></changer-post>',
      'changer-search': '<changer-search q="script"></changer-search>',
    };
    for (const [tag, body] of [
      ...Object.entries(tags),
      ['changer-channel', inserted.html],
      ['changer-post', oembed.html],
    ] as const) {
      const script = `<script type="module" src="${origin}/elements/${tag}.js"></script>`;
      await visitSite(script + body, (page) => scrollAndOpenAll(page, tag));
    }
    const markupWithoutScripts = `${inserted.html}${oembed.html}`.replace(/<script[\s\S]*?<\/script>/g, '');
    await visitSite(markupWithoutScripts, (page) => page.getByText('__ran').first().waitFor());
    t.diagnostic(`${Object.keys(tags).length} tags and 2 answers of oEmbed, on pages without a policy`);
  });

  it('do not run in feeds, neither opened nor inserted by a feed reader that does not sanitize their HTML', async () => {
    for (const format of ['rss', 'atom', 'json'])
      for (const name of ['hostile', feedId]) await opened(`${origin}/feeds/${name}.${format}`);
    for (const name of ['hostile', feedId]) {
      const response = await fetch(`${origin}/feeds/${name}.json`);
      const { items }: { items: { content_html: string }[] } = await response.json();
      assert.ok(items.length >= 20);
      await visitSite('<main></main>', async (page) => {
        // The markup is inserted twice, so that texts that change when they are serialized and parsed again have changed
        // (mutation XSS).
        await page.evaluate(
          (all) => {
            const main = document.querySelector('main');
            if (main === null) return;
            main.innerHTML = all.join('');
            main.innerHTML = String(main.innerHTML);
          },
          items.map((item) => item.content_html),
        );
        assert.ok((await page.locator('main p').count()) >= 20);
      });
    }
  });

  /**
   * Opens an address. A browser downloads content that it does not show, which runs nothing. XML is shown a second time with an
   * XML type.
   */
  async function opened(address: string): Promise<void> {
    const response = await fetch(address);
    assert.equal(response.status, 200, address);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const [body, type] = [await response.text(), address.endsWith('json') ? 'text/html' : 'text/xml'];
    const context = await browser.newContext();
    const runs = await watchScripts(context);
    const page = await context.newPage();
    await page.goto(address).catch((error) => assert.match(String(error), /Download is starting|ERR_ABORTED/));
    assert.deepEqual(await runs.found(page), [], address);
    if (type === 'text/xml') {
      await page.route('**/as-xml', (route) => route.fulfill({ body, contentType: type }));
      await page.goto('http://other.test/as-xml');
      assert.deepEqual(await runs.found(page), [], `${address} as XML`);
    }
    await context.close();
  }

  it('all run where they are inserted as markup, so that the test detects them', async (t: TestContext) => {
    const context = await browser.newContext();
    const runs = await watchScripts(context);
    await context.route('**/taken', (route) => route.fulfill({ body: '<p></p>', contentType: 'text/html' }));
    const found: string[] = [];
    for (const text of TEXTS_BY_KIND.markup ?? []) {
      // Each text has its own page, because some of them navigate away at any moment.
      const page = await context.newPage();
      await page.goto('http://other.test/taken');
      await page.evaluate((each) => {
        document.body.innerHTML = each;
      }, text);
      found.push(...(await runs.found(page)));
      await page.close();
    }
    await context.close();
    assert.ok(found.length > 30, `${found.length}`);
    const counts = Object.entries(TEXTS_BY_KIND).map(([kind, all]) => `${all.length} ${kind}`);
    t.diagnostic(`${ALL_TEXTS.length} texts (${counts.join(', ')}), ${ADDRESSES.length} addresses, canary ${CANARY}`);
    t.diagnostic(`the watch sees ${found.length} things where they are taken as markup`);
  });
});
