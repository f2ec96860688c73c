// Hydration of embedded tags: their code loads only when a visitor uses them, and nothing that a visitor does is lost.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import { isPrerenderRequest, PRERENDERED_TAGS, prerenderedTags } from '../support/prerendered-tags.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

const CHANNEL = 'harbour_gazette_demo';
/** Posts, or rows of the dial, that a tag shows. */
const COUNTS: Readonly<Record<string, number>> = { 'changer-dial': 8, 'changer-post': 1 };
/** Chunks for third-party pages. */
const CODE = /\/assets\/[A-Z0-9]{8}\.js$/;

/** Time from a tap to its effect, ms. It is 300 ms on an idle machine. */
const MAX_TAP_MS = 1000;
const LAST_WORDS = 'It would like its trays back.';

/** Script that runs before any script of the page. */
const RECORDER_SCRIPT = `
  window.moved = [];
  window.told = [];
  window.copied = [];
  for (const type of ['changer-loaded', 'changer-failed', 'changer-post-opened', 'changer-attribute-refused'])
    addEventListener(type, (event) => told.push([type, event.target.localName, event.detail]));
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput, sources }) => { if (!hadRecentInput) window.moved.push([value, ...sources.map(({ node, previousRect, currentRect }) => [node?.outerHTML?.slice(0, 90), previousRect.y, previousRect.height, currentRect.y, currentRect.height])].join(' | ')); })).observe({ type: 'layout-shift', buffered: true });
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
  /** Path of the chunk that the loaders share. */
  let visitChunk: string;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const sources = ['script', 'connect', 'img', 'media', 'style'].map((kind) => `${kind}-src ${server.origin}`);
    policy = {
      'content-security-policy': `default-src 'none'; ${sources.join('; ')}; require-trusted-types-for 'script'; trusted-types 'none'`,
    };
    const { items } = await (await fetch(`${server.origin}/api/channels/${CHANNEL}/posts?limit=1`)).json();
    post = items[0].id;
    const loader = await (await fetch(`${server.origin}/elements/changer-channel.js`)).text();
    for (const [path] of loader.matchAll(/\/assets\/[A-Z0-9]{8}\.js/g))
      if ((await (await fetch(server.origin + path)).text()).includes('modulepreload')) visitChunk = path;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a site with a strict policy. At the end, no line is in the console, and nothing has moved by itself, if `isCalm`. */
  async function open(
    body: string,
    action: (visit: Visit) => Promise<void>,
    { prepare = '', isCalm = true } = {},
  ): Promise<void> {
    const tags = new Set([...body.matchAll(/<(changer-\w+)/g)].map(([, tag]) => tag));
    const scripts = [...tags].map((tag) => `<script type="module" src="${server.origin}/elements/${tag}.js"></script>`);
    const icon = `<link rel="icon" href="${server.origin}/icon.svg">`;
    const site = await startSite(icon + scripts.join('') + body, policy);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
    const page = await context.newPage();
    const lines = listen(page);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.addInitScript(RECORDER_SCRIPT + prepare);
    try {
      await page.goto(site.origin);
      await waitFor(page, `told.length >= ${tags.size}`);
      await action({ page, context, requestedUrls });
      if (!isCalm) return;
      assert.deepEqual(lines, []);
      assert.deepEqual(await page.evaluate('moved'), []);
    } finally {
      await context.close();
      site.stop();
    }
  }

  /** Waits for an expression. The policy of the site forbids `page.waitForFunction` with a text. */
  const waitFor = (page: Page, expression: string) => until(() => page.evaluate<boolean>(expression), expression);
  const channelTag = (attributes = '') => `<changer-channel channel-id="${CHANNEL}" ${attributes}>By hand</changer-channel>`;
  const postTag = (channel: string, id: number, attributes = '') =>
    `<changer-post channel-id="${channel}" post-id="${id}" ${attributes}></changer-post>`;
  const isHydrated = (page: Page, tag: string) =>
    page.evaluate((name) => {
      const root = document.querySelector(name)?.shadowRoot;
      return root?.querySelector('.drawn') === null && root.querySelector('article, .row') !== null;
    }, tag);
  const waitUntilHydrated = (page: Page, tag = 'changer-channel') =>
    until(() => isHydrated(page, tag), 'the page of the tag is mounted');
  /** Requests for the code of a tag: all chunks except the one that the loaders share. */
  const codeRequests = (urls: readonly string[]) => urls.filter((url) => CODE.test(url) && !url.endsWith(visitChunk));
  const idle = async (page: Page) => {
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
    await page.waitForLoadState('networkidle');
  };
  const eventTypes = (page: Page) => page.evaluate<string[]>('told.map(([type]) => type)');
  const article = (page: Page, index: number) => page.locator('changer-channel article').nth(index);
  const SAVE_DATA = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } });`;

  it('loads none of its code without a visitor, in five tags', async () => {
    const tags = Object.values(prerenderedTags(CHANNEL, post));
    await open(tags.join(''), async ({ page, requestedUrls }) => {
      await idle(page);
      assert.deepEqual(codeRequests(requestedUrls), []);
      assert.equal(requestedUrls.filter(isPrerenderRequest).length, tags.length);
      assert.deepEqual(
        requestedUrls.filter((url) => url.endsWith('.css')),
        [],
      );
      const told = await page.evaluate<[string, string, { count: number }][]>('told');
      assert.deepEqual(
        told.map(([type, tag, { count }]) => `${type} ${tag} ${count}`).sort(),
        PRERENDERED_TAGS.map((tag) => `changer-loaded ${tag} ${COUNTS[tag] ?? 5}`),
      );
    });
  });

  it('copies a link at the first tap, once, and loads each chunk once', async () => {
    await open(channelTag(), async ({ page, requestedUrls }) => {
      await article(page, 1).getByRole('button', { name: 'Copy link' }).click();
      await waitFor(page, 'copied.length > 0');
      await waitUntilHydrated(page);
      await idle(page);
      assert.equal(await page.evaluate('copied.length'), 1);
      const key = await article(page, 1).getAttribute('data-key');
      assert.ok((await page.evaluate<string>('copied[0]')).endsWith(`?post=${key?.split('/')[1]}`));
      assert.deepEqual(codeRequests(requestedUrls), [...new Set(codeRequests(requestedUrls))]);
      assert.deepEqual(await eventTypes(page), ['changer-loaded']);
    });
  });

  it('acts within 300 ms of a tap if its code is in the cache', async (t) => {
    await open(channelTag(), async ({ page }) => {
      await article(page, 0).hover();
      await idle(page);
      const time = await page.evaluate(async () => {
        const root = document.querySelector('changer-channel')?.shadowRoot;
        const button = root?.querySelector<HTMLElement>('[aria-label="Copy link"]');
        const copied = Reflect.get(window, 'copied') as string[];
        const start = performance.now();
        for (const type of ['pointerdown', 'pointerup'])
          button?.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true }));
        button?.click();
        while (copied.length === 0 && performance.now() - start < 10_000) await new Promise((resolve) => setTimeout(resolve, 5));
        return performance.now() - start;
      });
      t.diagnostic(`${Math.round(time)} ms`);
      assert.ok(time < MAX_TAP_MS, `${time} ms`);
    });
  });

  for (const key of ['Enter', 'Space'])
    it(`acts on ${key}, and keeps the focus on the same control`, async () => {
      await open(channelTag(), async ({ page }) => {
        const button = article(page, 2).getByRole('button', { name: 'Copy link' });
        await button.focus();
        await page.keyboard.press(key);
        await waitFor(page, 'copied.length > 0');
        await waitUntilHydrated(page);
        await idle(page);
        assert.equal(await page.evaluate('copied.length'), 1);
        assert.equal(await button.evaluate((element: HTMLElement) => element.matches(':focus')), true);
      });
    });

  it('follows links natively, dispatches the event, and lets the site handle it instead', async () => {
    await open(
      channelTag(),
      async ({ page, context, requestedUrls }) => {
        let opened = 0;
        context.on('page', () => opened++);
        const link = article(page, 0).locator('.post-facts a').first();
        const url = await link.evaluate((a: HTMLAnchorElement) => a.href);
        await page.evaluate(() => addEventListener('changer-post-opened', (event) => event.preventDefault(), { once: true }));
        await link.click();
        const detail = {
          channelId: url.split('/').at(-1) && '1000000001',
          postId: Number(new URL(url).searchParams.get('post')),
          url,
        };
        assert.deepEqual(await page.evaluate('told.at(-1)'), ['changer-post-opened', 'changer-channel', detail]);
        assert.equal(opened, 0);
        for (const modifiers of [[], ['Control']] as const) {
          const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: [...modifiers] })]);
          await tab.close();
        }
        assert.deepEqual([opened, await isHydrated(page, 'changer-channel')], [2, false]);
        assert.deepEqual((await eventTypes(page)).filter((type) => type === 'changer-post-opened').length, 3);
        assert.equal(
          requestedUrls.some((each) => each.includes('/api/')),
          false,
        );
      },
      { prepare: SAVE_DATA },
    );
  });

  it('opens a photo in the viewer at the first tap', async () => {
    await open(channelTag(), async ({ page, context }) => {
      let opened = 0;
      context.on('page', () => opened++);
      await page.locator('changer-channel a.open').first().click();
      await page.locator('changer-channel dialog').first().waitFor();
      await idle(page);
      assert.equal(await page.locator('changer-channel dialog[open]').count(), 1);
      assert.equal(opened, 0);
    });
  });

  it('opens a photo like a normal link if its code does not load', async () => {
    await open(
      channelTag(),
      async ({ page, context }) => {
        await page.mouse.move(200, 400);
        await idle(page);

        await context.route(CODE, (route) =>
          route.request().url().endsWith(visitChunk)
            ? route.continue()
            : route.fulfill({ status: 200, contentType: 'text/javascript', body: 'throw new Error("broken")' }),
        );
        const [tab] = await Promise.all([context.waitForEvent('page'), page.locator('changer-channel a.open').first().click()]);
        assert.match(tab.url(), /\/media\/|about:blank/);
        await context.unrouteAll();
      },
      { prepare: SAVE_DATA },
    );
  });

  it('shows the rest of a long text without its code, and keeps it open', async () => {
    await open(
      `${postTag(CHANNEL, 23)}`,
      async ({ page, requestedUrls }) => {
        const tag = page.locator('changer-post');
        const height = () => tag.locator('article').evaluate((element) => element.getBoundingClientRect().height);
        const lastLine = tag.getByText(LAST_WORDS).locator('visible=true');
        const folded = await height();
        assert.equal(await lastLine.count(), 0);
        await tag.locator('.more').click();
        await lastLine.waitFor();
        assert.equal(await lastLine.count(), 1);
        assert.equal(await isHydrated(page, 'changer-post'), false);
        assert.equal(
          requestedUrls.some((each) => each.includes('/api/')),
          false,
        );
        const open = await height();
        assert.ok(open > folded);
        await tag.getByRole('button', { name: 'Copy link' }).click();
        await waitUntilHydrated(page, 'changer-post');
        await waitFor(page, 'copied.length > 0');
        assert.equal(await lastLine.count(), 1);
        assert.equal(await tag.getByRole('button', { name: 'Show less' }).count(), 1);
        await tag.getByRole('button', { name: 'Show less' }).click();
        assert.equal(await height(), folded);
      },
      { prepare: SAVE_DATA },
    );
  });

  for (const [channel, id, selector] of [
    ['orchard_university_demo', 667, 'audio[controls][preload=none]'],
    ['night_sky_demo', 221, 'audio[controls][preload=none]'],
    ['cine_lanterne_demo', 72, 'video[controls][preload=none][poster]'],
    ['tram_five_demo', 882, 'video[controls][preload=none][poster]'],
    ['harbour_gazette_demo', 48, '.fold'],
    ['orchard_university_demo', 659, '.fold'],
  ] as const)
    it(`has native controls, in the space of its own: ${channel}/${id}`, async () => {
      await open(postTag(channel, id), async ({ page, requestedUrls }) => {
        const measure = () => page.locator('changer-post article').evaluate((element) => element.getBoundingClientRect().height);
        assert.equal(await page.locator(`changer-post ${selector}`).count(), 1);
        const height = await measure();
        assert.equal(
          requestedUrls.some((each) => /\.(mp3|ogg|opus|mp4|webm)/.test(each)),
          false,
        );
        await page.locator('changer-post').getByRole('button', { name: 'Copy link' }).click();
        await waitUntilHydrated(page, 'changer-post');
        assert.equal(await measure(), height);
      });
    });

  it('sends a search that the reader typed before its code loaded', async () => {
    await open(
      channelTag(),
      async ({ page }) => {
        await page.locator('changer-channel input[type=search]').click();
        await page.keyboard.type('ferry');
        await page.keyboard.press('Enter');
        await waitUntilHydrated(page);
        await page.locator('changer-channel mark').first().waitFor();
        assert.equal(await page.locator('changer-channel input[type=search]').inputValue(), 'ferry');
      },
      { isCalm: false },
    );
  });

  it('flips the dial at the first tap', async () => {
    await open('<changer-dial></changer-dial>', async ({ page }) => {
      const name = page.locator('changer-dial .card h2').first();
      const before = await name.textContent();
      await page.locator('changer-dial').getByRole('button', { name: 'Next channel' }).click();
      await until(async () => (await name.textContent()) !== before, 'the next channel is shown');
      await waitUntilHydrated(page, 'changer-dial');
    });
  });

  it('loads its code near the end of its list, and then more posts', async () => {
    await open(channelTag(), async ({ page }) => {
      await page.mouse.move(200, 400);
      await page.mouse.wheel(0, 100);
      await idle(page);
      assert.equal(await isHydrated(page, 'changer-channel'), false);
      for (let step = 0; step < 40 && !(await isHydrated(page, 'changer-channel')); step++) await page.mouse.wheel(0, 600);
      await waitUntilHydrated(page);
      await until(async () => {
        await page.mouse.wheel(0, 600);
        return (await page.locator('changer-channel article[aria-posinset="21"]').count()) > 0;
      }, 'more posts are shown');
    });
  });

  it('requests its code ahead for a visitor, but not for one who saves data', async () => {
    for (const prepare of ['', SAVE_DATA])
      await open(
        channelTag(),
        async ({ page, requestedUrls }) => {
          await page.mouse.move(200, 400);
          await idle(page);
          await idle(page);
          assert.equal(codeRequests(requestedUrls).length > 0, prepare === '');
          assert.equal(await isHydrated(page, 'changer-channel'), false);
        },
        { prepare },
      );
  });

  for (const mode of ['load', 'idle', 'visible'])
    it(`loads its code by itself with hydrate="${mode}"`, async () => {
      const space = mode === 'visible' ? '<svg height="3000"></svg>' : '';
      await open(space + channelTag(`hydrate="${mode}"`), async ({ page, requestedUrls }) => {
        if (mode === 'visible') {
          await idle(page);
          assert.deepEqual(codeRequests(requestedUrls), []);
          await page.evaluate(() => scrollTo(0, 2500));
        }
        await waitUntilHydrated(page);
        assert.deepEqual(await eventTypes(page), ['changer-loaded']);
      });
    });

  it('refuses an unknown value of hydrate when its code loads', async () => {
    await open(channelTag('hydrate="never"'), async ({ page, requestedUrls }) => {
      await idle(page);
      assert.deepEqual(codeRequests(requestedUrls), []);
      await article(page, 0).getByRole('button', { name: 'Copy link' }).click();
      await waitUntilHydrated(page);
      const expected = 'load or idle or visible or interaction';
      assert.deepEqual(await page.evaluate('told[1]'), [
        'changer-attribute-refused',
        'changer-channel',
        { attribute: 'hydrate', value: 'never', expected },
      ]);
    });
  });

  it('applies attributes and properties before its code loads', async () => {
    await open(
      channelTag('theme="light"'),
      async ({ page, requestedUrls }) => {
        const look = () =>
          page.locator('changer-channel').evaluate((tag) => {
            const [name, root] = [tag.shadowRoot?.querySelector('h1 a'), tag.shadowRoot?.querySelector('.root')];
            if (!name || !root) throw new Error('nothing is shown');
            return [
              getComputedStyle(root).backgroundColor,
              getComputedStyle(root).direction,
              getComputedStyle(root).getPropertyValue('--brand'),
            ];
          });
        const [light] = await look();
        await page
          .locator('changer-channel')
          .evaluate((tag) => Object.assign(tag, { theme: 'dark', dir: 'rtl', accent: '#0f6f67' }));
        const [dark, direction, brand] = await look();
        assert.notEqual(dark, light);
        assert.deepEqual([direction, brand], ['rtl', '#0f6f67']);
        await page.locator('changer-channel').evaluate((tag) => Object.assign(tag, { limit: 3, channelId: 'night_sky_demo' }));
        await waitFor(page, 'told.length > 1');
        assert.deepEqual(await page.evaluate('told.at(-1)'), ['changer-loaded', 'changer-channel', { count: 3 }]);
        assert.equal(await page.locator('changer-channel h1').textContent(), 'Night Sky');
        assert.deepEqual(codeRequests(requestedUrls), []);
        await page.locator('changer-channel').evaluate((tag) => tag.setAttribute('hydrate', 'load'));
        await waitUntilHydrated(page);
        const values = await page
          .locator('changer-channel')
          .evaluate((tag) => ['theme', 'limit', 'channelId'].map((name) => Reflect.get(tag, name)));
        assert.deepEqual(values, ['dark', 3, 'night_sky_demo']);
      },
      { isCalm: false },
    );
  });

  it('starts when it is added to the document later', async () => {
    await open(channelTag(), async ({ page, requestedUrls }) => {
      await page.evaluate(() =>
        document.body.append(Object.assign(document.createElement('changer-channel'), { channelId: 'night_sky_demo', limit: 2 })),
      );
      await waitFor(page, 'told.length === 2');
      assert.equal(await page.locator('changer-channel').nth(1).locator('article').count(), 2);
      assert.deepEqual(codeRequests(requestedUrls), []);
    });
  });

  it('loads its code at once for a private channel', async () => {
    await open(
      channelTag() + channelTag('grant="a.b.c"'),
      async ({ page, requestedUrls }) => {
        await until(async () => codeRequests(requestedUrls).length > 0, 'the code is requested');
        await idle(page);
        assert.equal(await isHydrated(page, 'changer-channel'), false);
      },
      { isCalm: false },
    );
  });

  it('is refreshed when the page becomes visible again, at most once a minute', async () => {
    await open(
      channelTag(),
      async ({ page, requestedUrls }) => {
        const show = (state: string) =>
          page.evaluate((value) => {
            Object.defineProperty(document, 'visibilityState', { value, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
          }, state);
        const prerenders = () => requestedUrls.filter(isPrerenderRequest).length;
        await page.mouse.wheel(0, 1);
        await show('hidden');
        await show('visible');
        await idle(page);
        assert.equal(prerenders(), 1);
        await page.evaluate(() => {
          const now = Date.now;
          Date.now = () => now() + 61_000;
        });
        await article(page, 1).evaluate((element) => element.setAttribute('data-mine', ''));
        await show('visible');
        // The browser validates its copy, and then reads it.
        const unchanged = 3;
        await until(async () => prerenders() === unchanged, 'the content is read again');
        await idle(page);
        assert.equal(await article(page, 1).getAttribute('data-mine'), '', 'unchanged HTML stays');
        assert.equal(prerenders(), unchanged);
        await show('visible');
        await idle(page);
        assert.equal(prerenders(), unchanged);
        // The response now has another text in the second post, and a new post above it.
        await page.route(/elements\/drawn/, async (route) => {
          const response = await route.fetch();
          const [before = '', first = '', ...rest] = (await response.text()).split('<article');
          const added = first.replace(/data-key="[^"]*"/, 'data-key="1000000001/9999"');
          await route.fulfill({ response, body: [before, added, first, ...rest].join('<article') });
        });
        const focused = article(page, 3).locator('.post-facts a').first();
        await page.evaluate(() => scrollTo(0, 1500));
        const position = await page.evaluate(() => {
          const root = document.querySelector('changer-channel')?.shadowRoot;
          const seen = [...(root?.querySelectorAll('article') ?? [])].find((each) => each.getBoundingClientRect().bottom > 0);
          return [seen?.getAttribute('data-key'), seen?.getBoundingClientRect().top] as const;
        });
        await page.evaluate(() => {
          const now = Date.now;
          Date.now = () => now() + 61_000;
        });
        await show('visible');
        await until(async () => (await page.locator('[data-key="1000000001/9999"]').count()) === 1, 'the new post is shown');
        const top = await page.locator(`[data-key="${position[0]}"]`).evaluate((element) => element.getBoundingClientRect().top);
        // Browsers scroll by whole pixels of the device.
        assert.ok(Math.abs(top - (position[1] ?? Number.NaN)) < 1, `${top} instead of ${position[1]}`);
        assert.equal(await isHydrated(page, 'changer-channel'), false);
        assert.ok(await focused.count());
        await page.unrouteAll();
      },
      { prepare: SAVE_DATA },
    );
  });
});
