// Tags in frameworks: React, Preact, Vue, Svelte, Solid, Lit and Angular.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { build, type Plugin } from 'esbuild';
import { compile, compileModule } from 'svelte/compiler';
import type { Shown, Start } from '../frameworks/app.d.ts';
import { type Browser, launchBrowser, type Page } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

const FRAMEWORKS = ['react', 'preact', 'vue', 'svelte', 'solid', 'lit', 'angular'];

const svelte: Plugin = {
  name: 'svelte',
  setup(bundler) {
    bundler.onLoad({ filter: /\.svelte(\.js)?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const options = { filename: path, generate: 'client', dev: false } as const;
      return { contents: (path.endsWith('.js') ? compileModule : compile)(source, options).js.code };
    });
  },
};

async function bundle(framework: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`test/frameworks/${framework}.js`],
    bundle: true,
    format: 'esm',
    write: false,
    minify: true,
    conditions: ['browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
    plugins: [svelte],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

declare global {
  interface Window {
    /** Starts the app of the framework under test, or updates its data. */
    show(shown: Shown): Promise<void>;
    start: Start;
    /** Returns the id of a tag, regardless of the spelling of the attribute in the framework. */
    idOf(tag: Element): string | null;
    heard: string[];
  }
}

/** Returns the state of the tags in the document right after the framework has inserted them. */
const seen = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('changer-channel, changer-post')].map((tag) => ({
      tag: tag.localName,
      id: window.idOf(tag),
      limit: Reflect.get(tag, 'limit'),
      theme: Reflect.get(tag, 'theme'),
      rich: Reflect.get(tag, 'params')?.note,
      children: tag.textContent.trim(),
      drawn: tag.shadowRoot?.querySelector('.root') !== null,
      mine: tag.shadowRoot?.querySelector('.root')?.getAttribute('data-mine') ?? null,
    })),
  );

describe('tags in frameworks', () => {
  let server: RunningServer;
  let browser: Browser;
  let channels: string[];
  let post: { channelId: string; postId: number };

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    channels = items.slice(0, 3).map(({ id }: { id: string }) => id);
    post = { channelId: items[0].id, postId: items[0].latest.id };
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Runs `action` on a page of a site that can start the app. If `defined` is true, the tags are registered before. */
  async function onSite(framework: string, defined: boolean, action: (page: Page) => Promise<void>): Promise<void> {
    const site = await startSite('<main></main>');
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.addInitScript(() => {
      window.idOf = (tag) => tag.getAttribute('channel-id') ?? tag.getAttribute('channelid');
    });
    try {
      await page.goto(site.origin);
      if (defined) await define(page);
      const code = await bundle(framework);
      await page.addScriptTag({
        type: 'module',
        content: `${code.replace(/export\s*\{\s*([\w$]+) as start\s*\};?/, 'window.start = $1;')}`,
      });
      await page.waitForFunction(() => window.start !== undefined);
      await action(page);
      assert.deepEqual(errors, []);
    } finally {
      await page.close();
      site.stop();
    }
  }

  async function define(page: Page): Promise<void> {
    for (const name of ['channel', 'post', 'feed'])
      await page.addScriptTag({ type: 'module', url: `${server.origin}/elements/changer-${name}.js` });
    await page.waitForFunction(() => ['channel', 'post', 'feed'].every((name) => customElements.get(`changer-${name}`)));
  }

  const start = (page: Page, shown: Shown) =>
    page.evaluate(async (first) => {
      window.heard = [];
      const parent = document.querySelector('main');
      if (parent === null) throw new Error('no place');
      window.show = await window.start(parent, first, (event) => {
        window.heard.push(`${event.type} ${window.idOf(event.target as Element)}`);
        if (event.type === 'changer-post-opened') event.preventDefault();
      });
    }, shown);

  for (const framework of FRAMEWORKS) {
    it(`${framework}: supports attributes, properties, children, events, moves and removal at once`, () =>
      onSite(framework, true, async (page) => {
        const [a = '', b = '', c = ''] = channels;
        const first: Shown = {
          channels: [a, b],
          limit: 5,
          theme: 'dark',
          rich: { note: 'rich' },
          said: 'By hand',
          feed: null,
          post: null,
        };
        await start(page, first);
        const channel = (id: string, props = {}) => ({
          tag: 'changer-channel',
          id,
          limit: 5,
          theme: 'dark',
          rich: 'rich',
          children: `By hand ${id}`,
          drawn: true,
          mine: null as string | null,
          ...props,
        });
        assert.deepEqual(await seen(page), [channel(a), channel(b)], 'at once');

        await page.waitForFunction(() => window.heard.length === 2);
        assert.deepEqual(
          await page.evaluate(() => window.heard.toSorted()),
          [a, b].map((id) => `changer-loaded ${id}`).toSorted(),
        );
        await page.locator('changer-channel article .post-facts a').first().click();
        assert.ok(await page.evaluate((id) => window.heard.includes(`changer-post-opened ${id}`), a));
        assert.equal(page.context().pages().length, 1);

        await page.evaluate(() => {
          for (const tag of document.querySelectorAll('changer-channel'))
            tag.shadowRoot?.querySelector('.root')?.setAttribute('data-mine', window.idOf(tag) ?? '');
        });
        const show = (shown: Shown) => page.evaluate((next) => window.show(next), shown);
        await show({ ...first, channels: [b, a] });
        assert.deepEqual(await seen(page), [channel(b, { mine: b }), channel(a, { mine: a })], 'reordered');
        const requestedPaths = await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => name)
            .filter((name) => name.includes('/api/')),
        );
        assert.deepEqual(requestedPaths, [...new Set(requestedPaths)], 'nothing is requested twice');

        await show({ ...first, channels: [c, b, a], theme: 'light', rich: { note: 'other' }, post });
        const changed = { theme: 'light', rich: 'other' };
        assert.deepEqual(
          (await seen(page)).map(({ limit, ...rest }) => rest),
          [
            ...[channel(c, changed), channel(b, { ...changed, mine: b }), channel(a, { ...changed, mine: a })].map(
              ({ limit, ...rest }) => rest,
            ),
            { tag: 'changer-post', id: a, theme: undefined, rich: undefined, children: '', drawn: true, mine: null },
          ],
          'changed',
        );
        await page.locator('changer-post article').waitFor();

        await show({ ...first, channels: [c], limit: 7 });
        assert.deepEqual(
          (await seen(page)).map(({ id, limit, theme }) => [id, limit, theme]),
          [[c, 7, 'dark']],
        );
        await show({ ...first, channels: [c], theme: null, limit: null, said: 'Anew' });
        const reset = channel(c, { limit: undefined, theme: undefined, children: `Anew ${c}` });
        assert.deepEqual(await seen(page), [reset], 'removed by null');
        await show({ ...first, channels: [c] });
        assert.deepEqual(await seen(page), [channel(c)], 'set again');
        await show({ ...first, channels: [c], theme: undefined, limit: undefined, said: 'Anew' });
        assert.deepEqual(await seen(page), [reset], 'removed by undefined');
        await show({ ...first, channels: [] });
        assert.deepEqual(await seen(page), []);

        const isSame = await page.evaluate(
          async (next) => {
            await window.show(next);
            return document.querySelector('changer-feed')?.channels === next.feed;
          },
          { ...first, channels: [], feed: [a, b] },
        );
        assert.ok(isSame, 'an array is passed unchanged');
        await page.locator('changer-feed article').first().waitFor();
      }));

    it(`${framework}: upgrades tags that were inserted before they were defined`, () =>
      onSite(framework, false, async (page) => {
        const [a = '', b = ''] = channels;
        await start(page, { channels: [a, b], limit: 5, theme: 'dark', rich: {}, said: 'By hand', feed: null, post: null });
        // Tags that show their server-rendered HTML are defined only when they are used.
        await page.evaluate(() => {
          for (const tag of document.querySelectorAll('changer-channel')) tag.setAttribute('hydrate', 'load');
        });
        await define(page);
        await page.waitForFunction(() => window.heard.length === 2);
        assert.deepEqual(
          (await seen(page)).map(({ id, limit, theme, children, drawn }) => [id, limit, theme, children, drawn]),
          [a, b].map((id) => [id, 5, 'dark', `By hand ${id}`, true]),
        );
      }));
  }
});
