// Private channels on a third-party site, by access tokens (JWT).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSiteKeySecrets } from '../../server/auth/site-grants.ts';
import type { Store } from '../../server/storage/ports/store.ts';
import { signGrant } from '../server/auth/sign-token.ts';
import { channel, fill } from '../server/support/make-app.ts';
import { type Browser, launchBrowser, type Page } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** A request of a tag to the API, and its access token. */
interface ApiRequest {
  readonly url: string;
  readonly grant: string | undefined;
}

describe('a private channel on a third-party site', () => {
  let server: RunningServer;
  let browser: Browser;
  let store: Store;
  let site: Site;
  let sign: (options: { life?: number; ago?: number; channels?: readonly string[] }) => string;

  before(async () => {
    [server, browser] = await Promise.all([startServer({ demo: false }), launchBrowser()]);
    store = await server.openStore();
    await fill(store, channel('9', { private: true, title: 'Club' }), 50);
    await fill(store, channel('8', { private: true, title: 'Choir' }), 5);
    const failureRecorder = `<script>window.failed = []; addEventListener('changer-failed', ({ detail }) => failed.push(detail.message));</script>`;
    site = await startSite(
      `${failureRecorder}${['channel', 'post'].map((tag) => `<script type="module" src="${server.origin}/elements/changer-${tag}.js"></script>`).join('')}`,
    );
    await store.putSiteKey({ id: 'k', origin: site.origin, channels: ['8', '9'], at: 1 });
    const secret = (await openSiteKeySecrets(store)).secretOf('k');
    sign = ({ ago = 0, ...options }) => signGrant({ id: 'k', secret }, { now: Math.floor(Date.now() / 1000) - ago, ...options });
  });
  after(async () => {
    site.stop();
    await Promise.all([browser.close(), store.close()]);
    await server.stop();
  });

  /** Opens the page of the site with this markup, and records the requests to the API. */
  async function open(markup: string, action: (page: Page, apiRequests: readonly ApiRequest[]) => Promise<void>): Promise<void> {
    const page = await (await browser.newContext()).newPage();
    const apiRequests: ApiRequest[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith(`${server.origin}/api/`) && request.method() === 'GET')
        apiRequests.push({ url, grant: request.headers()['access-token'] });
    });
    try {
      await page.goto(site.origin);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), markup);
      await action(page, apiRequests);
    } finally {
      await page.context().close();
    }
  }

  const failures = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'failed'));
  const grantOf = (page: Page, grant: string | null): Promise<void> =>
    page.evaluate((value) => {
      for (const tag of document.querySelectorAll('[channel-id]')) Reflect.set(tag, 'grant', value ?? undefined);
    }, grant);

  it('is shown with an access token, which is in no URL, and not by another tag without a token', async () => {
    const grant = sign({});
    await open(
      `<changer-channel channel-id="9" grant="${grant}"></changer-channel>
       <changer-post channel-id="9" post-id="7"><p>Members only</p></changer-post>`,
      async (page, apiRequests) => {
        await page.locator('changer-channel article').first().waitFor();
        await page.getByText('Members only').waitFor();
        assert.equal(await page.locator('changer-post article').count(), 0);
        assert.deepEqual(new Set(apiRequests.map((each) => each.grant)), new Set([grant, undefined]));
        for (const { url } of apiRequests) assert.ok(!url.includes(grant.split('.')[2] ?? grant), url);
      },
    );
  });

  it('is replaced by the children and a reason when the access token has expired, and is shown again with a new one', async () => {
    await open(
      `<changer-channel channel-id="9" grant="${sign({ ago: 3700, life: 3600 })}"><p>Sign in to read</p></changer-channel>`,
      async (page) => {
        await page.getByText('Sign in to read').waitFor();
        await page.waitForFunction(() => JSON.stringify(Reflect.get(window, 'failed')) !== '[]');
        assert.match(String(await failures(page)), /The grant has expired/);
        await grantOf(page, sign({}));
        await page.locator('changer-channel article').first().waitFor();
        assert.equal(await page.getByText('Sign in to read').isVisible(), false);
      },
    );
  });

  it('is not fetched again for a new access token, which all later requests use', async () => {
    const [first, fresh] = [sign({ life: 3000 }), sign({ life: 3600 })];
    await open(`<changer-channel channel-id="9" limit="20" grant="${first}"></changer-channel>`, async (page, apiRequests) => {
      await page.getByText('Post 50 of Club').waitFor();
      await page.waitForLoadState('networkidle');
      await grantOf(page, fresh);
      // A tag that still has the previous token uses the fresh one, too.
      const secondTag = `<changer-post channel-id="9" post-id="3" grant="${first}"></changer-post>`;
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), secondTag);
      await page.locator('changer-post').getByText('Post 3 of Club').waitFor();
      const urlsWithGrant = (grant: string) => apiRequests.filter((each) => each.grant === grant).map(({ url }) => url);
      assert.ok(urlsWithGrant(fresh).some((url) => url.endsWith('/api/posts/9/3')));
      assert.deepEqual(
        urlsWithGrant(fresh).filter((url) => urlsWithGrant(first).includes(url)),
        [],
      );
    });
  });

  it('is not shared with tags whose access token is for other channels', async () => {
    const grantFor = (id: string) => sign({ channels: [id] });
    await open(
      ['9', '8'].map((id) => `<changer-channel channel-id="${id}" grant="${grantFor(id)}"></changer-channel>`).join(''),
      async (page, apiRequests) => {
        await page.getByText('Post 50 of Club').waitFor();
        await page.getByText('Post 5 of Choir').waitFor();
        assert.equal(new Set(apiRequests.map((each) => each.grant)).size, 2);
      },
    );
  });
});
