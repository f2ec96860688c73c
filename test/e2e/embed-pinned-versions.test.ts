// Pinned versions of tags: subresource integrity (SRI) and later responses of the server.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, listen, type Page, until } from '../support/browser.ts';
import {
  assertPrerenderedReplaced,
  firstPageRequests,
  isPrerenderRequest,
  PRERENDERED_TAGS,
  prerenderedTags,
  prerenderedTexts,
  RECORD_PRERENDERED_SCRIPT,
  waitUntilReplaced,
} from '../support/prerendered-tags.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

const CHANNEL = 'harbour_gazette_demo';
/** Content that a compromised server could send later than the version that a site pinned. */
const HOSTILE = '<img src="/none.png" onerror="window.ran = true"><a href="javascript:window.ran = true">x</a>';

describe('a tag of a pinned version', () => {
  let server: RunningServer;
  let browser: Browser;
  let version: { readonly version: string; readonly files: Record<string, { readonly integrity: string }> };
  let tags: Readonly<Record<string, string>>;
  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const read = async (path: string) => (await fetch(server.origin + path)).json();
    version = (await read('/elements/versions.json')).versions[0];
    const { items } = await read(`/api/channels/${CHANNEL}/posts?limit=1`);
    tags = prerenderedTags(CHANNEL, items[0].id);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  interface SiteVisit {
    readonly page: Page;
    readonly requestedUrls: readonly string[];
    readonly consoleLines: readonly string[];
  }

  /**
   * Opens a site with one tag and its pinned script. The browser checks the hash of the script, and a policy allows only our
   * origin.
   */
  async function onSite(
    tag: string,
    action: (site: SiteVisit) => Promise<void>,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<void> {
    const { integrity } = version.files[`${tag}.js`] ?? assert.fail(tag);
    const address = `${server.origin}/elements/v/${version.version}/${tag}.js`;
    const script = `<script type="module" src="${address}" integrity="${integrity}" crossorigin="anonymous"></script>`;
    const from = ['script', 'connect', 'img', 'media'].map((kind) => `${kind}-src ${server.origin}`);
    const policy = { 'content-security-policy': `default-src 'none'; ${from.join('; ')}` };
    const icon = `<link rel="icon" href="${server.origin}/icon.svg">`;
    const site = await startSite(icon + script + tags[tag], policy);
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
    const page = await context.newPage();
    const consoleLines = listen(page);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.addInitScript(RECORD_PRERENDERED_SCRIPT);
    try {
      await prepare(page);
      await page.goto(site.origin);
      await action({ page, requestedUrls, consoleLines });
    } finally {
      await context.close();
      site.stop();
    }
  }

  for (const tag of PRERENDERED_TAGS)
    it(`shows the server-rendered HTML until its own content is ready, and does not fetch it again: <${tag}>`, async () => {
      await onSite(tag, async ({ page, requestedUrls, consoleLines }) => {
        await assertPrerenderedReplaced(page, tag, requestedUrls, consoleLines);
      });
    });

  it('shows its content if there is no server-rendered HTML', async () => {
    const fail = (page: Page) => page.route(isDrawingUrl, (route) => route.fulfill({ status: 204 }));
    await onSite(
      'changer-channel',
      async ({ page, requestedUrls }) => {
        await waitUntilReplaced(page, 'changer-channel');
        assert.equal(await prerenderedTexts(page, 'changer-channel'), undefined);
        assert.notDeepEqual(firstPageRequests(requestedUrls, 'changer-channel'), []);
      },
      fail,
    );
  });

  it('runs no script in server-rendered HTML that the server changed later', async () => {
    const injectHostileMarkup = (page: Page) =>
      page.route(isDrawingUrl, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(/<article[^>]*>/, (openingTag) => openingTag + HOSTILE);
        await route.fulfill({ response, body });
      });
    const recordInsertedHtml = `
      const replace = ShadowRoot.prototype.replaceChildren;
      ShadowRoot.prototype.replaceChildren = function (...nodes) {
        window.put = nodes.map((node) => node.outerHTML).join('');
        return replace.apply(this, nodes);
      };
    `;
    await onSite(
      'changer-channel',
      async ({ page }) => {
        await until(() => page.evaluate<boolean>('(window.put ?? "").includes("none.png")'), 'the server-rendered HTML is shown');
        const insertedHtml = await page.evaluate<string>('window.put');
        assert.doesNotMatch(insertedHtml, /onerror|javascript:/);
        await waitUntilReplaced(page, 'changer-channel');
        assert.equal(await page.evaluate('window.ran'), undefined);
      },
      async (page) => {
        await page.addInitScript(recordInsertedHtml);
        await injectHostileMarkup(page);
      },
    );
  });
});

const isDrawingUrl = (url: URL): boolean => isPrerenderRequest(url.href);
