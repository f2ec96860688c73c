// Routes of notifications: choices and devices of readers and of anonymous browsers.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { DEFAULT_NOTIFICATION_SETTINGS } from '../../../contract/notifications.ts';
import { notifications as parseNotifications } from '../../../contract/parse-notifications.ts';
import { channel, makeApp, signIn } from '../support/make-app.ts';
import { startPushService } from './push-service.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

async function makeSite(t: TestContext, environment: Record<string, string> = {}) {
  const site = await makeApp(t, environment);
  await site.store.putChannel(channel('1'));
  const push = await startPushService(t);
  const browser = push.subscribe();
  const asDevice = (token = browser.token) => ({ 'x-changer-device': token, 'user-agent': CHROME });
  const call = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    payload?: object,
  ) => {
    const response = await site.app.inject({ method, url: `/api/notifications${path}`, headers, ...(payload && { payload }) });
    return { status: response.statusCode, body: response.body === '' ? null : response.json() };
  };
  const register = (headers: Record<string, string>, subscription = browser.subscription) =>
    call('PUT', '/device', headers, { subscription, language: 'en' });
  const read = async (headers: Record<string, string>) => parseNotifications((await call('GET', '', headers)).body, 'response');
  return { ...site, push, browser, asDevice, call, register, read };
}

describe('an anonymous device', () => {
  it('registers, chooses, and turns everything off', async (t) => {
    const { asDevice, call, register, read, store } = await makeSite(t);
    assert.equal((await call('PUT', '/channels/1', asDevice(), { mode: 'all', words: [] })).status, 409);
    const { status, body } = await register(asDevice());
    assert.deepEqual([status, body.label, body.isCurrent], [200, 'Chrome on Linux', true]);
    assert.equal((await call('PUT', '/channels/1', asDevice(), { mode: 'words', words: ['Trains'] })).status, 200);
    const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, timeZone: 'Europe/Moscow', quiet: { from: 0, to: 60 } };
    assert.equal((await call('PUT', '/settings', asDevice(), settings)).status, 200);
    const found = await read(asDevice());
    assert.deepEqual(
      [found.settings, found.choices, found.devices.length],
      [settings, [{ channelId: '1', mode: 'words', words: ['Trains'] }], 1],
    );
    assert.deepEqual([found.canUseBot, found.botWriteAccess], [false, false]);
    assert.equal((await call('DELETE', '', asDevice())).status, 204);
    assert.deepEqual((await read(asDevice())).devices, []);
    assert.equal((await store.notificationCounts(0)).subscribers, 0);
  });

  it('sees nothing of another device', async (t) => {
    const { asDevice, call, register, read } = await makeSite(t);
    const { body } = await register(asDevice());
    const other = asDevice(randomBytes(32).toString('base64url'));
    assert.deepEqual((await read(other)).devices, []);
    assert.equal((await call('DELETE', `/devices/${body.id}`, other)).status, 404);
    assert.equal((await call('DELETE', `/devices/${body.id}`, asDevice())).status, 204);
  });

  it('may not choose the bot, an unknown time zone, a word without letters, or an unknown channel', async (t) => {
    const { asDevice, call, register } = await makeSite(t);
    await register(asDevice());
    const set = (more: object) => call('PUT', '/settings', asDevice(), { ...DEFAULT_NOTIFICATION_SETTINGS, ...more });
    assert.equal((await set({ target: 'bot' })).status, 400);
    assert.equal((await set({ timeZone: 'Mars/Base' })).status, 400);
    assert.equal((await call('PUT', '/channels/1', asDevice(), { mode: 'words', words: ['!'] })).status, 400);
    assert.equal((await call('PUT', '/channels/9', asDevice(), { mode: 'all', words: [] })).status, 404);
  });

  it('gets a test notification', async (t) => {
    const { asDevice, call, register, store, clock } = await makeSite(t);
    assert.equal((await call('POST', '/test', asDevice())).status, 409);
    await register(asDevice());
    assert.equal((await call('POST', '/test', asDevice())).status, 202);
    const claim = await store.claimNotifications('push', { now: clock.now, until: clock.now + 1, limit: 9 });
    assert.deepEqual(
      claim?.items.map(({ kind }) => kind),
      ['test'],
    );
  });
});

describe('a subscription', () => {
  for (const endpoint of [
    'http://push.test/x',
    'https://push.test:8443/x',
    'https://user:password@push.test/x',
    'file:///etc/passwd',
    'no address',
  ])
    it(`is rejected if its endpoint is ${endpoint}`, async (t) => {
      const { asDevice, register, browser } = await makeSite(t);
      assert.equal((await register(asDevice(), { ...browser.subscription, endpoint })).status, 400);
    });

  it('is accepted only for hosts of the allow list', async (t) => {
    const { asDevice, register, browser } = await makeSite(t, { PUSH_HOSTS: '*.push.example,push.test' });
    const status = async (endpoint: string) => (await register(asDevice(), { ...browser.subscription, endpoint })).status;
    assert.deepEqual(
      await Promise.all(
        ['https://push.test/1', 'https://a.push.example/2', 'https://push.example/3', 'https://evil.example/4'].map(status),
      ),
      [200, 200, 400, 400],
    );
  });

  it('is rejected if its key is not a point of the curve', async (t) => {
    const { asDevice, register, browser } = await makeSite(t);
    const keys = { ...browser.subscription.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') };
    assert.equal((await register(asDevice(), { ...browser.subscription, keys })).status, 400);
  });
});

describe('a signed-in reader', () => {
  it('takes over the choices of the device, lists all devices and removes one', async (t) => {
    const site = await makeSite(t);
    const { asDevice, call, register, read, push } = site;
    await register(asDevice());
    await call('PUT', '/channels/1', asDevice(), { mode: 'all', words: [] });
    const session = await signIn(site, 7);
    const headers = { ...asDevice(), ...session };
    await register(headers);
    const second = push.subscribe();
    await register({ ...asDevice(second.token), ...session }, second.subscription);
    const found = await read(headers);
    assert.deepEqual([found.choices.length, found.devices.map(({ isCurrent }) => isCurrent).sort()], [1, [false, true]]);
    const other = found.devices.find(({ isCurrent }) => !isCurrent);
    assert.equal((await call('DELETE', `/devices/${other?.id}`, headers)).status, 204);
    assert.equal((await read(headers)).devices.length, 1);
    assert.deepEqual((await read(asDevice())).choices, [], 'the token of a device is no access to its reader');
  });

  it('gets no more notifications in a browser that signed out', async (t) => {
    const site = await makeSite(t);
    const headers = { ...site.asDevice(), ...(await signIn(site, 7)) };
    await site.register(headers);
    await site.app.inject({ method: 'DELETE', url: '/api/session', headers });
    assert.deepEqual(await site.store.notificationDevices('7'), []);
  });

  it('moves the read marker, which closes notifications elsewhere', async (t) => {
    const site = await makeSite(t);
    const { app, asDevice, register, push, store, clock } = site;
    const session = await signIn(site, 7);
    await register({ ...asDevice(), ...session });
    const second = push.subscribe();
    const { body: other } = await register({ ...asDevice(second.token), ...session }, second.subscription);
    for (const { id } of await store.notificationDevices('7'))
      await store.finishSending('', [{ recipient: id, items: [], type: 'sent', shown: [{ channelId: '1', postId: 3 }] }], 1);
    const headers = { ...asDevice(), ...session };
    await app.inject({ method: 'PUT', url: '/api/channels/1/read', headers, payload: { messageId: 3 } });
    const claim = await store.claimNotifications('push', { now: clock.now, until: clock.now + 1, limit: 9 });
    assert.deepEqual(
      claim?.items.map(({ kind, recipient }) => [kind, recipient]),
      [['read', other.id]],
    );
  });
});

describe('NOTIFICATIONS=off', () => {
  it('has no routes', async (t) => {
    const { call, register, asDevice } = await makeSite(t, { NOTIFICATIONS: 'off' });
    assert.equal((await call('GET', '/key', {})).status, 404);
    assert.equal((await register(asDevice())).status, 404);
  });
});

describe('the VAPID key', () => {
  it('is the same after a restart', async (t) => {
    const { call, store } = await makeSite(t);
    const { body } = await call('GET', '/key', {});
    assert.match(body.publicKey, /^[\w-]{87}$/);
    assert.match(String(await store.setting('vapid-keys')), new RegExp(body.publicKey));
  });
});
