// Embedded tags under the strictest Content-Security-Policy: no violations, globals, errors or layout shifts.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import puppeteer from 'puppeteer-core';
import { launchBrowser } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const FIREFOX = '/usr/bin/firefox-esr';
const TAGS = ['changer-channel', 'changer-feed', 'changer-post', 'changer-dial', 'changer-search'];

/** Script that runs before any script of the page. It records everything that a tag must not cause on it. */
const RECORDER_SCRIPT = `{
  const watch = { names: null, refused: [], errors: [], moved: [], told: [] };
  Object.defineProperty(window, 'watch', { value: watch, configurable: true });
  watch.names = Object.getOwnPropertyNames(window);
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => watch.refused.push(violatedDirective + ' ' + blockedURI));
  window.addEventListener('error', ({ message }) => watch.errors.push(message));
  window.addEventListener('unhandledrejection', ({ reason }) => watch.errors.push(String(reason)));
  for (const type of ['changer-loaded', 'changer-failed'])
    window.addEventListener(type, ({ target }) => watch.told.push(type + ' ' + target.localName));
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift'))
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        if (value > 0.0001) watch.moved.push([value, ...sources.map(({ node, previousRect, currentRect }) =>
          [node?.outerHTML?.slice(0, 150) ?? node?.textContent, previousRect.y, previousRect.height, currentRect.y, currentRect.height])].join(' | '));
    }).observe({ type: 'layout-shift', buffered: true });
}`;

const RESULT_SCRIPT = `(async () => ({
  refused: watch.refused,
  errors: watch.errors,
  moved: watch.moved,
  told: watch.told.sort(),
  globals: Object.getOwnPropertyNames(window).filter((name) => !watch.names.includes(name) && !/^(watch$|__aria|__pw|__playwright|__puppeteer)/.test(name)),
  cookie: document.cookie,
  storage: [localStorage.length, sessionStorage.length],
  databases: (await indexedDB.databases()).length,
  caches: self.caches === undefined ? 0 : (await caches.keys()).length,
  workers: navigator.serviceWorker === undefined ? 0 : (await navigator.serviceWorker.getRegistrations()).length,
}))()`;

const CLEAN = {
  refused: [],
  errors: [],
  moved: [],
  told: TAGS.map((tag) => `changer-loaded ${tag}`).sort(),
  globals: [],
  cookie: '',
  storage: [0, 0],
  databases: 0,
  caches: 0,
  workers: 0,
};

/** The recorded results of a page in any browser. */
interface Visit {
  readonly consoleLines: string[];
  readonly requestedUrls: string[];
  readonly found: unknown;
}

describe('a tag under the strictest policy', () => {
  let server: RunningServer;
  let site: Site;
  const reports: unknown[] = [];

  before(async () => {
    server = await startServer();
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    const [channel] = items;
    const post = `channel-id="${channel.id}" post-id="${channel.latest.id}"`;
    const body = TAGS.map((tag) => `<script type="module" src="${server.origin}/elements/${tag}.js"></script>`).concat(
      TAGS.map((tag) => `<${tag} ${tag === 'changer-post' ? post : `channel-id="${channel.id}"`}>By hand</${tag}>`),
    );
    const from = ['script', 'connect', 'img', 'media', 'style'].map((kind) => `${kind}-src ${server.origin}`);
    const policy = `default-src 'none'; ${from.join('; ')}; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /reports`;
    const icon = `<link rel="icon" href="${server.origin}/icon.svg">`;
    site = await startSite(icon + body.join(''), { 'content-security-policy': policy }, reports);
  });
  after(async () => {
    site.stop();
    await server.stop();
  });

  function check({ consoleLines, requestedUrls, found }: Visit): void {
    assert.deepEqual(found, CLEAN);
    assert.deepEqual(reports, []);
    assert.deepEqual(consoleLines, []);
    const others = requestedUrls.filter(
      (url) => ![server.origin, site.origin].includes(new URL(url).origin) && !url.startsWith('data:'),
    );
    assert.deepEqual(others, []);
  }

  it('works, stores nothing, contacts no other origin and logs nothing in Chromium', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const [consoleLines, requestedUrls]: [string[], string[]] = [[], []];
      page.on('console', (message) => consoleLines.push(message.text()));
      page.on('pageerror', (error) => consoleLines.push(error.message));
      page.on('request', (request) => requestedUrls.push(request.url()));
      await page.addInitScript(RECORDER_SCRIPT);
      await page.goto(site.origin);
      await page.waitForFunction((count) => Reflect.get(window, 'watch').told.length === count, TAGS.length);
      await page.locator('changer-post article').waitFor();
      await page.waitForLoadState('networkidle');
      check({ consoleLines, requestedUrls, found: await page.evaluate(RESULT_SCRIPT) });
      for (const url of requestedUrls.filter((each) => each.includes('/assets/')))
        assert.match(new URL(url).pathname, /^\/assets\/[A-Z0-9]{8}\.js$/);
    } finally {
      await browser.close();
    }
  });

  it('works, stores nothing, contacts no other origin and logs nothing in Firefox', {
    skip: !existsSync(FIREFOX) && 'no Firefox here',
  }, async () => {
    const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
    try {
      const page = await browser.newPage();
      const [consoleLines, requestedUrls]: [string[], string[]] = [[], []];
      page.on('console', (message) => consoleLines.push(message.text()));
      page.on('pageerror', (error) => consoleLines.push(String(error)));
      page.on('request', (request) => requestedUrls.push(request.url()));
      await page.evaluateOnNewDocument(RECORDER_SCRIPT);
      await page.goto(site.origin);
      await page.waitForFunction((count) => Reflect.get(window, 'watch').told.length === count, {}, TAGS.length);
      await page.waitForFunction(() => !!document.querySelector('changer-post')?.shadowRoot?.querySelector('article'));
      check({ consoleLines, requestedUrls, found: await page.evaluate(RESULT_SCRIPT) });
    } finally {
      await browser.close();
    }
  });
});
