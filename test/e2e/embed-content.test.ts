// Content of embedded tags: attributes, events, slots, parts and errors.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { type Browser, launchBrowser, type Page } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

/** Script that records the events of tags, and layout shifts. */
const RECORDER_SCRIPT = `<script>
  window.told = [];
  for (const type of ['changer-loaded', 'changer-failed', 'changer-post-opened', 'changer-attribute-refused'])
    addEventListener(type, (event) => told.push([type, event.target.localName, event.detail]));
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.moved += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
</script>`;

type RecordedEvent = readonly [type: string, tag: string, detail: Readonly<Record<string, unknown>>];

const recordedEvents = async (page: Page): Promise<RecordedEvent[]> => (await page.evaluate('told')) as RecordedEvent[];

describe('the content of a tag', () => {
  let server: RunningServer;
  let browser: Browser;
  let channel: string;
  let post: { readonly id: number; readonly text: string };

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    channel = items[0].id;
    const page = await (await fetch(`${server.origin}/api/channels/${channel}/posts`)).json();
    post = page.items.find(({ text, service }: { text: string; service?: unknown }) => text !== '' && service === undefined);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  const script = (tag: string) => `<script type="module" src="${server.origin}/elements/${tag}.js"></script>`;

  async function open(
    body: string,
    action: (page: Page) => Promise<void>,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<void> {
    const site = await startSite(RECORDER_SCRIPT + body);
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 800 } })).newPage();
    try {
      await prepare?.(page);
      await page.goto(site.origin, { waitUntil: 'domcontentloaded' });
      await action(page);
    } finally {
      await page.context().close();
      site.stop();
    }
  }

  /** Creates a gate that holds responses of the API until it is opened. */
  function createGate(): { hold(page: Page): Promise<void>; open(): void } {
    let openGate = () => {};
    const gateOpened = new Promise<void>((done) => (openGate = done));
    const wait = async (route: Route) => {
      await gateOpened;
      await route.continue();
    };
    return {
      async hold(page) {
        await page.route(`${server.origin}/elements/drawn/**`, (route) => route.fulfill({ status: 204 }));
        await page.route(`${server.origin}/api/**`, wait);
      },
      open: openGate,
    };
  }

  for (const [tag, attributes] of [
    ['changer-channel', () => `channel-id="${channel}"`],
    ['changer-feed', () => `channels="${channel}"`],
    ['changer-dial', () => ''],
    ['changer-post', () => `channel-id="${channel}" post-id="${post.id}"`],
  ] as const) {
    it(`shows the children until the content is rendered, then dispatches an event: ${tag}`, async () => {
      const responses = createGate();
      await open(
        `${script(tag)}<${tag} ${attributes()}><p>By hand</p></${tag}>`,
        async (page) => {
          await page.waitForFunction((name) => customElements.get(name) !== undefined, tag);
          await page.locator(`${tag} .bones, ${tag} .card-skeleton`).first().waitFor({ state: 'attached' });
          assert.ok(await page.getByText('By hand').isVisible());
          assert.equal(await page.locator(`${tag} .root`).isVisible(), false);
          assert.deepEqual(await recordedEvents(page), []);
          responses.open();
          await page.waitForFunction('told.length > 0');
          const [[type, from, { count }] = ['', '', {}], ...others] = await recordedEvents(page);
          assert.deepEqual([type, from, others], ['changer-loaded', tag, []]);
          assert.ok(typeof count === 'number' && count > 0);
          assert.equal(await page.getByText('By hand').isVisible(), false);
          assert.equal(await page.locator(`${tag} .root`).isVisible(), true);
        },
        responses.hold,
      );
    });
  }

  it('does not shift the content below if the site reserves the space', async () => {
    const responses = createGate();
    await open(
      `<style>changer-channel { display: block; min-block-size: 100vh }</style>${script('changer-channel')}
       <h1>A site</h1><changer-channel channel-id="${channel}"><p>By hand</p></changer-channel><p id="below">Below</p>`,
      async (page) => {
        await page.locator('changer-channel .bones').first().waitFor({ state: 'attached' });
        responses.open();
        await page.locator('changer-channel article').first().waitFor();
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
        assert.equal(await page.evaluate('moved'), 0);
      },
      responses.hold,
    );
  });

  it('shows a post by its channel and number, with a link to the channel', async () => {
    await open(
      `${script('changer-post')}<changer-post channel-id="${channel}" post-id="${post.id}"></changer-post>`,
      async (page) => {
        const article = page.locator('changer-post article');
        await article.waitFor();
        assert.equal(await page.locator('changer-post article').count(), 1);
        assert.ok((await article.textContent())?.includes(post.text.slice(0, 40).split('\n')[0] ?? ''));
        const links = await article.locator('header a').evaluateAll((found) => found.map((a) => (a as HTMLAnchorElement).href));
        assert.ok(links.every((href) => href.startsWith(`${server.origin}/channel/`)));
        assert.ok(links.some((href) => href.endsWith(`?post=${post.id}`)));
        await page.waitForFunction(() => Reflect.get(window, 'told').length > 0);
        const requestedPaths = await page.evaluate(() =>
          performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
        );
        assert.deepEqual(
          requestedPaths.filter((path) => /^\/(api|elements\/drawn)\//.test(path)),
          ['/elements/drawn/changer-post'],
        );
      },
    );
  });

  it('shows a notice, or the children of the tag, if the post does not exist', async () => {
    const tag = (children: string) => `<changer-post channel-id="${channel}" post-id="999999999">${children}</changer-post>`;
    await open(`${script('changer-post')}${tag('')}${tag('<p>By hand</p>')}`, async (page) => {
      await page.waitForFunction('told.length === 2');
      assert.deepEqual(
        (await recordedEvents(page)).map(([type, from, detail]) => [type, from, detail.message]),
        Array(2).fill(['changer-failed', 'changer-post', 'There is no such post here']),
      );
      assert.ok(await page.getByRole('heading', { name: 'Post not found' }).isVisible());
      assert.equal(await page.getByRole('heading').count(), 1);
      assert.ok(await page.getByText('By hand').isVisible());
    });
  });

  it('keeps the children and reports the reason if EMBED_ORIGINS does not include the site', async () => {
    const strict = await startServer({ env: { EMBED_ORIGINS: 'https://city.example' } });
    const tag = `<changer-feed><p>By hand</p></changer-feed>`;
    try {
      await open(`<script type="module" src="${strict.origin}/elements/changer-feed.js"></script>${tag}`, async (page) => {
        await page.waitForFunction('told.length === 1');
        const [[type, , { message }] = ['', '', {}]] = await recordedEvents(page);
        assert.equal(type, 'changer-failed');
        assert.equal(message, `${new URL(page.url()).origin} is not allowed to show these channels.`);
        assert.ok(await page.getByText('By hand').isVisible());
      });
    } finally {
      await strict.stop();
    }
  });

  it('renders changed attributes, and dispatches the event again', async () => {
    await open(
      `${script('changer-post')}<changer-post channel-id="${channel}" post-id="999999999"></changer-post>`,
      async (page) => {
        await page.waitForFunction('told.length === 1');
        await page.evaluate((id) => document.querySelector('changer-post')?.setAttribute('post-id', id), String(post.id));
        await page.waitForFunction('told.length === 2');
        assert.deepEqual((await recordedEvents(page)).at(-1), ['changer-loaded', 'changer-post', { count: 1 }]);
        await page.locator('changer-post article').waitFor();
      },
    );
  });

  it('dispatches an event when a reader opens a post, and lets the page handle it instead', async () => {
    const tag = `<changer-channel channel-id="${channel}" hydrate="load"></changer-channel>`;
    await open(script('changer-channel') + tag, async (page) => {
      await page.waitForFunction('told.length > 0');
      const link = page.locator('changer-channel .root:not(.drawn) article .post-facts a').first();
      const url = await link.evaluate((a) => (a as HTMLAnchorElement).href);
      await page.evaluate(() => addEventListener('changer-post-opened', (event) => event.preventDefault(), { once: true }));
      let opened = 0;
      page.context().on('page', () => opened++);
      await link.click();
      const [type, , detail] = (await recordedEvents(page)).at(-1) ?? ['', '', {}];
      assert.equal(type, 'changer-post-opened');
      assert.deepEqual(detail, { channelId: channel, postId: Number(new URL(url).searchParams.get('post')), url });
      assert.equal(opened, 0);
      const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      assert.equal(tab.url() === url || tab.url() === 'about:blank', true);
      assert.equal(opened, 1);
    });
  });

  it('keeps its scroll position and sends no requests when it is moved in the document', async () => {
    const tallBlock = '<div style="height: 400px"></div>';
    await open(
      `${script('changer-channel')}<div class="place">${tallBlock}<changer-channel channel-id="${channel}" hydrate="load"></changer-channel></div><div class="place"></div>`,
      async (page) => {
        await page.locator('changer-channel .root:not(.drawn) article').nth(5).waitFor();
        await page.waitForLoadState('networkidle');
        await page
          .locator('changer-channel .link.more, changer-channel article')
          .first()
          .evaluate((element) => element.setAttribute('data-mine', ''));
        const after = await page.evaluate(async () => {
          const tag = document.querySelector('changer-channel');
          const [a, b] = document.querySelectorAll('.place');
          if (tag === null || a === undefined || b === undefined) throw new Error('no tag');
          scrollTo(0, 900);
          const requestCount = performance.getEntriesByType('resource').length;
          const first = tag.shadowRoot?.querySelector('[data-mine]');
          const keepsChild: Record<string, boolean> = {};
          for (const method of ['insertBefore', 'append', 'fragment', 'replaceChildren', 'moveBefore']) {
            if (method === 'insertBefore') b.insertBefore(tag, null);
            if (method === 'append') a.append(tag);
            if (method === 'replaceChildren') b.replaceChildren(tag);
            if (method === 'moveBefore') a.moveBefore(tag, null);
            if (method === 'fragment') {
              const fragment = document.createDocumentFragment();
              fragment.append(tag);
              a.append(fragment);
            }
            await new Promise((next) => setTimeout(next));
            keepsChild[method] = tag.shadowRoot?.querySelector('[data-mine]') === first;
          }
          return { kept: keepsChild, more: performance.getEntriesByType('resource').length - requestCount, at: scrollY };
        });
        assert.deepEqual(after, {
          kept: { insertBefore: true, append: true, fragment: true, replaceChildren: true, moveBefore: true },
          more: 0,
          at: 900,
        });
        assert.equal((await recordedEvents(page)).length, 1);
      },
    );
  });

  /** Properties of a part that the style sheet of a site could change. */
  const LOOK_PROPERTIES = [
    'fontSize',
    'fontFamily',
    'lineHeight',
    'letterSpacing',
    'textTransform',
    'color',
    'direction',
    'textAlign',
    'display',
    'fontWeight',
  ] as const;

  it('looks the same whatever the site’s style sheets say', async () => {
    const tag = `<changer-post channel-id="${channel}" post-id="${post.id}" theme="light"></changer-post>`;
    const measureLook = async (styles: string) => {
      let seen: unknown;
      await open(
        `<style>body { margin: 0 } ${styles}</style>${script('changer-post')}<div style="display: block; width: 600px">${tag}</div>`,
        async (page) => {
          await page.locator('changer-post article .text').waitFor();
          seen = await page.locator('changer-post').evaluate(
            (element, looks) =>
              ['article', '.post-name a', '.text', '.post-facts', '.icon-button'].map((selector) => {
                const part = element.shadowRoot?.querySelector(selector);
                if (!part) throw new Error(selector);
                const computed = getComputedStyle(part);
                const { width, height } = part.getBoundingClientRect();
                return { selector, looks: looks.map((look) => computed[look]), width, height };
              }),
            LOOK_PROPERTIES,
          );
        },
      );
      return seen;
    };
    const plain = await measureLook('');
    for (const styles of [
      '* { all: unset }',
      'html { font-size: 62.5% }',
      'div, article, header, p, a, button, time, span { display: none } body > div { display: block }',
      'body { line-height: 4; letter-spacing: 9px; text-transform: uppercase; direction: rtl; text-align: center; color: red; font: 700 40px serif; word-spacing: 9px; white-space: pre; visibility: visible; cursor: wait; text-indent: 4em }',
      ':root { --text: red; --surface: red; --size-body: 90px; --space: 9 }',
    ])
      assert.deepEqual(await measureLook(styles), plain, styles);
  });

  it('applies colours and sizes of the site by properties and parts, and leaks no styles to the site', async () => {
    await open(
      `<style>changer-post { --changer-surface: rgb(1, 2, 3) } changer-post::part(post-body) { color: rgb(4, 5, 6) }</style>
       ${script('changer-post')}<p class="post text">Mine</p>
       ${['', ' density="compact"'].map((more) => `<changer-post channel-id="${channel}" post-id="${post.id}"${more}></changer-post>`).join('')}`,
      async (page) => {
        await page.waitForFunction('told.length === 2');
        const [normal, dense] = await page.locator('changer-post article').evaluateAll((found) =>
          found.map((article) => {
            const { backgroundColor, paddingTop, fontSize } = getComputedStyle(article);
            const body = article.querySelector('[part=post-body]');
            return {
              backgroundColor,
              room: Number.parseFloat(paddingTop),
              fontSize,
              color: body && getComputedStyle(body).color,
            };
          }),
        );
        assert.equal(normal?.backgroundColor, 'rgb(1, 2, 3)');
        assert.equal(normal?.color, 'rgb(4, 5, 6)');
        assert.ok((dense?.room ?? 99) < (normal?.room ?? 0));
        assert.equal(dense?.fontSize, normal?.fontSize);
        const { marginTop, backgroundColor } = await page.locator('p.post').evaluate((p) => getComputedStyle(p));
        assert.deepEqual([marginTop, backgroundColor], ['16px', 'rgba(0, 0, 0, 0)']);
        const parts = await page
          .locator('changer-post')
          .first()
          .evaluate((tag) => [
            ...new Set([...(tag.shadowRoot?.querySelectorAll('[part]') ?? [])].map((each) => each.getAttribute('part'))),
          ]);
        for (const part of ['post', 'post-head', 'post-body', 'actions']) assert.ok(parts.includes(part), part);
      },
    );
  });
});
