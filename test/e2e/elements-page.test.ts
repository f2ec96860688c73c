// Examples page of the tags (/elements).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

let server: RunningServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await server.stop();
});

interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
}

/** Opens the page of examples with the posts of the first channel, in a new browser context. */
async function open({
  width = 1280,
  colorScheme = 'light',
  locale = 'en-US',
}: OpenOptions = {}): Promise<{ page: Page; consoleLines: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, locale });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const consoleLines = listen(page);
  await page.goto(`${server.origin}/elements/`);
  await page.locator('#stage article').first().waitFor();
  return { page, consoleLines };
}

const snippetOf = (page: Page): Promise<string> => page.locator('#snippet').inputValue();

/** Returns the language, direction and heading of the document. */
const documentOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.querySelector('h1')?.textContent]);

describe('the examples page', () => {
  it('shows a tag at once, with our own files only and nothing in the console', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const [consoleLines, requestedUrls] = [listen(page), new Set<string>()];
    page.on('request', (request) => requestedUrls.add(new URL(request.url()).origin));
    const response = await page.goto(`${server.origin}/elements/`);
    assert.match(
      String(response?.headers()['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    await page.locator('#stage changer-channel article').first().waitFor();
    assert.deepEqual([...requestedUrls], [server.origin]);
    assert.deepEqual(consoleLines, []);
    await context.close();
  });

  it('sets each chosen attribute on the preview, and writes it into the snippet', async () => {
    const { page } = await open();
    await page.getByLabel('theme').selectOption('dark');
    await page.getByLabel('limit').fill('3');
    await page.getByLabel('lang').selectOption('ar');
    assert.equal(await page.locator('#stage changer-channel').getAttribute('theme'), 'dark');
    assert.match(await snippetOf(page), /<changer-channel channel-id="[\w-]+" limit="3" theme="dark" lang="ar">/);
    await page.locator('#stage [dir=rtl]').first().waitFor();
    await page.getByLabel('Custom colour').check();
    assert.match(await snippetOf(page), / accent="#[0-9a-f]{6}"/);
    await page.getByLabel('Custom colour').uncheck();
    assert.doesNotMatch(await snippetOf(page), /accent/);
    await page.context().close();
  });

  it('switches from tag to tag by keyboard, and shows each', async () => {
    const { page } = await open();
    await page.getByRole('radio', { name: 'channel' }).focus();
    const tags = await page.getByRole('radio').evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
    assert.ok(tags.length >= 4);
    for (const tag of [...tags.slice(1), tags[0]]) {
      await page.keyboard.press('ArrowRight');
      await page.locator(`#stage ${tag}`).waitFor();
      assert.match(await snippetOf(page), new RegExp(`</${tag}>$`));
      assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), tag);
    }
    await page.context().close();
  });

  it('applies lines that are edited by hand, and nothing else from them', async () => {
    const { page, consoleLines } = await open();
    await page
      .locator('#snippet')
      .fill(
        '<p title="a>b"><changer-feed\n theme=light limit = \'2\' onclick="alert(1)" bad accent="&quot;x"></changer-feed><img src="/none" onerror="alert(2)">',
      );
    await page.locator('#stage changer-feed').waitFor();
    assert.deepEqual(await page.locator('#stage changer-feed').evaluate((tag) => tag.getAttributeNames().sort()), [
      'accent',
      'limit',
      'theme',
    ]);
    assert.equal(await page.getByLabel('theme').inputValue(), 'light');
    assert.equal(await page.locator('#stage img[src="/none"]').count(), 0);
    await page.locator('#copy').focus();
    assert.match(
      await snippetOf(page),
      /^<script type="module" src="http[^"]+\/elements\/changer-feed\.js"><\/script>\n<changer-feed theme="light" limit="2" accent="&quot;x">/,
    );
    assert.deepEqual(consoleLines, []);
    await page.context().close();
  });

  for (const [version, choose] of [
    ['the newest version', ''],
    ['a pinned version', 'pinned'],
  ] as const) {
    it(`copies lines of ${version} that work on another site under a strict policy`, async () => {
      const { page } = await open();
      if (choose !== '') await page.getByLabel('Version').selectOption({ index: 1 });
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByText('Copied.').waitFor();
      const copiedSnippet = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copiedSnippet, await snippetOf(page));
      assert.equal(/integrity="sha384-[^"]+" crossorigin="anonymous"/.test(copiedSnippet), choose !== '');
      await page.context().close();
      await onSite(copiedSnippet, async (site, consoleLines) => {
        await site.locator('changer-channel article').first().waitFor();
        assert.deepEqual(consoleLines, []);
      });
    });
  }

  it('writes a line that includes the first posts in the page, in the chosen language', async () => {
    const { page } = await open();
    const box = page.getByLabel('Preload the first posts');
    assert.equal(await box.isEnabled(), false);
    await page.getByLabel('lang').selectOption('ar');
    await box.check();
    const lines = await snippetOf(page);
    await page.getByLabel('Version').selectOption({ index: 1 });
    assert.equal(await box.isEnabled(), false);
    assert.doesNotMatch(await snippetOf(page), /preload/);
    await page.context().close();
    const [, address = ''] =
      /^<link rel="preload" as="fetch" crossorigin href="([^"]+)">\n<script/.exec(lines) ?? assert.fail(lines);
    const requestedUrls: string[] = [];
    const recordDrawnUrl = (url: string) => url.includes('/drawn/') && requestedUrls.push(url);
    const assertOneRequest = async (site: Page, consoleLines: string[]): Promise<void> => {
      await site.locator('changer-channel article').first().waitFor();
      assert.deepEqual(requestedUrls, [address.replaceAll('&amp;', '&')]);
      assert.deepEqual(consoleLines, []);
    };
    await onSite(lines, assertOneRequest, recordDrawnUrl);

    // The script may also load later than the server-rendered HTML.
    requestedUrls.length = 0;
    const [ahead = '', ...rest] = lines.split('\n');
    await onSite(
      ahead,
      async (site, consoleLines) => {
        await until(
          () => site.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/drawn/'))),
          'the posts came',
        );
        await site.evaluate(
          (html) => document.body.append(document.createRange().createContextualFragment(html)),
          rest.join('\n'),
        );
        await assertOneRequest(site, consoleLines);
      },
      recordDrawnUrl,
    );
  });

  it('writes snippets of two versions that report a conflict on one page', async () => {
    const { page } = await open();
    const newest = await snippetOf(page);
    const version = await page.getByLabel('Version').locator('option').nth(1).textContent();
    await page.getByLabel('Version').selectOption({ index: 1 });
    const pinned = await snippetOf(page);
    await page.context().close();
    await onSite(`${pinned}${newest}`, async (site) => {
      await site.locator('changer-channel article').first().waitFor();
      await site.waitForFunction(() => Reflect.get(window, 'conflicts').length === 1);
      const { kept, refused } = (await site.evaluate('conflicts[0]')) as { kept: string; refused: string };
      assert.deepEqual([kept, refused].filter((each) => each === version).length, 1);
      assert.notEqual(kept, refused);
    });
  });

  it('rejects a pinned script that does not match its hash, and keeps the link', async () => {
    const { page } = await open();
    await page.getByLabel('Version').selectOption({ index: 1 });
    const tampered = (await snippetOf(page)).replace(/sha384-.{4}/, 'sha384-AAAA');
    await page.context().close();
    await onSite(tampered, async (site, consoleLines) => {
      await until(
        async () => consoleLines.some((line) => line.includes('integrity')),
        'the browser reports that it rejected the script',
      );
      assert.ok(await site.getByRole('link', { name: 'Harbour Gazette' }).isVisible());
      assert.equal(await site.evaluate(() => customElements.get('changer-channel') === undefined), true);
    });
  });

  it('uses the first supported language of the browser, right to left if needed, and offers all languages', async () => {
    const { page, consoleLines } = await open({ locale: 'ar-EG' });
    assert.deepEqual(await documentOf(page), ['ar', 'rtl', 'قناة في موقعك']);
    assert.equal(await page.locator('#stage [dir]').first().getAttribute('dir'), 'rtl');
    await page.getByLabel('theme').selectOption('dark');
    assert.match(
      await snippetOf(page),
      /^<script type="module" src="http[^"]+"><\/script>\n<changer-channel [^>]+ theme="dark">/,
    );
    await page.getByRole('link', { name: 'Русский' }).click();
    await page.locator('#stage article').first().waitFor();
    assert.deepEqual(await documentOf(page), ['ru', 'ltr', 'Канал на вашем сайте']);
    assert.match(new URL(page.url()).search, /^\?lang=ru$/);
    assert.equal(await page.getByRole('link', { name: 'Русский' }).getAttribute('aria-current'), 'true');
    assert.deepEqual(consoleLines, []);
    await page.context().close();
  });

  it('uses English if the app supports none of the languages of the browser', async () => {
    const { page } = await open({ locale: 'de-DE' });
    assert.deepEqual(await documentOf(page), ['en', 'ltr', 'A channel on your site']);
    for (const query of ['lang=ca-valencia', 'lang=', 'lang=ru&lang=ar'])
      assert.equal((await page.request.get(`${server.origin}/elements/?${query}`)).status(), 200, query);
    await page.context().close();
  });

  it('opens if the browser blocks storage', async () => {
    const { page } = await open();
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    });
    await page.reload();
    await page.locator('html[lang=en] #stage article').first().waitFor();
    await page.context().close();
  });

  it('uses the language chosen in the app, unless its address names one', async () => {
    const { page } = await open();
    await page.evaluate(() => localStorage.setItem('changer_locale', 'ru'));
    await page.goto(`${server.origin}/elements/`);
    await page.locator('html[lang=ru] #stage article').first().waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('html[lang=en] #stage article').first().waitFor();
    await page.context().close();
  });

  for (const lang of ['ru', 'ar'])
    it(`has no English text in ${lang}, except code`, async () => {
      const { page } = await open({ locale: lang });
      for (const summary of await page.locator('summary').all()) await summary.click();
      const texts = await page.evaluate(() => {
        for (const element of document.querySelectorAll(
          'script, style, textarea, code, small, select, nav, bdi, #told, #stage, .segments label',
        ))
          element.remove();
        return [...document.querySelectorAll('body *')]
          .flatMap(({ childNodes }) =>
            [...childNodes].filter(({ nodeName }) => nodeName === '#text').map(({ textContent }) => textContent?.trim() ?? ''),
          )
          .filter((text) => /\p{L}/u.test(text));
      });
      assert.ok(texts.length > 60, String(texts.length));
      assert.deepEqual(
        texts.filter((line) => !/[^\P{L}\p{Script=Latin}]/u.test(line)),
        [],
      );
      await page.context().close();
    });

  for (const [colorScheme, width, locale] of [
    ['light', 390, 'en'],
    ['light', 1280, 'en'],
    ['dark', 390, 'en'],
    ['dark', 1280, 'en'],
    ['light', 390, 'ru'],
    ['dark', 1280, 'ar'],
  ] as const)
    it(`fits and passes axe, ${colorScheme}, ${width} wide, in ${locale}`, async () => {
      const { page } = await open({ width, colorScheme, locale });
      for (const summary of await page.locator('summary').all()) await summary.click();
      await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
      const violations = await page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join())]))`,
      );
      assert.deepEqual(violations, []);
      const [scroll, shown] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok((scroll ?? 0) <= (shown ?? 0), `${scroll} > ${shown}`);
      await page.context().close();
    });
});

/** Opens a page of another origin with these lines. Its policy allows only our origin. */
async function onSite(
  lines: string,
  action: (page: Page, consoleLines: string[]) => Promise<void>,
  onRequest: (url: string) => unknown = () => {},
): Promise<void> {
  const site = createServer((_request, response) => {
    const from = ['script', 'connect', 'img', 'media', 'style'].map((kind) => `${kind}-src ${server.origin}`).join('; ');
    response.setHeader('content-security-policy', `default-src 'none'; ${from}`);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="${server.origin}/icon.svg">${lines}`,
    );
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const page = await browser.newPage();
  const consoleLines = listen(page);
  page.on('request', (request) => onRequest(request.url()));
  await page.addInitScript(
    `window.conflicts = []; document.addEventListener('changer-version-conflict', ({ detail }) => conflicts.push(detail));`,
  );
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    await action(page, consoleLines);
  } finally {
    await page.close();
    site.close();
  }
}
