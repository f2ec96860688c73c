// Push notifications in the service worker and the app: shown, replaced, opened, closed, and counted on the icon.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { CDPSession, Worker } from 'playwright-core';
import type { PushPayload } from '../../contract/notifications.ts';
import type { Store } from '../../server/storage/ports/store.ts';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { channel, fill } from '../server/support/make-app.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
  readIndexedDbText,
  until,
  workerControls,
} from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const POST: Extract<PushPayload, { readonly type: 'post' }> = {
  type: 'post',
  channelId: '1',
  postId: 20,
  title: 'Alpha',
  body: 'The ferry is running again.',
  language: 'en',
  direction: 'ltr',
  url: '/channel/1?post=20',
  count: 1,
  sentAt: 1_700_000_000,
};

interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly lang: string;
  readonly dir: string;
  readonly silent: boolean | null;
}

/**
 * Replaces the push service of the browser, which tests cannot reach. The subscription is stored like the real one, so that a
 * reload finds it.
 */
const PUSH_SERVICE = `(() => {
  const subscription = {
    options: {},
    toJSON: () => ({ endpoint: 'https://push.example/device', keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } }),
    unsubscribe: async () => { localStorage.removeItem('test-subscribed'); return true; },
  };
  PushManager.prototype.subscribe = async () => { localStorage.setItem('test-subscribed', '1'); return subscription; };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('test-subscribed') ? subscription : null);
})()`;

/** Records in the worker what a browser without a display does not do. */
const RECORD = `(() => {
  self.recorded = [];
  navigator.setAppBadge = async (count) => void self.recorded.push('badge ' + count);
  navigator.clearAppBadge = async () => void self.recorded.push('badge 0');
  self.clients.openWindow = async (path) => void self.recorded.push('open ' + path);
})()`;

describe('push notifications', () => {
  let server: RunningServer;
  let store: Store;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let devtools: CDPSession;
  let worker: Worker;
  let registrationId: string;

  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ demo: false, development: true, env: { BOT_TOKEN: '12345:TEST' } }),
      launchBrowser(),
    ]);
    store = await server.openStore();
    await fill(store, channel('1', { title: 'Alpha' }), 20);
    await fill(store, channel('2', { title: 'Beta' }), 20);
  });
  after(async () => {
    await Promise.all([browser.close(), store.close()]);
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } });
    await context.grantPermissions(['notifications'], { origin: server.origin });
    await context.addInitScript(PUSH_SERVICE);
    page = await context.newPage();
    devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
        if (registration !== undefined) resolve(registration.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    await page.goto(`${server.origin}/main`);
    await workerControls(page);
    registrationId = await registered;
    const [found] = context.serviceWorkers();
    assert.ok(found);
    worker = found;
    await worker.evaluate(RECORD);
  });
  afterEach(() => context.close());

  const deliver = (payload: PushPayload | string) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: server.origin,
      registrationId,
      data: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  const notifications = (): Promise<ShownNotification[]> =>
    worker.evaluate(`self.registration.getNotifications().then((all) => all.map(({ title, body, tag, lang, dir, silent }) =>
      ({ title, body, tag, lang, dir, silent })))`);
  const titles = async () => (await notifications()).map(({ title }) => title);
  const showsTitles = (...expected: readonly string[]) =>
    until(async () => String(await titles()) === String(expected), `the notifications are: ${expected}`);
  const recorded = (): Promise<string[]> => worker.evaluate('self.recorded');
  const lastRecorded = (expected: string) => until(async () => (await recorded()).at(-1) === expected, expected);
  /** Dispatches an event of the first notification, as the browser does after the reader's action. */
  const act = (type: 'notificationclick' | 'notificationclose'): Promise<void> =>
    worker.evaluate(`self.registration.getNotifications().then(([notification]) => {
      const event = new NotificationEvent('${type}', { notification, action: '' });
      const waits = [];
      event.waitUntil = (promise) => waits.push(promise);
      if ('${type}' === 'notificationclose') notification.close();
      self.dispatchEvent(event);
      return Promise.all(waits).then(() => {});
    })`);
  /** Opens an empty page, so that no window of the app is visible. */
  const leaveApp = () => page.goto('about:blank');

  it('shows a post with its texts, language and direction, and counts it on the icon', async () => {
    await leaveApp();
    await deliver({ ...POST, title: 'مرصد', body: 'إغلاق شارع الميناء', language: 'ar', direction: 'rtl' });
    await showsTitles('مرصد');
    const [shown] = await notifications();
    assert.deepEqual(shown, {
      title: 'مرصد',
      body: 'إغلاق شارع الميناء',
      tag: 'channel:1',
      lang: 'ar',
      dir: 'rtl',
      silent: false,
    });
    await lastRecorded('badge 1');
  });

  it('replaces the notification of a channel, counts its posts, and ignores a repeated or late message', async () => {
    await leaveApp();
    await deliver(POST);
    await showsTitles('Alpha');
    await deliver({ ...POST, postId: 22, body: 'Two more.', count: 2 });
    await showsTitles('Alpha (3)');
    await deliver({ ...POST, channelId: '2', title: 'Beta' });
    await until(async () => (await titles()).length === 2, 'there are two notifications');
    await deliver({ ...POST, postId: 22 });
    await deliver({ ...POST, postId: 21 });
    await deliver({ ...POST, channelId: '2', title: 'Beta', postId: 21, body: 'The last message.' });
    await until(async () => (await titles()).includes('Beta (2)'), 'all messages are handled');
    assert.deepEqual((await notifications()).find(({ tag }) => tag === 'channel:1')?.body, 'Two more.');
    await lastRecorded('badge 5');
  });

  it('shows a generic notification for a message that it cannot read', async () => {
    await leaveApp();
    for (const malformed of ['', '{', '{"type":"future"}', '{"type":"post","channelId":1}']) {
      await deliver(malformed);
      await showsTitles('New posts');
      await worker.evaluate('self.registration.getNotifications().then((all) => all.forEach((each) => each.close()))');
      await showsTitles();
    }
    assert.deepEqual(await recorded(), []);
  });

  it('shows a digest, and removes its count when it is opened', async () => {
    await leaveApp();
    const { language, direction, sentAt } = POST;
    await deliver({
      type: 'digest',
      title: '7 new posts',
      body: 'Alpha: …',
      items: [],
      url: '/main',
      count: 7,
      language,
      direction,
      sentAt,
    });
    await showsTitles('7 new posts');
    await lastRecorded('badge 7');
    await act('notificationclick');
    assert.deepEqual((await recorded()).toSorted(), ['badge 0', 'badge 7', 'open /main']);
    assert.deepEqual(await titles(), []);
  });

  it('opens the post in a new window if the app is not open, and keeps the count', async () => {
    await leaveApp();
    await deliver(POST);
    await showsTitles('Alpha');
    await act('notificationclick');
    await lastRecorded('open /channel/1?post=20');
    assert.deepEqual(await titles(), []);
    assert.equal((await recorded()).includes('badge 0'), false);
  });

  it('opens no other site', async () => {
    await leaveApp();
    await deliver({ ...POST, url: 'https://elsewhere.example/' });
    await showsTitles('Alpha');
    await act('notificationclick');
    await lastRecorded('open /main');
  });

  it('removes the count of a dismissed notification', async () => {
    await leaveApp();
    await deliver(POST);
    await showsTitles('Alpha');
    await lastRecorded('badge 1');
    await act('notificationclose');
    await lastRecorded('badge 0');
  });

  it('closes the notification of posts that were read on another device, and of no later post', async () => {
    await leaveApp();
    await deliver(POST);
    await showsTitles('Alpha');
    await deliver({ type: 'read', channelId: '1', upTo: 19 });
    await deliver({ ...POST, channelId: '2', title: 'Beta' });
    await until(async () => (await titles()).length === 2, 'the later post stays');
    await deliver({ type: 'read', channelId: '1', upTo: 20 });
    await showsTitles('Beta');
    await lastRecorded('badge 1');
  });

  it('always shows a notification for such a message, because browsers require it', async () => {
    await leaveApp();
    await worker.evaluate(`(() => {
      const { showNotification } = ServiceWorkerRegistration.prototype;
      self.registration.showNotification = function (title, options) {
        self.recorded.push('show ' + title + ': ' + options.body + (options.silent ? ', silent' : ''));
        return showNotification.call(this, title, options);
      };
    })()`);
    await deliver({ type: 'read', channelId: '9', upTo: 5 });
    await until(
      async () => (await recorded()).some((line) => line === 'show New posts: Read on another device, silent'),
      'it is shown',
    );
    await showsTitles();
  });

  describe('in the app', () => {
    /** Responses of the server, whose routes another test covers. */
    const stored = { choices: [] as object[], devices: [] as object[], requests: [] as string[] };
    beforeEach(async () => {
      Object.assign(stored, { choices: [], devices: [], requests: [] });
      await context.route(/\/api\/notifications/, async (route) => {
        const request = route.request();
        const path = new URL(request.url()).pathname.slice('/api/notifications'.length);
        const body = request.postDataJSON();
        stored.requests.push(`${request.method()} ${path}`);
        const device = { id: 'd1', label: 'Chromium on Linux', createdAt: 1, seenAt: 1, isCurrent: true };
        const settings = { delivery: 'immediate', dailyAt: 540, quiet: null, timeZone: 'UTC', target: 'push' };
        if (path === '/key') return route.fulfill({ json: { publicKey: 'B'.repeat(87) } });
        if (path === '/device') {
          stored.devices = [device];
          return route.fulfill({ json: device });
        }
        if (path.startsWith('/channels/')) {
          const choice = { channelId: path.split('/')[2], ...body };
          stored.choices = [choice];
          return route.fulfill({ json: choice });
        }
        if (request.method() === 'DELETE') return route.fulfill({ status: 204 });
        return route.fulfill({
          json: { settings, choices: stored.choices, devices: stored.devices, canUseBot: false, botWriteAccess: false },
        });
      });
    });

    async function chooseAll(): Promise<void> {
      await page.goto(`${server.origin}/channel/1`);
      await page.getByRole('button', { name: 'Notifications', exact: true }).click();
      await page.getByRole('radio', { name: 'All posts' }).check();
      await page.getByRole('button', { name: 'Turn on' }).click();
      await until(async () => stored.choices.length === 1, 'the choice is saved');
      await page.getByRole('button', { name: 'Close' }).click();
    }

    it('saves the choice of a channel after the reader turned notifications on', async () => {
      await chooseAll();
      assert.deepEqual(stored.choices, [{ channelId: '1', mode: 'all', words: [] }]);
      assert.deepEqual(
        stored.requests.filter((line) => line.startsWith('PUT')),
        ['PUT /device', 'PUT /channels/1'],
      );
      await page.goto(`${server.origin}/notifications`);
      await page.getByRole('heading', { name: 'On for this device' }).waitFor();
      await page.getByRole('button', { name: 'Alpha All posts' }).waitFor();
    });

    it('opens the post in the open page, which keeps its state', async () => {
      await chooseAll();
      await page.evaluate(() => Object.assign(window, { kept: true }));
      await deliver({ ...POST, channelId: '2', title: 'Beta', url: '/channel/2?post=3' });
      await showsTitles('Beta');
      await act('notificationclick');
      await page.waitForURL('**/channel/2?post=3');
      await page.getByRole('heading', { name: 'Beta' }).first().waitFor();
      assert.equal(await page.evaluate(() => Reflect.get(window, 'kept')), true);
      assert.deepEqual(
        (await recorded()).filter((line) => line.startsWith('open')),
        [],
      );
      await page.goBack();
      await page.waitForURL('**/channel/1');
    });

    it('makes no sound while the reader looks at the app', async () => {
      await page.bringToFront();
      await deliver(POST);
      await showsTitles('Alpha');
      assert.equal((await notifications())[0]?.silent, true);
    });

    it('sends a renewed subscription to the server with the token of the device', async () => {
      await chooseAll();
      await worker.evaluate(`(() => {
        self.fetch = async (url, { method, headers, body }) => void self.recorded.push([method, url, headers['x-changer-device'], body].join(' '));
        const newSubscription = { toJSON: () => ({ endpoint: 'https://push.example/next', keys: {} }) };
        const event = Object.assign(new ExtendableEvent('pushsubscriptionchange'), { newSubscription });
        event.waitUntil = () => {};
        self.dispatchEvent(event);
      })()`);
      await until(async () => (await recorded()).some((line) => line.startsWith('PUT')), 'the subscription is sent');
      assert.match(
        (await recorded()).at(-1) ?? '',
        /^PUT \/api\/notifications\/device [\w-]{43} \{"subscription":\{"endpoint":"https:\/\/push\.example\/next","keys":\{\}\},"language":"en"\}$/,
      );
    });

    it('ends on this device when the reader signs out', async () => {
      const launchData = await (await fetch(`${server.origin}/dev/launch-data?user=5&name=Ada`)).text();
      await asTelegram(page);
      await page.goto(`${server.origin}/main${launchHash(ANDROID, DARK, launchData)}`);
      const reader = () =>
        page.evaluate<string>(`document.querySelector('changer-layout')?.services.dataClient.session.get().type ?? ''`);
      await until(async () => (await reader()) === 'signed-in', 'the reader is signed in');
      await page.evaluate(`new Promise((resolve) => {
        localStorage.setItem('test-subscribed', '1');
        const opening = indexedDB.open('changer-public');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('things', 'readwrite');
          const device = { token: 'T'.repeat(43), id: 'd5', readerId: '5', language: 'en', reportedAt: Date.now() };
          transaction.objectStore('things').put(device, 'push-device');
          transaction.oncomplete = () => resolve(opening.result.close());
        };
      })`);
      await deliver(POST);
      await showsTitles('Alpha');
      await page.evaluate(`document.querySelector('changer-layout').services.environment.signOut()`);
      await until(async () => (await reader()) === 'anonymous', 'the reader is signed out');
      assert.deepEqual(
        stored.requests.filter((line) => line.startsWith('DELETE')),
        ['DELETE /devices/d5'],
      );
      assert.equal(await page.evaluate(() => localStorage.getItem('test-subscribed')), null);
      assert.doesNotMatch(await readIndexedDbText(page), /TTTT|push-/);
      assert.deepEqual(await titles(), []);
    });

    it('closes the notification when the reader has read the posts, and lowers the badge', async () => {
      await chooseAll();
      await leaveApp();
      await deliver(POST);
      await deliver({ ...POST, channelId: '2', title: 'Beta', postId: 99 });
      await until(async () => (await titles()).length === 2, 'both are shown');
      await page.addInitScript(`
        window.badges = [];
        navigator.setAppBadge = async (count) => void window.badges.push(count);
        navigator.clearAppBadge = async () => void window.badges.push(0);
      `);
      await page.goto(`${server.origin}/channel/1`);
      await page.locator('changer-channel article').first().waitFor();
      await page.evaluate(`document.querySelector('changer-layout').services.dataClient.markRead('1', 20)`);
      await showsTitles('Beta');
      await until(async () => (await page.evaluate<number[]>('window.badges')).at(-1) === 1, 'the badge is lower');
    });
  });
});
