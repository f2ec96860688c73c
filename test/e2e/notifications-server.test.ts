// Notifications with the real server: the choices of a reader in the app, and the device that moves to an account.

import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { channel, fill } from '../server/support/make-app.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
  until,
  workerControls,
} from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** Replaces the push service of the browser, which tests cannot reach, by one with valid keys. */
function pushService(): string {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  const json = { endpoint: 'https://push.example.com/device', keys: { p256dh, auth: randomBytes(16).toString('base64url') } };
  return `(() => {
    const subscription = {
      options: {},
      toJSON: () => (${JSON.stringify(json)}),
      unsubscribe: async () => { localStorage.removeItem('test-subscribed'); return true; },
    };
    PushManager.prototype.subscribe = async () => { localStorage.setItem('test-subscribed', '1'); return subscription; };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('test-subscribed') ? subscription : null);
  })()`;
}

/** Response of GET /api/notifications, as far as these tests read it. */
interface Stored {
  readonly settings: { readonly delivery: string; readonly quiet: object | null; readonly timeZone: string };
  readonly choices: readonly { readonly channelId: string; readonly mode: string; readonly words: readonly string[] }[];
  readonly devices: readonly { readonly isCurrent: boolean }[];
}

describe('notifications with the server', () => {
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ demo: false, development: true, env: { BOT_TOKEN: '12345:TEST' } }),
      launchBrowser(),
    ]);
    const store = await server.openStore();
    await fill(store, channel('1', { title: 'Alpha' }), 5);
    await store.close();
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function inApp(use: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 390, height: 844 },
    });
    try {
      await context.grantPermissions(['notifications'], { origin: server.origin });
      await context.addInitScript(pushService());
      const page = await context.newPage();
      await page.goto(`${server.origin}/channel/1`);
      await workerControls(page);
      await use(page, context);
    } finally {
      await context.close();
    }
  }
  /** Turns notifications on by choosing all posts of the channel. */
  async function chooseAll(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await page.getByRole('radio', { name: 'All posts' }).check();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Notifications are on for this device.').waitFor();
  }
  const deviceToken = (page: Page): Promise<string> =>
    page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('changer-public');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('things').objectStore('things').get('push-device');
        reading.onsuccess = () => { opening.result.close(); resolve(reading.result?.token ?? ''); };
      };
    })`);
  const stored = async (headers: Record<string, string>): Promise<Stored> =>
    (await fetch(`${server.origin}/api/notifications`, { headers })).json();

  it('stores the choice, words, digest and quiet hours of an anonymous reader, and deletes them all', async () => {
    await inApp(async (page) => {
      await chooseAll(page);
      const headers = { 'x-changer-device': await deviceToken(page) };
      await until(async () => (await stored(headers)).choices[0]?.mode === 'all', 'the choice is stored');
      await page.getByRole('radio', { name: 'With words' }).check();
      await page.getByLabel('A word of the posts').fill('ferry');
      await page.getByRole('button', { name: 'Add' }).click();
      await until(async () => (await stored(headers)).choices[0]?.mode === 'words', 'the words are stored');
      assert.deepEqual((await stored(headers)).choices, [{ channelId: '1', mode: 'words', words: ['ferry'] }]);
      await page.getByRole('link', { name: 'Times, devices and all channels' }).click();
      await page.getByRole('radio', { name: 'Once a day' }).check();
      await page.getByRole('switch', { name: 'Quiet hours' }).check();
      await until(async () => (await stored(headers)).settings.quiet !== null, 'the quiet hours are stored');
      const { delivery, timeZone } = (await stored(headers)).settings;
      assert.deepEqual([delivery, timeZone], ['daily', 'Europe/Berlin']);
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByText('A notification is on its way.').waitFor();
      await page.getByRole('button', { name: 'Turn all off…' }).click();
      await page.getByRole('button', { name: 'Turn all off', exact: true }).click();
      await page.getByRole('heading', { name: 'Off on this device' }).waitFor();
      assert.deepEqual(await stored(headers), { ...(await stored({})), choices: [], devices: [] });
    });
  });

  it('moves the device and its choices to the account at a sign-in, and removes the device at the sign-out', async () => {
    await inApp(async (page) => {
      await chooseAll(page);
      const launchData = await (await fetch(`${server.origin}/dev/launch-data?user=6&name=Ada`)).text();
      await asTelegram(page);
      await page.goto('about:blank');
      await page.goto(`${server.origin}/main${launchHash(ANDROID, DARK, launchData)}`);
      const token = () => page.evaluate(() => sessionStorage.getItem('access_token') ?? '');
      await until(async () => (await token()) !== '', 'the reader is signed in');
      const headers = { 'access-token': await token() };
      await until(async () => (await stored(headers)).devices.length === 1, 'the device is that of the account');
      assert.deepEqual((await stored(headers)).choices, [{ channelId: '1', mode: 'all', words: [] }]);
      await page.evaluate(`document.querySelector('changer-layout').services.environment.signOut()`);
      await until(async () => (await token()) === '', 'the reader is signed out');
      assert.equal(await page.evaluate(() => localStorage.getItem('test-subscribed')), null);
      const again = await fetch(`${server.origin}/api/telegram/auth/webapp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ initData: launchData }),
      });
      const body = await again.json();
      assert.deepEqual((await stored({ 'access-token': body['Access-Token'] })).devices, []);
    });
  });
});
