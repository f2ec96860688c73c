// Embedded tags on a page of another origin.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { type Browser, launchBrowser, listen, type Page } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** Starts a site of another origin, with its own policy and its own session. */
async function startSite(body: (server: RunningServer) => string, server: RunningServer): Promise<Server> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('set-cookie', 'sid=the-site; Path=/');
    response.end(
      `<!doctype html><html lang="en"><title>A site</title><script>sessionStorage.setItem('access_token', 'the-site-own')</script>${body(server)}`,
    );
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  return site;
}

const addressOf = (site: Server): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

/** Requests of a tag for its content: to the API, or for the server-rendered HTML. */
const CONTENT_REQUEST = /\/(api|elements\/drawn)\//;

describe('a tag on a page of another origin', () => {
  let server: RunningServer;
  let browser: Browser;
  let channel: string;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    channel = items[0].id;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(body: (server: RunningServer) => string, action: (page: Page) => Promise<void>): Promise<void> {
    const site = await startSite(body, server);
    const page = await (await browser.newContext()).newPage();
    try {
      await page.goto(addressOf(site));
      await action(page);
    } finally {
      await page.context().close();
      site.close();
    }
  }

  const snippet = (tag = 'changer-channel', id = channel): string =>
    `<script type="module" src="${server.origin}/elements/${tag}.js"></script><${tag} channel-id="${id}">By hand</${tag}>`;

  it('shows a channel with two lines of HTML', async () => {
    await open(
      () => snippet(),
      async (page) => {
        await page.locator('changer-channel article').first().waitFor();
        assert.ok((await page.locator('changer-channel article').count()) > 1);
        assert.equal(await page.locator('changer-channel [class*=failed]').count(), 0);
      },
    );
  });

  for (const [tag, contentSelector] of [
    ['changer-channel', 'article'],
    ['changer-dial', '.row'],
    ['changer-self-test', '.verdict[aria-busy=false]'],
  ] as const) {
    it(`sends no data of the site, stores nothing and logs nothing: ${tag}`, async () => {
      const site = await startSite(() => snippet(tag), server);
      const context = await browser.newContext();
      const page = await context.newPage();
      const consoleLines = listen(page);
      const requests: { url: string; headers: Record<string, string> }[] = [];
      page.on('request', async (request) => requests.push({ url: request.url(), headers: await request.allHeaders() }));
      await page.goto(addressOf(site));
      await page.locator(contentSelector).first().waitFor();
      await page.waitForLoadState('networkidle');
      const ownRequests = requests.filter(({ url }) => url.startsWith(server.origin));
      assert.ok(ownRequests.some(({ url }) => CONTENT_REQUEST.test(url)));
      for (const { url, headers } of ownRequests) {
        assert.equal(headers['access-token'], undefined, url);
        assert.equal(headers.cookie, undefined, url);
        assert.equal(headers['x-xsrf-token'], undefined, url);
      }
      assert.deepEqual(
        requests
          .filter(({ url }) => !url.startsWith(server.origin) && !url.startsWith(addressOf(site)) && !url.startsWith('data:'))
          .map(({ url }) => url),
        [],
      );
      const storedData = await page.evaluate(async () => ({
        session: { ...sessionStorage },
        local: { ...localStorage },
        cookie: document.cookie,
        databases: await indexedDB.databases(),
        caches: await caches.keys(),
        workers: (await navigator.serviceWorker.getRegistrations()).length,
      }));
      assert.deepEqual(storedData, {
        session: { access_token: 'the-site-own' },
        local: {},
        cookie: 'sid=the-site',
        databases: [],
        caches: [],
        workers: 0,
      });
      assert.deepEqual(await context.cookies(server.origin), []);
      assert.deepEqual(consoleLines, []);
      await context.close();
      site.close();
    });
  }

  it('sends one request for ten tags with the same content', async () => {
    await open(
      () => snippet() + `<changer-channel channel-id="${channel}"></changer-channel>`.repeat(9),
      async (page) => {
        await page.waitForFunction(() =>
          [...document.querySelectorAll('changer-channel')].every((tag) => tag.shadowRoot?.querySelector('article')),
        );
        const requestedUrls = await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => name)
            .filter((name) => /\/(api|elements\/drawn)\//.test(name)),
        );
        assert.deepEqual(requestedUrls, [...new Set(requestedUrls)]);
      },
    );
  });

  it('sends one request for each of thirty posts in three hundred tags, and loads its script once', async () => {
    const { items } = await (await fetch(`${server.origin}/api/feed?limit=30`)).json();
    const tags = Array.from({ length: 300 }, (_, at) => {
      const { channelId, id } = items[at % 30];
      return `<changer-post channel-id="${channelId}" post-id="${id}" loading="eager"></changer-post>`;
    });
    await open(
      () => `<script type="module" src="${server.origin}/elements/changer-post.js"></script>${tags.join('')}`,
      async (page) => {
        const errors = listen(page);
        await page.waitForFunction(() =>
          [...document.querySelectorAll('changer-post')].every((tag) => tag.shadowRoot?.querySelector('article')),
        );
        const requestedUrls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
        const ownRequests = requestedUrls.filter(
          (url) => /\/(api|assets|elements\/drawn)\//.test(url) && !url.includes('/media/'),
        );
        assert.deepEqual(ownRequests.toSorted(), [...new Set(ownRequests)].toSorted());
        assert.equal(ownRequests.filter((url) => CONTENT_REQUEST.test(url)).length, 30);
        assert.deepEqual(errors, []);
      },
    );
  });

  for (const [failure, respond] of [
    ['cannot be reached', (route: Route) => route.abort()],
    ['fails', (route: Route) => route.fulfill({ status: 500, body: 'no' })],
    ['answers something else', (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>' })],
  ] as const) {
    it(`keeps the children and dispatches an event if the server ${failure}`, async () => {
      const tags = ['channel', 'feed', 'dial'];
      const body = () =>
        `<script>window.told = []; addEventListener('changer-failed', ({ target, detail }) => told.push([target.localName, typeof detail.message]));</script>` +
        tags
          .map((tag) => `<script type="module" src="${server.origin}/elements/changer-${tag}.js"></script>`)
          .concat(tags.map((tag) => `<changer-${tag} channel-id="${channel}"><p>${tag} by hand</p></changer-${tag}>`))
          .join('');
      const site = await startSite(body, server);
      const page = await (await browser.newContext()).newPage();
      await page.route(CONTENT_REQUEST, respond);
      await page.goto(addressOf(site));
      for (const tag of tags) await page.getByText(`${tag} by hand`).waitFor();
      await page.waitForFunction('told.length === 3');
      assert.deepEqual(((await page.evaluate('told')) as unknown[]).sort(), [
        ['changer-channel', 'string'],
        ['changer-dial', 'string'],
        ['changer-feed', 'string'],
      ]);
      await page.context().close();
      site.close();
    });
  }

  it('keeps the children and dispatches an event if the channel does not exist', async () => {
    const listener = `<script>addEventListener('changer-failed', ({ target }) => (window.told = target.localName));</script>`;
    await open(
      () => listener + snippet('changer-channel', 'nobody_has_this_name'),
      async (page) => {
        await page.waitForFunction('window.told === "changer-channel"');
        assert.ok(await page.getByText('By hand').isVisible());
      },
    );
  });

  it('links to the address of the app', async () => {
    await open(
      () => snippet(),
      async (page) => {
        await page.locator('changer-channel article').first().waitFor();
        const links = await page
          .locator('changer-channel a[href]')
          .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
        const onSite = links.filter((href) => href.startsWith('http://127.0.0.1'));
        assert.deepEqual(onSite, []);
      },
    );
  });
});
