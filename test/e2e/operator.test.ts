// Operator end to end: hidden posts, connections and brand in the app.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { startBotApi } from '../bot-api/bot-api.ts';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  listen,
  type Page,
  until,
  workerControls,
} from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('an operator', () => {
  let telegram: Awaited<ReturnType<typeof startBotApi>>;
  let server: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let lines: string[];

  before(async () => {
    telegram = await startBotApi();
    const { root, token, operator } = telegram;
    const env = { BOT_API_ROOT: root, BOT_TOKEN: token, OPERATOR_IDS: String(operator.id), BRAND_NAME: 'Settings' };
    [server, browser] = await Promise.all([startServer({ development: true, env }), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
    await telegram.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
    page = await context.newPage();
    lines = listen(page);
  });
  afterEach(() => context.close());

  /** Opens a path of the app as Telegram for Android does, for a user. */
  async function launch(user: number, path: string, of = page): Promise<void> {
    const data = await (await fetch(`${server.origin}/dev/launch-data?user=${user}&name=Olga`)).text();
    await asTelegram(of);
    await of.goto(`${server.origin}${path}${launchHash(ANDROID, DARK, data)}`);
  }
  const button = (name: string, of: Pick<Page, 'getByRole'> = page) => of.getByRole('button', { name, exact: true });
  const text = (label: string, of = page) => of.getByText(label, { exact: true });
  const posts = (of = page) => of.locator('changer-feed article:not(.service)');
  const keys = async (of = page) => posts(of).evaluateAll((all) => all.map((each) => each.getAttribute('data-key')));

  it('hides a post, which disappears for every reader without a reload, and undoes that', async () => {
    const reader = await context.newPage();
    await reader.goto(`${server.origin}/main`);
    await posts(reader).first().waitFor();
    await launch(telegram.operator.id, '/main');
    const hide = button('Hide for readers', posts().first());
    await hide.waitFor();
    const [key, next] = await keys();
    const isShown = async (of: Page) => (await keys(of)).includes(key ?? null);
    await hide.click();
    await text('Hidden for readers').waitFor();
    await until(async () => !(await isShown(page)), 'the post is removed');
    assert.equal(
      await page.evaluate(() => document.querySelector('changer-feed')?.shadowRoot?.activeElement?.getAttribute('data-key')),
      next,
    );
    assert.equal((await fetch(`${server.origin}/api/posts/${key}`)).status, 404);
    await until(async () => !(await isShown(reader)), 'the post is removed for the reader');

    await button('Undo').click();
    await until(() => isShown(page), 'the post is back');
    await until(() => isShown(reader), 'the post is back for the reader');
    assert.equal((await fetch(`${server.origin}/api/posts/${key}`)).status, 200);
  });

  it('finds a hidden post and restores it, and the audit log records both', async () => {
    const { items } = await (await fetch(`${server.origin}/api/feed?limit=5`)).json();
    const post = items.find((each: { service?: unknown }) => each.service === undefined);
    await launch(telegram.operator.id, `/channel/${post.channelId}?post=${post.id}`);
    await page.locator('changer-channel [aria-current=true]').getByRole('button', { name: 'Hide for readers' }).click();
    await text('Hidden for readers').waitFor();

    await launch(telegram.operator.id, '/changer');
    await page.getByRole('link', { name: 'Operator', exact: true }).click();
    await page.getByRole('link', { name: 'Hidden', exact: true }).click();
    await page.getByRole('button', { name: /^Restore the post of/ }).click();
    await text('Readers see it again.').waitFor();
    await text('Nothing is hidden').waitFor();
    assert.equal((await fetch(`${server.origin}/api/posts/${post.channelId}/${post.id}`)).status, 200);

    await page.getByRole('link', { name: 'History', exact: true }).click();
    const first = page.getByRole('list', { name: 'History' }).getByRole('listitem').first();
    await first.waitFor();
    assert.match((await first.textContent()) ?? '', new RegExp(`Restored a post.*post ${post.id}.*Olga`));
  });

  it('changes the brand, which the shell and the manifest then show', async () => {
    await launch(telegram.operator.id, '/changer?operator=brand');
    await page.getByLabel('Name', { exact: true }).fill('Telegram City');
    await button('Save').click();
    await page.getByRole('alert').filter({ hasText: 'only after "Unofficial"' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('City Channels');
    await page.getByLabel('Colour', { exact: true }).fill('#aa0011');
    const logo = await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 200 });
      canvas.getContext('2d')?.fillRect(20, 20, 160, 160);
      return canvas.toDataURL().split(',')[1];
    });
    await page
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(logo ?? '', 'base64') });
    await page.locator('.brand-preview img').waitFor();
    await button('Save').click();
    await text('Saved. Readers see it when they next open the app.').waitFor();

    const manifest = await (await fetch(`${server.origin}/manifest.webmanifest`)).json();
    assert.deepEqual([manifest.name, manifest.theme_color], ['City Channels', '#aa0011']);
    assert.equal((await fetch(new URL(manifest.icons[0].src, server.origin))).headers.get('content-type'), 'image/png');
    const reader = await context.newPage();
    await reader.goto(`${server.origin}/main`);
    assert.equal(await reader.title(), 'City Channels');
    await button('Back to the settings’ brand').click();
    await until(
      async () => (await (await fetch(`${server.origin}/main`)).text()).includes('<title>Settings'),
      'the settings are back',
    );
  });

  it('sees the new brand after a reload, also if a service worker serves the app', async () => {
    const ownContext = await browser.newContext({ locale: 'en-GB' });
    const brandPage = await ownContext.newPage();
    await launch(telegram.operator.id, '/changer?operator=brand', brandPage);
    await workerControls(brandPage);
    await brandPage.getByLabel('Name', { exact: true }).fill('Quay News');
    await button('Save', brandPage).click();
    await button('Reload', brandPage).click();
    await until(async () => (await brandPage.title()).endsWith('Quay News'), 'the title is updated');
    await button('Back to the settings’ brand', brandPage).click();
    await button('Reload', brandPage).waitFor();
    await ownContext.close();
  });

  it('connects a channel, which appears without a reload, and disconnects it', async () => {
    await launch(telegram.operator.id, '/changer?operator');
    await button('Connect a channel').click();
    await text('Waiting for the channel…').waitFor();
    const quay = telegram.channel({ title: 'Low Quay', username: 'low_quay', others: 3 });
    quay.addBot(telegram.operator);
    await text('Connected: Low Quay').waitFor();
    await button('Done').click();

    const row = page.getByRole('list', { name: 'Channels' }).getByRole('button', { name: /^Low Quay/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Low Quay' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await row.evaluate((each) => each.matches(':focus')), true);

    await row.click();
    await button('Disconnect…').click();
    await page.getByRole('radio', { name: 'Delete posts and files' }).check();
    await button('Disconnect and delete').click();
    await page.getByText('Disconnected: Low Quay').waitFor();
    assert.equal((await fetch(`${server.origin}/api/channels/low_quay`)).status, 404);
    await button('Undo').click();
    await text('Connected again.').waitFor();
    assert.equal((await fetch(`${server.origin}/api/channels/low_quay`)).status, 200);
  });

  it('sees the error message of the server for an invalid feed', async () => {
    await launch(telegram.operator.id, '/changer?operator');
    await button('Add a feed').click();
    await page.getByLabel('Address of an RSS, Atom or JSON feed').fill('http://127.0.0.1/feed.xml');
    await button('Add').click();
    await page.getByRole('alert').filter({ hasText: '127.0.0.1' }).waitFor();
  });

  it('is the only user with operator controls: a plain reader can only connect a channel of their own', async () => {
    await launch(5, '/main');
    await posts().first().waitFor();
    await until(async () => page.evaluate(() => sessionStorage.getItem('access_token') !== null), 'the reader is signed in');
    assert.equal(await button('Hide for readers').count(), 0);
    await launch(5, '/changer');
    await page.getByRole('link', { name: 'Connect a channel that you administer' }).click();
    await button('Connect a channel').waitFor();
    await text('No channels yet').waitFor();
    for (const name of ['Add a feed', 'Save']) assert.equal(await button(name).count(), 0, name);
    assert.equal(await page.getByRole('link', { name: 'Brand', exact: true }).count(), 0);
    assert.deepEqual(
      lines.filter((line) => line.startsWith('uncaught')),
      [],
    );
  });
});
