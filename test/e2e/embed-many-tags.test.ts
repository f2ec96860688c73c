// Many embedded tags on a page: concurrency limit and lazy loading.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, listen, type Page } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

const TAG_COUNT = 300;
/** More tags than those that load at once, and than those within five windows. */
const MAX_LOADED = 70;
const TAGS = ['changer-channel', 'changer-post'] as const;

describe('many tags on a page', () => {
  let server: RunningServer;
  let browser: Browser;
  let posts: { readonly channelId: string; readonly id: number }[];

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    posts = (await (await fetch(`${server.origin}/api/feed?limit=100`)).json()).items;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a site with this many tags, each in its own box. */
  async function open(tag: string, count: number, attributes: string, style: string, action: (page: Page) => Promise<void>) {
    const tags = Array.from({ length: count }, (_, at) => {
      const { channelId, id } = posts[at % posts.length] ?? { channelId: '', id: 0 };
      return `<div><${tag} channel-id="${channelId}" post-id="${id}" hydrate="load" ${attributes}></${tag}></div>`;
    });
    const script = `<script type="module" src="${server.origin}/elements/${tag}.js"></script>`;
    const site = await startSite(`<link rel="icon" href="data:,"><style>${style}</style>${script}${tags.join('')}`);
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 800 } })).newPage();
    const consoleLines = listen(page);
    try {
      await page.goto(site.origin, { waitUntil: 'commit' });
      await action(page);
      assert.deepEqual(consoleLines, []);
    } finally {
      await page.context().close();
      site.stop();
    }
  }

  /** Waits until all tags within the window show posts. */
  const shownInWindow = (page: Page, tag: string) =>
    page.waitForFunction((name) => {
      const tags = [...document.querySelectorAll(name)].filter((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return top < innerHeight && bottom > 0;
      });
      return tags.length > 0 && tags.every((each) => each.shadowRoot?.querySelector('article'));
    }, tag);

  /** Waits until the tag at this index shows its posts without scrolling. */
  const showsPosts = (page: Page, tag: string, at: number) =>
    page.waitForFunction(
      ([name, index]) => document.querySelectorAll(name)[index]?.shadowRoot?.querySelector('.root:not(.drawn) article'),
      [tag, at] as const,
    );

  const loadedIndexes = (page: Page, tag: string) =>
    page.evaluate(
      (name) => [...document.querySelectorAll(name)].flatMap((each, at) => (each.shadowRoot?.querySelector('.root') ? [at] : [])),
      tag,
    );

  for (const tag of TAGS)
    it(`loads tags far from the window only when they come near: ${tag}`, async (t) => {
      await open(tag, TAG_COUNT, '', '', async (page) => {
        await shownInWindow(page, tag);
        t.diagnostic(`posts in the window after ${Math.round(await page.evaluate(() => performance.now()))} ms`);
        await showsPosts(page, tag, 9);
        await page.waitForLoadState('networkidle');
        assert.ok(
          (await loadedIndexes(page, tag)).length <= MAX_LOADED,
          `${(await loadedIndexes(page, tag)).length} have loaded`,
        );
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await showsPosts(page, tag, TAG_COUNT - 1);
        await shownInWindow(page, tag);
        assert.ok(
          (await loadedIndexes(page, tag)).length <= 2 * MAX_LOADED,
          `${(await loadedIndexes(page, tag)).length} have loaded`,
        );
      });
    });

  it('loads all tags at once with loading="eager"', () =>
    open('changer-post', 40, 'loading="eager"', 'div { min-height: 100vh }', async (page) => {
      // The tags load in no fixed order, so each one is waited for.
      for (let at = 0; at < 40; at++) await showsPosts(page, 'changer-post', at);
      assert.equal((await loadedIndexes(page, 'changer-post')).length, 40);
    }));

  it('loads the first ten tags wherever they are, also if they are hidden', () =>
    open('changer-post', 11, '', 'div { min-height: 9000px } changer-post { display: none }', async (page) => {
      await showsPosts(page, 'changer-post', 9);
      await page.waitForLoadState('networkidle');
      assert.equal((await loadedIndexes(page, 'changer-post')).length, 10);
    }));

  it('loads a tag without layout only when it is laid out', () =>
    open('changer-post', 20, '', 'div:nth-of-type(n+15) { display: none }', async (page) => {
      await showsPosts(page, 'changer-post', 13);
      await page.waitForLoadState('networkidle');
      assert.deepEqual((await loadedIndexes(page, 'changer-post')).at(-1), 13);
      await page.evaluate(() =>
        document.querySelector<HTMLElement>('div:nth-of-type(20)')?.style.setProperty('display', 'block'),
      );
      await showsPosts(page, 'changer-post', 19);
      assert.deepEqual((await loadedIndexes(page, 'changer-post')).slice(-2), [13, 19]);
    }));

  it('loads a tag that has no box of its own', () =>
    open('changer-post', 20, '', 'changer-post:nth-of-type(1) { display: contents }', (page) =>
      showsPosts(page, 'changer-post', 19).then(() => {}),
    ));

  it('loads the next tag after one is removed', () =>
    open('changer-post', 12, '', 'div { min-height: 9000px }', async (page) => {
      await showsPosts(page, 'changer-post', 9);
      await page.evaluate(async () => {
        const [first, , last] = [0, 0, 11].map((at) => document.querySelectorAll('div')[at]);
        first?.remove();
        // A removed tag is disconnected in a microtask.
        await Promise.resolve();
        if (last !== undefined) document.body.append(last);
      });
      await showsPosts(page, 'changer-post', 10);
    }));
});
