import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

describe('the sizes of a tag', () => {
  let server: RunningServer;
  let browser: Browser;
  let post: string;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    post = `channel-id="${items[0].id}" post-id="${items[0].latest.id}"`;
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /**
   * Returns the font size in a tag on a site with this CSS rule, and the rules of its style sheets that depend on the root font
   * size of the site (rem). Style sheets that load later are included.
   */
  async function measureFontSize(tag: string, rule: string) {
    const script = `<script type="module" src="${server.origin}/elements/${tag}.js"></script>`;
    const site = await startSite(`<style>${rule}</style>${script}<${tag} ${post} q="a" limit="3" hydrate="load"></${tag}>`);
    const page = await browser.newPage();
    try {
      await page.goto(site.origin);
      await page.locator(`${tag} .root:not(.drawn) :is(article, .row)`).first().waitFor();
      await page.waitForLoadState('networkidle');
      return await page.evaluate((name) => {
        const root = document.querySelector(name)?.shadowRoot;
        const tagRoot = root?.querySelector('.root');
        const rules = (root?.adoptedStyleSheets ?? []).flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
        return {
          size: tagRoot && getComputedStyle(tagRoot).fontSize,
          bySite: rules.filter((text) => /[\d.]rem\b/.test(text)),
          hasRules: rules.length > 50,
        };
      }, tag);
    } finally {
      await page.close();
      site.stop();
    }
  }

  for (const tag of ['changer-channel', 'changer-feed', 'changer-post', 'changer-dial', 'changer-search'])
    it(`follow the text size of the reader, not the root font size of the site: ${tag}`, async () => {
      const plain = await measureFontSize(tag, '');
      assert.deepEqual(plain, { size: '16px', bySite: [], hasRules: true });
      for (const size of ['62.5%', '32px']) {
        assert.deepEqual(await measureFontSize(tag, `html { font-size: ${size} }`), plain, size);
      }
    });
});
