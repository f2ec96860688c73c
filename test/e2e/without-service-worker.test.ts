// App without a service worker: cached data on the device in several browser engines.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import puppeteer from 'puppeteer-core';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { channel, launchData, makeApp, message, type TestApp } from '../server/support/make-app.ts';
import { asTelegram, launchBrowser, until } from '../support/browser.ts';
import { hasWebKit, openWebKit } from '../support/webdriver.ts';

const FIREFOX = '/usr/bin/firefox-esr';
const NOW = Math.floor(Date.now() / 1000);

/** The actions of a test on a browser of any engine. It has one profile while it is open. */
interface BrowserDriver {
  goto(address: string): Promise<void>;
  /** Returns the value of an expression. Awaits a promise. */
  ask(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The handling of API responses. Files of the app are always served. */
type ApiMode = 'given' | 'held' | 'broken';

/** The real server, but without server-rendered posts. So everything visible before an API response comes from the device. */
class Site {
  readonly #ends: (() => unknown)[] = [];
  readonly #held = new Set<() => void>();
  testApp!: TestApp;
  origin = '';
  apiMode: ApiMode = 'given';
  /** False if no script of the app loads. */
  scripts = true;
  /** True if /sw.js exists. */
  worker = true;

  async start(): Promise<void> {
    this.testApp = await makeApp({ after: (end) => void this.#ends.push(end as () => unknown) }, {}, 'dist');
    const { store, app } = this.testApp;
    for (const [id, title] of Object.entries({ 1: 'Alpha', 2: 'Beta', 3: 'Gamma', 4: 'Delta' })) {
      await store.putChannel(channel(id, { username: title.toLowerCase(), title, members: 1200 }));
      await store.putMessages(
        Array.from({ length: 12 }, (_, at) =>
          message(id, at + 1, `Post ${at + 1} of ${title}. ${'Words. '.repeat(40)}`, [], NOW - 90_000 + at * 5000 + Number(id)),
        ),
      );
    }
    await app.ready();
    const proxy = createServer((request, response) => this.#pass(request, response));
    proxy.listen(0, 'localhost');
    await once(proxy, 'listening');
    this.origin = `http://localhost:${(proxy.address() as AddressInfo).port}`;
    this.#ends.unshift(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
  }
  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/' } = request;
    const pass = () => this.testApp.app.routing(request, response);
    if (url.startsWith('/assets/')) disableCaching(response);
    if (url.startsWith('/assets/') && !this.scripts) request.socket.destroy();
    else if (url === '/sw.js' && !this.worker) response.writeHead(404).end();
    else if (!url.startsWith('/api/') || this.apiMode === 'given') pass();
    else if (this.apiMode === 'broken') request.socket.destroy();
    else this.#held.add(pass);
  }
  /** Sends the held responses, and all later ones. */
  releaseResponses(): void {
    this.apiMode = 'given';
    for (const pass of this.#held) pass();
    this.#held.clear();
  }
  async stop(): Promise<void> {
    for (const end of this.#ends) await end();
  }
}

/** The scripts of the app must not come from the HTTP cache when the site serves none. */
function disableCaching(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, headers: Record<string, string>) =>
    writeHead(status, { ...headers, 'cache-control': 'no-store' })) as typeof response.writeHead;
}

const PAGE_ROOT = `document.querySelector('changer-feed, changer-channel, changer-dial')?.shadowRoot`;
const DATA_CLIENT = `document.querySelector('changer-layout').services.dataClient`;
/**
 * Script that returns the rendered posts, and which of them are starred. The posts below may be rendered only when they are
 * near.
 */
const POSTS = `JSON.stringify([...(${PAGE_ROOT}?.querySelectorAll('article') ?? [])].slice(0, 5)
  .map((post) => [post.dataset.key, post.querySelector('.starred') !== null]))`;
const LINEUP = `JSON.stringify([...(${PAGE_ROOT}?.querySelectorAll('[data-row] .row-title') ?? [])].map((row) => row.textContent))`;
const READ_MARKERS = `JSON.stringify([...${DATA_CLIENT}.readMarkers.get()].sort())`;
const IS_SAVED = `${DATA_CLIENT}.syncStatus.get().type === 'saved'`;
const NOTICE = `[...(${PAGE_ROOT}?.querySelectorAll('.notice, .lineup-note') ?? [])].some((one) => /aved on this device/.test(one.textContent))`;
/** A worker whose script is missing is registered for a moment, so only an active one counts. */
const WORKER = `'serviceWorker' in navigator && navigator.serviceWorker.getRegistration().then((one) => one?.active != null)`;
/** Script that returns the lists that the page shows from the cache of this device, and not from a response of the server. */
const CACHED_LISTS = `JSON.stringify(Object.entries({ directory: ${DATA_CLIENT}.directory, feed: ${DATA_CLIENT}.feed({ show: 'all' }),
  starred: ${DATA_CLIENT}.feed({ show: 'starred' }), channel: ${DATA_CLIENT}.posts('alpha', {}) })
  .map(([name, list]) => [name, list.get()]).filter(([, state]) => state.type === 'loaded' && state.cachedAt !== null)
  .map(([name]) => name).concat(${DATA_CLIENT}.connectivity.get()))`;
/**
 * Script that returns true if a database opens but does not respond to a read within three seconds. WebKitGTK sometimes freezes
 * the databases of an origin when a page is left while it writes (once in 56 and once in 231 page loads). Then the visits start
 * again in another window.
 */
const IS_FROZEN = `new Promise((resolve) => {
  const opening = indexedDB.open('changer-public', 1);
  opening.onsuccess = () => {
    opening.result.transaction('things').objectStore('things').count().onsuccess = () => resolve(false);
    setTimeout(() => resolve(true), 3000);
  };
  opening.onerror = () => resolve(false);
})`;
/** Script that returns the top of the second post or row. */
const SECOND_ROW_TOP = `[...${PAGE_ROOT}.querySelectorAll('article, [data-row]')][1].getBoundingClientRect().top`;
/** Script that returns the keys of the cached responses on the device. */
const STORED_KEYS = `${DATA_CLIENT}.context.offline.storage.then((kept) => kept.public.keys(''))`;

/** Presses a key on a row that has the focus. This makes its channel the current one. */
const press = (row: string, key: string, altKey = false) =>
  `(async (main) => {
    main.focus();
    for (let tries = 0; main.ariaCurrent !== 'true' && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    main.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', altKey: ${altKey}, bubbles: true, composed: true }));
  })(${PAGE_ROOT}.querySelector('[data-row="${row}"] .row-main'))`;
/** Script that makes the device know its channels since before their first post, so that all posts are unread. */
const SET_FIRST_SEEN = `${DATA_CLIENT}.context.offline.storage.then(({ reader }) =>
  reader.put([['first-seen', ['1', '2', '3', '4'].map((channelId) => ({ channelId, messageId: 0 }))]]))`;
/** Script that returns the text of the page snapshot that is stored in the tab, or shown. */
const STORED_SNAPSHOT = `sessionStorage.getItem('changer_snapshot')`;
const SHOWN_SNAPSHOT = `document.querySelector('#drawn')?.firstElementChild?.shadowRoot?.querySelector('.page')?.textContent ?? ''`;
const IS_APP_MOUNTED = `document.querySelector('changer-layout') !== null`;
const click = (selector: string) => `${PAGE_ROOT}.querySelector('${selector}').click()`;

/** The pages, each with a script that returns the data of the reader on it. */
const PAGES = [
  ['/main', POSTS],
  ['/main?show=starred', POSTS],
  ['/channel/alpha', POSTS],
  ['/changer', LINEUP],
] as const;

/** Keys of the responses that must be cached on the device before a page is left. */
const REQUIRED_KEYS: Readonly<Record<(typeof PAGES)[number][0], readonly string[]>> = {
  '/main': ['channels', 'post/3/'],
  '/main?show=starred': ['channels'],
  '/channel/alpha': ['channels', 'posts/alpha'],
  '/changer': ['channels'],
};

interface Engine {
  readonly name: string;
  readonly skip: string | false;
  /** True if the browser supports service workers. Then the site does not serve one. */
  readonly worker: boolean;
  readonly launch: string;
  open(): Promise<BrowserDriver>;
}

async function openChromium(script: string, isTelegram = false): Promise<BrowserDriver> {
  const browser = await launchBrowser([], { asDrawn: true });
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  await context.addInitScript(script);
  if (isTelegram) await asTelegram(context);
  let page = await context.newPage();
  return {
    async goto(address) {
      // A new tab, because a mini-app that is opened again has no session storage of the previous one.
      await page.close();
      page = await context.newPage();
      await page.goto(address);
    },
    ask: (expression) => page.evaluate(expression),
    close: () => browser.close(),
  };
}

async function openFirefox(): Promise<BrowserDriver> {
  const extraPrefsFirefox = { 'dom.serviceWorkers.enabled': false, 'intl.accept_languages': 'en-GB' };
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, extraPrefsFirefox });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  return {
    async goto(address) {
      await page.goto(address);
    },
    ask: (expression) => page.evaluate(expression),
    close: () => browser.close(),
  };
}

const ABSENT = 'delete Navigator.prototype.serviceWorker';
const LAUNCH = () => launchHash(ANDROID, DARK, launchData(81));

const ENGINES: readonly Engine[] = [
  { name: 'Chromium without workers', skip: false, worker: true, launch: '', open: () => openChromium(ABSENT) },
  { name: 'Chromium that gets no worker', skip: false, worker: false, launch: '', open: () => openChromium('') },
  { name: 'Chromium as a signed-in reader', skip: false, worker: true, launch: LAUNCH(), open: () => openChromium(ABSENT, true) },
  { name: 'Firefox', skip: !existsSync(FIREFOX) && 'no Firefox here', worker: true, launch: '', open: openFirefox },
  { name: 'WebKit', skip: !hasWebKit && 'no WebKitGTK with its driver here', worker: false, launch: '', open: openWebKit },
];

describe('the app without a service worker', () => {
  let site: Site;
  let browser: BrowserDriver;

  before(async () => {
    site = new Site();
    await site.start();
  });
  after(() => site.stop());
  afterEach(async () => {
    site.releaseResponses();
    site.scripts = true;
    await browser.close();
  });

  const waitUntil = async (expression: string, isExpected: (found: string) => boolean, description: string): Promise<string> => {
    let found = '';
    const waiting = until(async () => {
      found = String(await browser.ask(expression));
      return isExpected(found);
    }, description);
    await waiting.catch((error: Error) => assert.fail(`${error.message} It was: ${found}`));
    return found;
  };
  const waitForValue = (expression: string, expected: string, description: string) =>
    waitUntil(expression, (found) => found === expected, description);
  /** Waits until everything is stored on the device. The response to the last read comes after all earlier writes. */
  const waitUntilStored = async () => {
    await waitForValue(IS_SAVED, 'true', 'all is saved');
    await browser.ask(STORED_KEYS);
  };
  const isRead = (found: string) => /"1",12.*"2",12.*"3",12/.test(found);
  const isList = (found: string) => found.startsWith('[') && found !== '[]';

  const waitUntilCached = (expected: readonly string[]) =>
    until(async () => {
      const keys = await browser.ask(STORED_KEYS);
      return Array.isArray(keys) && expected.every((key) => keys.some((one) => String(one).startsWith(key)));
    }, `${expected} are kept`);

  /** Orders the channels, unfollows one, stars two posts and marks all as read. Returns the state of each page afterwards. */
  async function firstVisit(launch: string): Promise<ReadonlyMap<string, string>> {
    await browser.goto(`${site.origin}/changer${launch}`);
    await waitUntil(LINEUP, isList, 'the line-up stands');
    await browser.ask(press('4', ' '));
    await waitUntil(LINEUP, (found) => found === '["Alpha","Beta","Gamma"]', 'one is left');
    await browser.ask(press('3', 'ArrowUp', true));
    await waitUntil(LINEUP, (found) => found.startsWith('["Alpha","Gamma","Beta"'), 'one has moved');
    await browser.ask(press('1', 'ArrowDown', true));
    await waitUntil(LINEUP, (found) => found.startsWith('["Gamma","Alpha","Beta"'), 'it is in another order');
    await waitUntilStored();
    await browser.ask(SET_FIRST_SEEN);
    await browser.goto(`${site.origin}/main${launch}`);
    await waitUntil(POSTS, isList, 'posts stand');
    await browser.ask(click('article:nth-of-type(2) [aria-label=Star]'));
    await waitUntilStored();
    site.testApp.clock.now += 1000;
    await browser.ask(click('article:nth-of-type(4) [aria-label=Star]'));
    await browser.ask(click('[aria-label="Mark all as read"]'));
    await waitUntil(READ_MARKERS, isRead, 'all is read');
    await waitUntilStored();
    const found = new Map<string, string>();
    for (const [path, expression] of PAGES) {
      await browser.goto(`${site.origin}${path}${launch}`);
      found.set(path, await waitUntil(expression, isList, `${path} stands`));
      await waitUntilCached(REQUIRED_KEYS[path]);
      await waitUntilStored();
    }
    found.set('marks', await waitUntil(READ_MARKERS, isRead, 'what was read is known'));
    return found;
  }

  async function runVisits(launch: string): Promise<void> {
    const before = await firstVisit(launch);
    assert.equal(await browser.ask(WORKER), false);
    for (const apiMode of ['held', 'broken'] as const) {
      for (const [path, expression] of PAGES) {
        site.apiMode = apiMode;
        await browser.goto(`${site.origin}${path}${launch}`);
        await waitForValue(expression, before.get(path) ?? '', `${path} stands with its answers ${apiMode}`);
        await waitForValue(READ_MARKERS, before.get('marks') ?? '', 'the marks are as they were');
        if (apiMode === 'broken') {
          await waitForValue(NOTICE, 'true', `${path} says since when`);
          continue;
        }
        const top = await browser.ask(SECOND_ROW_TOP);
        site.releaseResponses();
        await waitForValue(CACHED_LISTS, '["online"]', `${path} shows the answers`);
        assert.equal(await browser.ask(expression), before.get(path), 'nothing is lost');
        assert.equal(await browser.ask(SECOND_ROW_TOP), top, 'nothing shifts');
      }
    }
  }

  for (const { name, skip, worker, launch, open } of ENGINES) {
    it(`shows posts, line-up, marks and stars before any API response, and if there is none, in ${name}`, { skip }, async () => {
      site.worker = worker;
      let isFrozen = true;
      for (let left = 3; isFrozen; left--) {
        isFrozen = false;
        browser = await open();
        await runVisits(launch).catch(async (error) => {
          isFrozen = left > 0 && name === 'WebKit' && String(await browser.ask(IS_FROZEN).catch(() => true)) === 'true';
          if (!isFrozen) throw error;
          site.releaseResponses();
          await browser.close();
        });
      }
    });
  }

  // In Chromium, a new page is a new tab here, without the storage of the previous one.
  for (const { name, skip, worker, open } of ENGINES.filter((engine) => !engine.name.startsWith('Chromium'))) {
    it(`shows the page snapshot of the tab while no script of the app loads, in ${name}`, { skip }, async () => {
      site.worker = worker;
      browser = await open();
      await browser.goto(`${site.origin}/main`);
      await waitUntil(STORED_SNAPSHOT, (found) => found.includes('Post 12 of Delta'), 'a snapshot is stored');
      site.scripts = false;
      await browser.goto(`${site.origin}/main`);
      await waitUntil(SHOWN_SNAPSHOT, (found) => found.includes('Post 12 of Delta'), 'the snapshot is shown');
      assert.equal(await browser.ask(IS_APP_MOUNTED), false);
      site.scripts = true;
      await browser.goto(`${site.origin}/main`);
      await waitForValue(SHOWN_SNAPSHOT, '', 'the app has replaced it');
      await waitUntil(POSTS, isList, 'the app shows posts');
    });
  }
});
