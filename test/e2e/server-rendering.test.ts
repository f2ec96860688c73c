// Server-side rendering (SSR) of pages: the prerendered HTML and its replacement by the app.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { loadRenderer } from '../../server/publishing/pages/load-renderer.ts';
import { LOCALES } from '../../src/i18n/locale.ts';
import { channel, launchData, makeApp, message, type TestApp } from '../server/support/make-app.ts';
import { asTelegram, type Browser, type BrowserContext, launchBrowser, listen, type Page, until } from '../support/browser.ts';

const NOW = Math.floor(Date.now() / 1000);
const DIST = path.resolve(import.meta.dirname, '../../dist');

/** Script that returns the visible text of the posts, for the server-rendered HTML and for the app. */
const READ_TEXTS = `[...document.querySelectorAll('#drawn > div, changer-feed, changer-channel')]
  .flatMap((host) => [...host.shadowRoot.querySelectorAll('article')])
  .map((article) => article.innerText.replace(/\\s+/g, ' '))`;
const SHIFTS = `(() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

describe('server-rendered pages', () => {
  const cleanups: (() => unknown)[] = [];
  let testApp: TestApp;
  let browser: Browser;
  let origin: string;

  before(async () => {
    browser = await launchBrowser([], { asDrawn: true });
    testApp = await makeApp({ after: (end) => void cleanups.push(end as () => unknown) }, { OPERATOR_IDS: '7' }, 'dist');
    Object.assign(testApp.context, { renderer: () => loadRenderer(DIST) });
    const { store } = testApp;
    await store.putChannel(channel('1', { username: 'alpha', title: 'Alpha', about: 'First of all' }));
    await store.putChannel(channel('2', { title: 'Beta' }));
    await store.putChannel(channel('9', { title: 'Closed', private: true }));
    for (const id of ['1', '2', '9'])
      await store.putMessages(
        Array.from({ length: 30 }, (_, at) =>
          message(id, at + 1, `Post ${at + 1} of ${id}. ${'Words. '.repeat(40)}`, [], NOW - 400_000 + at * 9000),
        ),
      );
    await testApp.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://localhost:${(testApp.app.server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser.close();
    for (const end of cleanups) await end();
  });
  beforeEach(() => {
    testApp.clock.now += 120_000;
  });

  async function visit(
    address: string,
    options: Parameters<Browser['newContext']>[0],
    action: (page: Page, context: BrowserContext) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options });
    if (address.includes('tgWebAppData')) await asTelegram(context);
    const page = await context.newPage();
    await page.goto(origin + address);
    await action(page, context);
    await context.close();
  }
  const read = async (address: string, options: Parameters<Browser['newContext']>[0]): Promise<string[]> => {
    let found: string[] = [];
    await visit(address, options, async (page) => {
      found = await page.evaluate(READ_TEXTS);
    });
    return found;
  };
  const waitUntilReplaced = (page: Page) => page.locator('#drawn').waitFor({ state: 'detached' });

  for (const address of ['/main', '/channel/alpha', '/channel/alpha?post=12']) {
    it(`show the first posts of ${address} without scripts, and the same posts with scripts, without a flash or a second fetch`, async () => {
      for (const timezoneId of ['UTC', 'Pacific/Auckland']) {
        const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 }, timezoneId });
        const page = await context.newPage();
        await page.addInitScript(SHIFTS);
        // Further pages that the app loads are not part of this test.
        await page.route(/[?&](before|after)=/, () => {});
        const lines = listen(page);
        const requestedUrls: string[] = [];
        page.on('request', (request) => void requestedUrls.push(request.url()));
        // Reads both at the moment when the app replaces the server-rendered HTML, because posts are marked as read soon after.
        await page.addInitScript(`new MutationObserver((changes) => {
          const drawn = changes.flatMap(({ removedNodes }) => [...removedNodes]).find((node) => node.id === 'drawn');
          if (drawn === undefined) return;
          const read = (host) => [...host.shadowRoot.querySelectorAll('article')].map((article) => article.textContent);
          const app = document.querySelector('changer-feed, changer-channel');
          window.former = read(drawn.firstElementChild);
          window.shown = read(app);
          const isInWindow = (article) => article.getBoundingClientRect().bottom > 0 && article.getBoundingClientRect().top < innerHeight;
          window.visible = [...app.shadowRoot.querySelectorAll('article')].filter(isInWindow).map((article) => article.textContent);
          requestAnimationFrame(() => requestAnimationFrame(() => (window.shiftsThen = window.shifts)));
        }).observe(document, { childList: true, subtree: true })`);
        await page.goto(origin + address);
        await waitUntilReplaced(page);
        const prerenderedTexts: string[] = await page.evaluate('window.former');
        const shown: string[] = await page.evaluate('window.shown');
        assert.equal(prerenderedTexts.length, 20);
        // The app renders the posts far below the window later.
        assert.ok(shown.length >= 5, `${shown.length} posts at first`);
        assert.deepEqual(shown, prerenderedTexts.slice(0, shown.length));
        const visible: string[] = await page.evaluate('window.visible');
        assert.match(visible.join(), address.endsWith('12') ? /Post 12 of/ : /Post 30 of/);
        const posts = page.locator('changer-feed article, changer-channel article');
        await until(async () => (await posts.count()) === 20, 'the app shows all posts');
        const texts = await posts.evaluateAll((all) => all.map(({ textContent }) => textContent));
        assert.deepEqual(texts.slice(shown.length), prerenderedTexts.slice(shown.length));
        await page.waitForFunction(() => Reflect.get(window, 'shiftsThen') !== undefined);
        // Later, a post that is marked as read changes an unread count, and the width of that number changes.
        const shifts: number = await page.evaluate('window.shiftsThen');
        assert.ok(shifts < 0.001, `moved by ${shifts}`);
        assert.deepEqual(
          requestedUrls.filter((url) => /\/api\/(?!events)/.test(url) && !/[?&](before|after)=/.test(url)),
          [],
        );
        assert.deepEqual(
          lines.filter((line) => !line.startsWith('log: GET 200')),
          [],
        );
        if (timezoneId === 'UTC') {
          const textWithoutScripts = await read(address, { javaScriptEnabled: false });
          assert.equal(textWithoutScripts.length, 20);
          assert.match(textWithoutScripts.join(), /Post 12 of|Post 30 of/);
        }
        await context.close();
      }
    });
  }

  it('start at the post in the address, without controls that need scripts', async () => {
    await visit('/channel/alpha?post=12', { javaScriptEnabled: false }, async (page) => {
      assert.match((await page.locator('article:visible').first().textContent()) ?? '', /Post 12 of 1\./);
      assert.equal(await page.locator('button:visible, input:visible').count(), 0);
    });
  });

  it('show the dial with its channels, and the same content with scripts, without a shift or a second fetch', async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      const context = await browser.newContext({ locale: 'en-GB', viewport });
      const page = await context.newPage();
      await page.addInitScript(SHIFTS);
      // The neighbours of the first channel are loaded ahead, for the next flip.
      await page.route(/\/api\/channels\/[2-9]\d*\/posts/, () => {});
      const lines = listen(page);
      const requestedUrls: string[] = [];
      page.on('request', (request) => void requestedUrls.push(request.url()));
      await page.addInitScript(`const read = (root) => ['.card h2', '.card-post-text', '[data-row] .row-title', '.key']
          .map((kind) => [...(root?.querySelectorAll(kind) ?? [])].map((element) => element.textContent));
        new MutationObserver((changes) => {
          const drawn = changes.flatMap(({ removedNodes }) => [...removedNodes]).find((node) => node.id === 'drawn');
          if (drawn === undefined) return;
          window.former = read(drawn.firstElementChild.shadowRoot);
          window.shown = read(document.querySelector('changer-dial').shadowRoot);
        }).observe(document, { childList: true, subtree: true })`);
      await page.goto(`${origin}/changer`);
      await waitUntilReplaced(page);
      const former: string[][] = await page.evaluate('window.former');
      assert.deepEqual(await page.evaluate('window.shown'), former);
      const [, posts = [], rows = []] = former;
      assert.equal(posts.length, 3);
      assert.ok(rows.length >= 2, rows.join());
      assert.ok((await page.evaluate<number>('window.shifts')) < 0.001);
      assert.deepEqual(
        requestedUrls.filter((url) => /\/api\/(?!events)/.test(url) && !/channels\/[2-9]\d*\/posts/.test(url)),
        [],
      );
      assert.deepEqual(
        lines.filter((line) => !line.startsWith('log: GET 200')),
        [],
      );
      await context.close();
    }
  });

  it('leave a dial with a query to the app', async () => {
    for (const query of ['?n=2', '?lineup=abc', '?operator=overview']) {
      const html = await (await fetch(`${origin}/changer${query}`)).text();
      assert.doesNotMatch(html, /id="drawn"/, query);
    }
    assert.match(await (await fetch(`${origin}/changer/`)).text(), /id="drawn"/);
  });

  it('show in each language that a page without server rendering needs scripts, and link to one that does not', async () => {
    for (const address of ['/changer', '/main?show=media', '/nowhere']) {
      await visit(address, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }, async (page) => {
        const texts = page.locator('noscript section');
        assert.deepEqual(await texts.evaluateAll((all) => all.map((one) => one.getAttribute('lang'))), LOCALES);
        for (const text of await texts.all()) {
          const box = await text.boundingBox();
          assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 844);
        }
      });
    }
    await visit('/changer', { javaScriptEnabled: false }, async (page) => {
      await page.getByRole('link', { name: 'Read the newest posts without JavaScript' }).click();
      await page.locator('article:visible').first().waitFor();
    });
  });

  it('lay out posts far below the window only when they come near, but posts above the post in the address at once', async () => {
    const skipped = async (page: Page) =>
      page.evaluate<number>(`[...document.querySelector('#drawn > div').shadowRoot.querySelectorAll('article')]
        .filter((article) => article.checkVisibility() && !article.checkVisibility({ contentVisibilityAuto: true })).length`);
    for (const address of ['/main', '/channel/alpha']) {
      await visit(address, { javaScriptEnabled: false }, async (page) => {
        assert.ok((await skipped(page)) >= 5);
        // Content that is laid out during scrolling may be higher than estimated, so the end of the page moves.
        await until(
          () =>
            page.evaluate<boolean>(`window.scrollTo(0, document.documentElement.scrollHeight);
              [...document.querySelector('#drawn > div').shadowRoot.querySelectorAll('article')]
                .at(-1).checkVisibility({ contentVisibilityAuto: true })`),
          'the last post is laid out',
        );
      });
    }
    await visit('/channel/alpha?post=12', { javaScriptEnabled: false }, async (page) => {
      assert.equal(await skipped(page), 0);
    });
  });

  it('do not shift when the posts above the post in the address have loaded', async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.addInitScript(SHIFTS);
    await page.goto(`${origin}/channel/alpha?post=12`);
    await waitUntilReplaced(page);
    await page.locator('changer-channel .edge + .stream').waitFor({ state: 'detached' });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const shifts: number = await page.evaluate('window.shifts');
    assert.ok(shifts < 0.001, `moved by ${shifts}`);
    await context.close();
  });

  it('have the tabs at their final position before all tabs have arrived', async () => {
    await visit('/main', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }, async (page) => {
      const tabs = page.locator('#drawn .bottom .tabs > *');
      const tabPositions = () => tabs.evaluateAll((all) => all.slice(0, 2).map((tab) => tab.getBoundingClientRect().toJSON()));
      const all = await tabPositions();
      await tabs.evaluateAll(([, , ...others]) => {
        for (const tab of others) tab.remove();
      });
      assert.equal(await tabs.count(), 2);
      assert.deepEqual(await tabPositions(), all);
    });
  });

  it('have a name at its final position before the line below it has arrived', async () => {
    for (const [address, name, line] of [
      ['/channel/alpha', '.channel-name h1', '.channel-facts'],
      ['/main', '.post-name', '.post-facts'],
    ] as const)
      await visit(address, { javaScriptEnabled: false }, async (page) => {
        const top = () =>
          page
            .locator(name)
            .first()
            .evaluate((each) => each.getBoundingClientRect().top);
        const initialTop = await top();
        await page
          .locator(line)
          .first()
          .evaluate((each) => each.remove());
        assert.ok(Math.abs((await top()) - initialTop) < 0.5, `${name} went from ${await top()} to ${initialTop}`);
      });
  });

  it('use the language of the reader', async () => {
    const response = await fetch(`${origin}/main`, { headers: { 'accept-language': 'de;q=0.9, ar-EG;q=0.8, en;q=0.1' } });
    const html = await response.text();
    assert.match(html, /<html lang="ar" dir="rtl">/);
    assert.match(response.headers.get('vary') ?? '', /Accept-Language/);
    await visit('/main', { locale: 'ar' }, async (page) => {
      await waitUntilReplaced(page);
      assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl');
    });
  });

  it('are never shown to a reader whose own view may differ', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.addInitScript('localStorage.setItem("changer_seen", "1")');
    await page.addInitScript(`new MutationObserver(() => {
      const drawn = document.getElementById('drawn');
      if (drawn !== null && drawn.checkVisibility()) window.seen = true;
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(`${origin}/main`);
    await page.locator('article').first().waitFor();
    assert.equal(await page.evaluate('window.seen'), undefined);
    await context.close();
  });

  it('do not replace the reader’s own posts for a reader with launch data', () =>
    visit(
      `/main#tgWebAppData=${encodeURIComponent(launchData(7, { at: testApp.clock.now }))}&tgWebAppVersion=8.0`,
      {},
      async (page) => {
        await page.locator('changer-feed article[data-key="9/30"]').waitFor();
      },
    ));

  it('stay readable, with their links, if the app does not load', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.route('**/assets/**', (route) => route.abort());
    await page.goto(`${origin}/main`);
    const [first] = await page.evaluate<string[]>(READ_TEXTS);
    assert.match(first ?? '', /Post 30 of/);
    await page.getByRole('link', { name: 'Alpha' }).first().click();
    await page.waitForURL(/\/channel\/alpha/);
    await context.close();
  });

  it('keep the scroll position from before the app loaded', async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/**', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${origin}/main`, { waitUntil: 'commit' });
    await page.locator('#drawn article').nth(6).waitFor();
    await page.evaluate('window.scrollTo(0, 1500)');
    release();
    await waitUntilReplaced(page);
    assert.equal(await page.evaluate('window.scrollY'), 1500);
    await context.close();
  });

  it('contain only public posts, follow changes, and can be cached by shared caches', async () => {
    const request = async (address: string, headers: Record<string, string> = {}) =>
      fetch(origin + address, { headers: { 'accept-language': 'en', ...headers } });
    const first = await request('/channel/2');
    assert.match(first.headers.get('cache-control') ?? '', /public.*s-maxage=30.*stale-while-revalidate/);
    const etag = first.headers.get('etag') ?? '';
    assert.match(await first.text(), /Post 30 of 2\./);
    assert.equal((await request('/channel/2', { 'if-none-match': etag })).status, 304);
    await testApp.store.hidePost('2', 30, NOW);
    testApp.clock.now += 5000;
    const next = await request('/channel/2');
    assert.doesNotMatch(await next.text(), /Post 30 of 2\./);
    for (const address of ['/channel/9', '/main']) assert.doesNotMatch(await (await request(address)).text(), /of 9\.|Closed/);
  });

  it('describe their content in the head, and return 404 if nothing is public', async () => {
    const request = (address: string) => fetch(origin + address, { headers: { 'accept-language': 'en' } });
    const html = await (await request('/channel/alpha?post=12&utm_source=chat')).text();
    assert.match(html, /<title>Post 12 of 1\..* · Alpha<\/title>/);
    assert.match(html, new RegExp(`<link rel="canonical" href="${origin}/channel/alpha\\?post=12">`));
    assert.match(html, /<article [^>]*aria-current="true"/);
    assert.equal(html.match(/<title>/g)?.length, 1);
    const [nothing, closed] = [await request('/channel/nothing'), await request('/channel/9')];
    assert.deepEqual([nothing.status, closed.status], [404, 404]);
    assert.equal((await nothing.text()).replaceAll('nothing', '9'), await closed.text());
    const searched = await (await request('/channel/alpha?q=words')).text();
    assert.match(searched, /<meta name="robots" content="noindex">/);
    assert.doesNotMatch(searched, /id="drawn"/);
  });

  it('never render texts of a post, a channel or a brand as markup', async () => {
    const hostile = `</script><script>document.title='owned'</script></template><img src=x onerror="document.title='owned'"><!--`;
    await testApp.store.putChannel(channel('3', { title: `Gamma ${hostile}`, about: hostile, username: 'gamma' }));
    await testApp.store.putMessages([message('3', 1, hostile, [], NOW)]);
    await visit('/channel/gamma', {}, async (page) => {
      await waitUntilReplaced(page);
      assert.doesNotMatch(await page.title(), /^owned$/);
      assert.equal(await page.locator('img[src="x"]').count(), 0);
    });
    await visit('/channel/gamma', { javaScriptEnabled: false }, async (page) => {
      assert.equal(await page.locator('img[src="x"]').count(), 0);
      assert.match((await page.locator('article').first().textContent()) ?? '', /<\/script><script>/);
    });
  });
});
