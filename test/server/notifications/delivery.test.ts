// Who gets what: choices, quiet hours, digests, albums, edits, imports, private, hidden and deleted posts, on two devices.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NotificationSettings } from '../../../contract/notifications.ts';
import type { Message } from '../../../server/domain/model.ts';
import { message } from '../support/make-app.ts';
import { brief, type Delivery, HOUR, makeDelivery } from './delivery.ts';

interface Case {
  readonly name: string;
  /** Choice of the reader; all posts of channel 1 by default. */
  readonly choose?: (d: Delivery) => Promise<unknown>;
  readonly settings?: Partial<NotificationSettings>;
  readonly happens: (d: Delivery) => Promise<unknown>;
  /** What both devices have at noon, and what they have 21 hours later. */
  readonly now: readonly string[];
  readonly later?: readonly string[];
}

const album = (d: Delivery, ids: readonly number[], caption = ''): Promise<unknown> =>
  d.store.putMessages(
    ids.map((id): Message => ({ ...message('1', id, caption, [], d.clock.now / 1000), source: 'bot', albumId: 'a' })),
  );
const three = async (d: Delivery): Promise<void> => {
  for (const id of [1, 2]) await d.post(id);
  await d.post(7, 'In private', {}, '2');
};
const both = async (d: Delivery): Promise<void> => {
  d.members.add('2/5');
  await d.choose('5', 'all');
  await d.choose('5', 'all', [], '2');
};

const CASES: readonly Case[] = [
  { name: 'a post of a channel that is not chosen', choose: async () => {}, happens: (d) => d.post(1), now: [] },
  { name: 'a post of a channel with all posts', happens: (d) => d.post(1), now: ['1/1 ×1'] },
  {
    name: 'a choice that was turned off again',
    choose: async (d) => [await d.choose('5', 'all'), await d.choose('5', 'off')],
    happens: (d) => d.post(1),
    now: [],
  },
  {
    name: 'words in another form, and other words',
    choose: (d) => d.choose('5', 'words', ['train', 'поезда']),
    happens: async (d) => [await d.post(1, 'Two trains'), await d.post(2, 'A ship'), await d.post(3, 'Поезд прибыл')],
    now: ['1/3 ×2'],
  },
  { name: 'two posts at once', happens: async (d) => [await d.post(1), await d.post(2)], now: ['1/2 ×2'] },
  {
    name: 'quiet hours over noon',
    settings: { quiet: { from: 660, to: 780 } },
    happens: three,
    choose: both,
    now: [],
    later: ['digest 1/2 2/7 ×3'],
  },
  {
    name: 'quiet hours at another time',
    settings: { quiet: { from: 1320, to: 420 } },
    happens: (d) => d.post(1),
    now: ['1/1 ×1'],
  },
  {
    name: 'quiet hours of another time zone',
    settings: { quiet: { from: 1320, to: 420 }, timeZone: 'Asia/Tokyo' },
    happens: async (d) => {
      d.clock.now += 2 * HOUR;
      await d.post(1);
    },
    now: [],
    later: ['1/1 ×1'],
  },
  {
    name: 'an hourly digest',
    settings: { delivery: 'hourly' },
    choose: both,
    happens: three,
    now: [],
    later: ['digest 1/2 2/7 ×3'],
  },
  {
    name: 'a daily digest of one channel',
    settings: { delivery: 'daily', dailyAt: 8 * 60 },
    happens: async (d) => [await d.post(1), await d.post(2)],
    now: [],
    later: ['1/2 ×2'],
  },
  { name: 'an album', happens: (d) => album(d, [1, 2, 3]), now: ['1/1 ×1'] },
  {
    name: 'an album whose messages arrive in two parts, the first message last',
    happens: async (d) => {
      await album(d, [2, 3]);
      await d.deliver();
      await album(d, [1, 4]);
    },
    now: ['1/2 ×1'],
  },
  {
    name: 'an edit',
    happens: async (d) => {
      await d.post(1);
      await d.deliver();
      await d.post(1, 'Edited', { modifiedAt: d.clock.now / 1000 + 60 });
    },
    now: ['1/1 ×1'],
  },
  { name: 'an import of the past', happens: (d) => d.post(1, 'Old', { source: 'export' }), now: [] },
  {
    name: 'an old post of a feed',
    happens: async (d) => {
      d.clock.now += 30 * HOUR;
      await d.store.putMessages([{ ...message('1', 1, 'Old', [], d.clock.now / 1000 - 100_000), source: 'feed' }]);
    },
    now: [],
  },
  {
    name: 'a store that was restored from a backup',
    happens: async (d) => {
      await d.post(1);
      await d.store.resetNotifications();
      await d.store.matchPosition(d.clock.now / 1000 + 1);
      await d.post(2);
    },
    now: [],
  },
  { name: 'a private channel of a member', choose: both, happens: (d) => d.post(7, 'Secret', {}, '2'), now: ['2/7 ×1'] },
  {
    name: 'a private channel of a reader who left it',
    choose: async (d) => [await both(d), d.members.clear()],
    happens: (d) => d.post(7, 'Secret', {}, '2'),
    now: [],
  },
  {
    name: 'a post that was hidden before it was sent',
    happens: async (d) => [await d.post(1), await d.match(), await d.store.hidePost('1', 1, 1)],
    now: [],
  },
  {
    name: 'a post that was deleted at its source before it was sent',
    happens: async (d) => [await d.post(1), await d.match(), await d.store.markDeletedAtSource('1', 1, 1)],
    now: [],
  },
  {
    name: 'a channel that was hidden',
    happens: async (d) => [await d.post(1), await d.match(), await d.store.setSoftDeleted('1', true)],
    now: [],
  },
  {
    name: 'a service message',
    happens: (d) =>
      d.store.putMessages([
        {
          ...message('1', 1, '', [], d.clock.now / 1000),
          source: 'bot',
          post: { ...message('1', 1, '', [], d.clock.now / 1000).post, service: { action: 'renamed', title: 'x' } },
        },
      ]),
    now: [],
  },
  {
    name: 'late notifications',
    choose: both,
    happens: async (d) => {
      await three(d);
      await d.match();
      d.clock.now += 2 * HOUR;
    },
    now: ['digest 1/2 2/7 ×3'],
  },
];

describe('notifications reach both devices of a reader, and no other device', () => {
  for (const { name, choose, settings, happens, now, later } of CASES) {
    it(`reach them as the table says: ${name}`, async (t) => {
      const d = await makeDelivery(t);
      const [one, two, other] = [await d.addDevice('5'), await d.addDevice('5'), await d.addDevice('6')];
      await (choose?.(d) ?? d.choose('5', 'all'));
      if (settings) await d.set('5', settings);
      await happens(d);
      await d.deliver();
      const received = () => [one, two].map(({ browser }) => browser.received.map(brief));
      assert.deepEqual(received(), [now, now]);
      d.clock.now += 21 * HOUR;
      await d.deliver();
      assert.deepEqual(received(), [later ?? now, later ?? now]);
      assert.deepEqual(other.browser.received, []);
    });
  }

  it('an anonymous device gets public posts, and none of a channel that became private', async (t) => {
    const d = await makeDelivery(t);
    const { device, browser } = await d.addDevice(null);
    await d.choose(device.owner, 'all');
    await d.choose(device.owner, 'all', [], '2');
    await d.post(1);
    await d.post(7, 'Secret', {}, '2');
    await d.deliver();
    assert.deepEqual(browser.received.map(brief), ['1/1 ×1']);
  });
});

describe('a payload', () => {
  it('contains the text without spoilers, its direction and language, and a path of the app', async (t) => {
    const d = await makeDelivery(t);
    const { browser } = await d.addDevice('5');
    await d.choose('5', 'all');
    const base = message('1', 1, 'مرحبا بالسر هنا', [], d.clock.now / 1000);
    const entities = [{ type: 'spoiler' as const, offset: 6, length: 5 }];
    await d.store.putMessages([{ ...base, source: 'bot', post: { ...base.post, entities } }]);
    await d.deliver();
    const [payload] = browser.received;
    assert.ok(payload?.type === 'post');
    assert.deepEqual(
      [payload.title, payload.direction, payload.language, payload.url],
      ['One', 'rtl', 'ar', '/channel/1?post=1'],
    );
    assert.doesNotMatch(payload.body, /بالسر/);
    const [claims] = d.push.claims;
    assert.deepEqual([claims?.aud, claims?.sub], ['https://push.test', 'https://site.example']);
  });

  it('of the largest texts fits into a message', async (t) => {
    const d = await makeDelivery(t);
    const { browser } = await d.addDevice('5');
    await d.store.putChannel({ ...channelOfLongTitle, id: '3' });
    await d.choose('5', 'all', [], '3');
    await d.post(1, '👨‍👩‍👧‍👦'.repeat(400), {}, '3');
    await d.deliver();
    assert.ok(browser.received[0]?.type === 'post');
    assert.ok(Buffer.byteLength(JSON.stringify(browser.received[0])) <= 3900);
  });
});

const channelOfLongTitle = {
  ...{ title: '漢'.repeat(250), source: 'bot' as const, state: 'live' as const, private: false, demo: false },
};
