// Responses of push services, and messages that close notifications.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashToken } from '../../../server/auth/sessions.ts';
import { brief, type Delivery, HOUR, makeDelivery } from './delivery.ts';
import { testPost } from './push-service.ts';

describe('a push service', () => {
  const withOne = async (t: Parameters<typeof makeDelivery>[0]) => {
    const d = await makeDelivery(t);
    const { browser } = await d.addDevice('5');
    await d.choose('5', 'all');
    await d.post(1);
    return { d, browser };
  };
  const requestsOf = (d: Delivery): number => [...d.push.requests.values()].reduce((sum, count) => sum + count, 0);

  for (const status of [404, 410])
    it(`that responds with ${status} ends the subscription`, async (t) => {
      const { d } = await withOne(t);
      d.push.respond = () => ({ status });
      await d.deliver();
      assert.deepEqual(await d.store.notificationDevices('5'), []);
      assert.equal((await d.store.notificationChoices('5')).length, 1);
    });

  it('that responds with 429 gets no request before the time of Retry-After', async (t) => {
    const { d, browser } = await withOne(t);
    d.push.respond = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await d.deliver();
    d.push.respond = () => ({ status: 201 });
    const second = await d.addDevice('5');
    await d.post(2);
    d.clock.now += 119_000;
    await d.deliver();
    assert.deepEqual([requestsOf(d), second.browser.received.length], [1, 0]);
    d.clock.now += 2000;
    await d.deliver();
    assert.deepEqual([browser.received.map(brief), second.browser.received.map(brief)], [['1/2 ×2'], ['1/2 ×1']]);
  });

  it('that fails is retried after growing delays, and then no more', async (t) => {
    const { d, browser } = await withOne(t);
    d.push.respond = () => ({ status: 503 });
    const times: number[] = [];
    for (let minute = 0; minute < 600; minute += 1) {
      const before = requestsOf(d);
      await d.deliver();
      if (requestsOf(d) > before) times.push(minute);
      d.clock.now += 60_000;
    }
    assert.equal(times.length, 10);
    const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.deepEqual(
      delays,
      [...delays].sort((a, b) => a - b),
    );
    d.push.respond = () => ({ status: 201 });
    await d.deliver();
    assert.deepEqual([browser.received, d.totals.failed], [[], 1]);
  });

  it('that receives a message and does not respond gets it only once', async (t) => {
    const { d } = await withOne(t);
    d.push.respond = () => ({ status: 201, delayMs: 12_000 });
    await d.deliver();
    d.push.respond = () => ({ status: 201 });
    d.clock.now += 24 * HOUR;
    await d.deliver();
    assert.deepEqual([requestsOf(d), d.totals.failed], [1, 1]);
  });

  it('that cannot be reached is tried again', async (t) => {
    const { d, browser } = await withOne(t);
    const { post } = d.push;
    // Nothing listens on this port.
    d.push.post = testPost(1);
    await d.deliver();
    d.push.post = post;
    d.clock.now += HOUR / 2;
    await d.deliver();
    assert.equal(browser.received.length, 1);
  });
});

describe('reading on one device', () => {
  it('closes the notification on the others, once', async (t) => {
    const d = await makeDelivery(t);
    const [one, two] = [await d.addDevice('5'), await d.addDevice('5')];
    await d.choose('5', 'all');
    await d.post(1);
    await d.deliver();

    for (let round = 0; round < 2; round += 1) {
      await d.store.queueRead('5', { channelId: '1', postId: 1 }, hashToken(one.browser.token), d.clock.now);
      await d.send();
    }
    assert.deepEqual([one.browser.received.map(brief), two.browser.received.map(brief)], [['1/1 ×1'], ['1/1 ×1', 'read 1/1']]);
  });
});
