// Trusted Types and Content-Security-Policy of our pages: no violations.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, type Page, workerControls } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** Script that runs before any script of the page and its frames. It records violations of a policy. */
const RECORDER_SCRIPT = `{
  window.refused = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    window.refused.push([violatedDirective, blockedURI, sample].join(' ')));
}`;

const ROUTES = [
  '/',
  '/main',
  '/channel/CHANNEL',
  '/changer',
  '/test',
  '/webapp/close',
  '/nothing',
  '/privacy',
  '/elements',
  '/dev/telegram',
];

describe('the Content Security Policy of our pages', () => {
  let server: RunningServer;
  let browser: Browser;
  let channel: string;

  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ development: true, env: { BOT_TOKEN: '12345:TEST' } }),
      launchBrowser(),
    ]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    channel = items[0].id;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  const addressOf = (route: string) => server.origin + route.replace('CHANNEL', channel);

  async function visit(route: string): Promise<Page> {
    const context = await browser.newContext();
    // The event stream never ends, so the network would never be idle.
    await context.route('**/api/events*', (route) => route.fulfill({ status: 404 }));
    const page = await context.newPage();
    await page.addInitScript(RECORDER_SCRIPT);
    await page.goto(addressOf(route));
    await page.waitForLoadState('networkidle');
    return page;
  }

  /** Returns the violations in the page and its frames. */
  const violations = async (page: Page) =>
    (await Promise.all(page.frames().map((frame) => frame.evaluate(() => Reflect.get(window, 'refused') as string[])))).flat();

  for (const route of ROUTES)
    it(`allows everything that ${route} does, and rejects a string as markup`, async () => {
      const page = await visit(route);
      assert.deepEqual(await violations(page), []);
      const outcome = await page.evaluate(() => {
        try {
          document.createElement('div').innerHTML = '<b>x</b>';
          return 'taken';
        } catch (error) {
          return error instanceof TypeError ? 'thrown' : String(error);
        }
      });
      assert.equal(outcome, 'thrown');
      await page.context().close();
    });

  it('allows the registration of the service worker, and rejects other Trusted Types policies', async () => {
    const page = await visit('/main');
    await workerControls(page);
    assert.deepEqual(await violations(page), []);
    const policyCreated = await page.evaluate(() => {
      const types = Reflect.get(window, 'trustedTypes') as { createPolicy(name: string, rules: object): unknown };
      return ['changer', 'default', 'other'].filter((name) => {
        try {
          return types.createPolicy(name, {}) !== undefined;
        } catch {
          return false;
        }
      });
    });
    assert.deepEqual(policyCreated, []);
    await page.context().close();
  });

  for (const route of ROUTES)
    it(`lists each inline script and style of ${route} by its hash, and nothing else is inline`, async () => {
      const response = await fetch(addressOf(route));
      const policy = response.headers.get('content-security-policy') ?? '';
      const html = await response.text();
      const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      await page.setContent(html.replace(/<template shadowrootmode="open">/g, '<template>'));
      const found = await page.evaluate(() => {
        const roots = [document, ...[...document.querySelectorAll('template')].map(({ content }) => content)];
        const all = roots.flatMap((root) => [...root.querySelectorAll('*')]);
        return {
          inline: all
            .filter((each) => each.matches('style, script:not([src], [type="application/json"], [type="application/ld+json"])'))
            .map((each) => [each.localName, each.textContent]),
          attributes: all.flatMap((each) => each.getAttributeNames().filter((name) => /^on|^style$/.test(name))),
          addresses: all
            .map((each) => each.getAttribute('href') ?? each.getAttribute('src') ?? '')
            .filter((each) => /^\s*(javascript|data|vbscript):/i.test(each)),
        };
      });
      await page.context().close();
      const sources = (kind: string) => new RegExp(`(?:^|; )${kind}-src ([^;]*)`).exec(policy)?.[1] ?? '';
      for (const [kind, text] of found.inline)
        assert.ok(
          sources(kind === 'script' ? 'script' : 'style').includes(
            `'sha256-${createHash('sha256')
              .update(text ?? '')
              .digest('base64')}'`,
          ),
          `${kind}: ${text?.slice(0, 80)}`,
        );
      assert.deepEqual([found.attributes, found.addresses], [[], []]);
    });
});
