// Weight of server-rendered pages: bytes and requests of a first visit, within the bounds of bench/bounds.json.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BOUNDS } from '../../bench/bounds.ts';
import { type Browser, launchBrowser, type Page, until } from '../support/browser.ts';
import { compareStyles } from '../support/compare-styles.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const PHONE = { viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true, locale: 'en-GB' };
/** Requests of the prefetch for offline use: pages of 100 posts, and pictures that a script fetches. */
const isPrefetch = (url: string, type: string): boolean =>
  /\/posts\?.*limit=100/.test(url) || (type === 'fetch' && url.includes('/media/'));

/** All style sheets of a page: of the layout and of the page in it, as text. */
const COMPLETE_STYLES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '/main': [
    ['src/components/styles/tokens.css', 'src/components/styles/base.css', 'src/features/layout/layout.css'],
    [
      'src/components/styles/tokens.css',
      'src/components/styles/base.css',
      'src/features/post-list/post-list.css',
      'src/features/feed/feed.css',
      'server/publishing/pages/below.css',
    ],
  ],
  '/channel/{id}': [
    ['src/components/styles/tokens.css', 'src/components/styles/base.css', 'src/features/layout/layout.css'],
    [
      'src/components/styles/tokens.css',
      'src/components/styles/base.css',
      'src/features/post-list/post-list.css',
      'src/features/channel/channel.css',
      'server/publishing/pages/below.css',
    ],
  ],
};

describe('the server-rendered pages', () => {
  let server: RunningServer;
  let browser: Browser;
  let channelId = '';
  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser([], { asDrawn: true })]);
    const { items } = (await (await fetch(`${server.origin}/api/channels`)).json()) as { items: { id: string }[] };
    channelId = items[0]?.id ?? '';
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  const urlOf = (page: string): string => server.origin + page.replace('{id}', channelId);

  /** Opens a page whose scripts, except those inline, do not load. */
  async function openRendered(page: string, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const context = await browser.newContext({ ...PHONE, ...options });
    const opened = await context.newPage();
    await opened.route('**/assets/**', (route) => route.abort());
    await opened.goto(urlOf(page));
    return opened;
  }

  /** Visits a page for the first time until the prefetch starts. Returns the requests before it, without those of the worker. */
  async function requestsBeforePrefetch(page: string): Promise<string[]> {
    const context = await browser.newContext(PHONE);
    const opened = await context.newPage();
    const requests: string[] = [];
    let isPrefetching = false;
    let isLoaded = false;
    opened.on('load', () => (isLoaded = true));
    context.on('request', (request) => {
      if (request.serviceWorker() !== null || isPrefetching) return;
      isPrefetching = isPrefetch(request.url(), request.resourceType());
      if (isPrefetching) assert.ok(isLoaded, 'the prefetch waits for the load event');
      else requests.push(request.url());
    });
    await opened.goto(urlOf(page));
    await until(async () => isPrefetching, 'the prefetch starts');
    await context.close();
    return requests;
  }

  for (const [page, bounds] of Object.entries(BOUNDS.pages)) {
    it(`keep ${page} within its bounds`, async () => {
      const html = await (await fetch(urlOf(page), { headers: { 'accept-language': 'en' } })).text();
      const gzipBytes = (text: string): number => gzipSync(text, { level: 9 }).length;
      const measured: Readonly<Record<string, number>> = {
        'html bytes': Buffer.byteLength(html),
        'html gzip bytes': gzipBytes(html),
        'style bytes': [...html.matchAll(/<style>(.*?)<\/style>/gs)].reduce((sum, [, text = '']) => sum + text.length, 0),
        'icon outlines': [...html.matchAll(/<path /g)].length,
        'gzip bytes to the end of the first post': gzipBytes(html.slice(0, html.indexOf('</article>'))),
        'requests before the prefetch': (await requestsBeforePrefetch(page)).length,
      };
      assert.deepEqual(Object.keys(measured), Object.keys(bounds));
      const exceeded = Object.entries(measured).filter(([name, value]) => value > (bounds[name] ?? 0));
      assert.deepEqual(exceeded, [], JSON.stringify(measured));
    });

    it(`show ${page} as with all styles of the app`, async () => {
      const variants = [{}, { colorScheme: 'dark', locale: 'ar', viewport: { width: 1280, height: 800 } }] as const;
      for (const options of variants) {
        const opened = await openRendered(page, options);
        assert.ok((await opened.locator('#drawn article').count()) > 10);
        const hosts = ['#drawn', '#drawn > div'];
        assert.deepEqual(await compareStyles(opened, hosts, COMPLETE_STYLES[page] ?? []), []);
        await opened.context().close();
      }
    });
  }

  it('request their scripts after the content, those of the page in parallel with those of the app', async () => {
    for (const [page, ownChunk] of [
      ['/main', 'changer-feed'],
      ['/channel/{id}', 'changer-channel'],
    ] as const) {
      const response = await fetch(urlOf(page));
      assert.equal(response.headers.get('link'), null);
      const html = await response.text();
      const end = html.lastIndexOf('</article>');
      assert.doesNotMatch(html.slice(0, end), /modulepreload|<script type="module"/);
      assert.match(html.slice(end), /<script type="module" src="\/assets\/main-/);
      assert.ok(html.slice(end).includes(`<link rel="modulepreload" href="/assets/${ownChunk}-`), page);
    }
  });

  it('come with the responses that they were rendered from, which are not requested again', async () => {
    for (const page of Object.keys(BOUNDS.pages)) {
      const html = await (await fetch(urlOf(page))).text();
      const [, responses = '{}'] = /<script type="application\/json" id="answers">(.*?)<\/script>/s.exec(html) ?? [];
      const paths = Object.keys(JSON.parse(responses)).flatMap((key) => /^(\/api\/[^{]+)/.exec(key)?.[1] ?? []);
      assert.ok(paths.some((path) => /posts|feed/.test(path)));
      // The stream asks for the directory again, which its events continue.
      const repeated = (await requestsBeforePrefetch(page)).filter((url) => {
        const { pathname, searchParams } = new URL(url);
        return paths.includes(pathname) && pathname !== '/api/channels' && !searchParams.has('before');
      });
      assert.deepEqual(repeated, []);
      assert.ok(html.indexOf('id="answers"') > html.lastIndexOf('</article>'));
    }
  });
});
