// Store conformance, notifications: choices, devices, matching and the sending queue. The test file of an engine calls this
// with a function that opens a store.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DEFAULT_NOTIFICATION_SETTINGS, MAX_CHOICES, MAX_DEVICES } from '../../../contract/notifications.ts';
import { extractIndexTerms } from '../../../server/domain/tokenizer.ts';
import {
  anonymousOwner,
  type MatchPosition,
  type NotificationClaim,
  type NotificationResult,
  type StoredDevice,
} from '../../../server/storage/ports/notifications.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { channel, message } from '../support/make-app.ts';
import type { OpenEmpty } from './conformance.ts';

const NOW = 1_900_000_000;
const DAY = 86_400;

type OmitKeys<T> = T extends unknown ? Omit<T, 'recipient' | 'items'> : never;
type ResultOfItems = OmitKeys<NotificationResult>;

const phrasesOf = (words: readonly string[]) => words.map((word) => extractIndexTerms(word).map(({ term }) => term));

/** Describes the suite for one engine. */
export const notificationConformance = (name: string, openEmpty: OpenEmpty): void => {
  describe(`notifications in the store on ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await openEmpty());
      await store.putChannel(channel('1'));
      await store.putChannel(channel('2'));
    });
    afterEach(() => close());

    const addDevice = (token: string, readerId: string | null = null, endpoint = `https://push.example/${token}`) =>
      store.putNotificationDevice(
        { tokenHash: token, readerId, endpoint, p256dh: 'p', auth: 'a', language: 'en', label: 'Chromium on Linux' },
        NOW,
      );
    const choose = (owner: string, mode: 'off' | 'all' | 'words', words: string[] = [], channelId = '1') =>
      store.putNotificationChoice(owner, { channelId, mode, words, phrases: phrasesOf(words) });
    const post = async (id: number, text = '', albumId?: string) => {
      await store.putMessages([
        { ...message('1', id, text, [], NOW), source: 'bot', ...(albumId === undefined ? {} : { albumId }) },
      ]);
      return store.lastEventId();
    };
    /** Matches the new posts of the event log, in pages of `limit`. Returns the number of pages. */
    const matchAll = async (limit = 500): Promise<number> => {
      let position: MatchPosition | null = await store.matchPosition(NOW);
      let pages = 0;
      for (const event of (await store.eventsAfter(position.eventId, 1000)) ?? []) {
        if (event.kind !== 'new' || event.messageId === null) {
          assert.equal(await store.skipToEvent(position, event.id), true);
          position = await store.matchPosition(NOW);
          continue;
        }
        while (position !== null && position.eventId < event.id) {
          const { channelId, messageId: postId } = event;
          position = await store.matchPost(position, { eventId: event.id, channelId, postId, at: NOW * 1000 }, limit);
          pages += 1;
        }
        assert.ok(position);
      }
      return pages;
    };
    const claim = (now = NOW * 1000, until = now + 60_000, limit = 100) =>
      store.claimNotifications('push', { now, until, limit });
    const claimed = async (now?: number) =>
      ((await claim(now))?.items ?? []).map(({ recipient, kind, channelId, postId }) => [recipient, kind, channelId, postId]);

    it('stores choices and settings of an owner, and deletes them together', async () => {
      assert.equal(await store.notificationSettings('5'), null);
      assert.equal(await choose('5', 'words', ['Night trains'], '2'), true);
      assert.equal(await choose('5', 'all'), true);
      assert.deepEqual(await store.notificationChoices('5'), [
        { channelId: '1', mode: 'all', words: [] },
        { channelId: '2', mode: 'words', words: ['Night trains'] },
      ]);
      assert.deepEqual(await store.notificationSettings('5'), { ...DEFAULT_NOTIFICATION_SETTINGS, botAccess: false });
      const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, quiet: { from: 1320, to: 420 }, timeZone: 'Asia/Tehran' };
      await store.putNotificationSettings('5', settings, NOW * 1000);
      assert.deepEqual(await store.notificationSettings('5'), { ...settings, botAccess: false });
      await choose('5', 'off');
      assert.equal((await store.notificationChoices('5')).length, 1);
      await addDevice('t', '5');
      await store.deleteNotifications('5');
      assert.deepEqual(
        [await store.notificationChoices('5'), await store.notificationDevices('5'), await store.notificationSettings('5')],
        [[], [], null],
      );
    });

    it('stores no choice of an unknown channel, and none over the limit', async () => {
      assert.equal(await choose('5', 'all', [], 'unknown'), false);
      assert.ok(MAX_CHOICES > 2);
    });

    it('finds a device by its token, and replaces one with the same endpoint', async () => {
      const first = await addDevice('one', null, 'https://push.example/x');
      assert.equal(first.owner, anonymousOwner(first.id));
      assert.deepEqual(await store.notificationDevice('one'), first);
      const second = await addDevice('two', null, 'https://push.example/x');
      assert.equal(await store.notificationDevice('one'), null);
      assert.deepEqual(await store.notificationDevices(second.owner), [second]);
      assert.equal(await store.deleteNotificationDevice('5', second.id), false);
      assert.equal(await store.deleteNotificationDevice(second.owner, second.id), true);
      assert.equal(await store.notificationDevice('two'), null);
    });

    it('keeps the most recently seen devices of a reader', async () => {
      for (let index = 0; index <= MAX_DEVICES; index += 1) await addDevice(`t${index}`, '5');
      assert.equal((await store.notificationDevices('5')).length, MAX_DEVICES);
    });

    it('merges the choices of an anonymous device into those of its reader, whose own choice wins', async () => {
      const device = await addDevice('t');
      await choose(device.owner, 'all');
      await choose(device.owner, 'words', ['trains'], '2');
      await choose('5', 'words', ['ships']);
      await addDevice('t', '5');
      assert.deepEqual(await store.notificationChoices('5'), [
        { channelId: '1', mode: 'words', words: ['ships'] },
        { channelId: '2', mode: 'words', words: ['trains'] },
      ]);
      assert.deepEqual(await store.notificationChoices(device.owner), []);
      const anonymous = await addDevice('t');
      assert.deepEqual([anonymous.id, anonymous.owner], [device.id, device.owner]);
      assert.deepEqual(
        [(await store.notificationChoices(device.owner)).length, (await store.notificationDevices('5')).length],
        [0, 0],
      );
    });

    describe('matching', () => {
      let one: StoredDevice;
      let two: StoredDevice;
      beforeEach(async () => {
        [one, two] = [await addDevice('one', '5'), await addDevice('two', '6')];
        await store.matchPosition(NOW);
      });

      it('queues a new post once per device of the readers who chose all posts', async () => {
        await addDevice('other', '5');
        await choose('5', 'all');
        await choose('6', 'all', [], '2');
        await post(1);
        await matchAll();
        const items = await claimed();
        assert.deepEqual(
          items.map(([recipient]) => recipient).sort(),
          [one.id, (await store.notificationDevice('other'))?.id].sort(),
        );
        assert.deepEqual(items[0]?.slice(1), ['post', '1', 1]);
      });

      it('queues a post for the words that it contains, as search stems them', async () => {
        await choose('5', 'words', ['train']);
        await choose('6', 'words', ['night train']);
        await post(1, 'Trains every hour');
        await post(2, 'A ship');
        await post(3, 'The trains of the night');
        await matchAll();
        assert.deepEqual(
          (await claimed()).sort(),
          [
            [one.id, 'post', '1', 1],
            [one.id, 'post', '1', 3],
            [two.id, 'post', '1', 3],
          ].sort(),
        );
      });

      it('matches pages of owners, each owner once', async () => {
        const ids = Array.from({ length: 45 }, (_, index) => String(100 + index));
        for (const [index, id] of ids.entries()) {
          await addDevice(`d${id}`, id);
          await (index % 2 ? choose(id, 'all') : choose(id, 'words', ['train', 'night', 'ship']));
        }
        await post(1, 'A train and a ship at night');
        assert.ok((await matchAll(25)) > 3);
        const items = await claimed();
        assert.deepEqual([items.length, new Set(items.map(([recipient]) => recipient)).size], [45, 45]);
      });

      it('matches a post only in the process whose position is stored', async () => {
        await choose('5', 'all');
        const eventId = await post(1);
        const position = await store.matchPosition(NOW);
        const match = () => store.matchPost(position, { eventId, channelId: '1', postId: 1, at: NOW * 1000 }, 10);
        const results = await Promise.all([match(), match()]);
        assert.equal(results.filter((result) => result === null).length, 1);
        assert.equal(await store.skipToEvent(position, eventId), false);
      });

      it('ignores posts from before the choice, hidden posts, edits, and further messages of a matched album', async () => {
        await post(1);
        await choose('5', 'all');
        await post(2);
        await store.hidePost('1', 2, NOW);
        await post(11, '', 'a');
        await matchAll();
        await post(10, '', 'a');
        await post(12, '', 'a');
        await store.putMessages([{ ...message('1', 11, 'edited', [], NOW), source: 'bot', albumId: 'a', modifiedAt: NOW + 5 }]);
        await matchAll();
        assert.deepEqual(await claimed(), [[one.id, 'post', '1', 11]]);
      });

      it('starts at the end of the event log after a reset', async () => {
        await choose('5', 'all');
        await post(1);
        await store.resetNotifications();
        await matchAll();
        assert.deepEqual([await claimed(), await store.notificationsNotBefore()], [[], NOW]);
      });

      it('queues posts for the bot instead of the devices, while it may write', async () => {
        await choose('5', 'all');
        await store.putNotificationSettings('5', { ...DEFAULT_NOTIFICATION_SETTINGS, target: 'bot' }, NOW * 1000);
        await post(1);
        await store.setBotAccess('5', true);
        await post(2);
        await matchAll();
        const bot = await store.claimNotifications('bot', { now: NOW * 1000, until: NOW * 1000 + 1, limit: 9 });
        assert.deepEqual(
          bot?.items.map(({ recipient, postId }) => [recipient, postId]),
          [
            ['b-5', 1],
            ['b-5', 2],
          ],
        );
        await store.setBotAccess('5', false);
        assert.deepEqual([(await store.notificationSettings('5'))?.target, await claimed()], ['push', []]);
      });
    });

    describe('queue', () => {
      let device: StoredDevice;
      const NOW_MS = NOW * 1000;
      beforeEach(async () => {
        device = await addDevice('one', '5');
        await store.matchPosition(NOW);
        await choose('5', 'all');
        await post(1);
        await matchAll();
      });
      const finish = (current: NotificationClaim | null, result: ResultOfItems) =>
        store.finishSending(current?.id ?? '', [{ recipient: device.id, items: current?.items ?? [], ...result }], NOW);

      it('gives a recipient to one claim at a time, and again after the claim ended', async () => {
        const first = await claim();
        assert.equal(first?.items.length, 1);
        assert.deepEqual(first?.devices.get(device.id), device);
        assert.equal(first?.settings.get('5')?.delivery, 'immediate');
        assert.equal(await claim(), null);
        const second = await claim(NOW_MS + 60_000);
        assert.equal(second?.items.length, 1);
        assert.deepEqual(await store.beginSending(first?.id ?? '', [device.id]), []);
        assert.deepEqual(await store.beginSending(second?.id ?? '', [device.id]), [device.id]);
      });

      it('removes items whose sending began, after the claim ended without a result', async () => {
        const first = await claim();
        await store.beginSending(first?.id ?? '', [device.id]);
        assert.equal(await claim(NOW_MS + 60_000), null);
        const { failed, waiting } = await store.notificationCounts(NOW);
        assert.deepEqual([failed, waiting], [1, 0]);
      });

      it('postpones, retries and finishes', async () => {
        let current = await claim();
        await finish(current, { type: 'postpone', due: NOW_MS + 5, isRetry: true });
        assert.equal(await store.nextNotificationDue('push'), NOW_MS + 5);
        assert.equal(await claim(NOW_MS + 4), null);
        current = await claim(NOW_MS + 5);
        assert.equal(current?.items[0]?.attempts, 1);
        await finish(current, { type: 'sent', shown: [{ channelId: '1', postId: 1 }] });
        assert.deepEqual(await store.notificationCounts(NOW), { subscribers: 1, devices: 1, sent: 1, failed: 0, waiting: 0 });
      });

      it('removes a device that is gone, with all that is queued for it', async () => {
        const current = await claim();
        await post(2);
        await matchAll();
        await finish(current, { type: 'gone' });
        assert.deepEqual([await store.notificationDevices('5'), await store.nextNotificationDue('push')], [[], null]);
        assert.equal((await store.notificationChoices('5')).length, 1);
      });

      it('queues that posts were read for the other devices that show one of them', async () => {
        const other = await addDevice('two', '5');
        const current = await claim();
        await finish(current, { type: 'sent', shown: [{ channelId: '1', postId: 1 }] });
        await store.queueRead('5', { channelId: '2', postId: 9 }, null, NOW_MS);
        await store.queueRead('5', { channelId: '1', postId: 1 }, 'one', NOW_MS);
        assert.deepEqual(await claimed(), []);
        await post(2);
        await matchAll();
        await store.queueRead('5', { channelId: '1', postId: 2 }, 'two', NOW_MS);
        assert.deepEqual(await claimed(), []);
        await post(3);
        await matchAll();
        const both = await claim();
        const results = [device, other].map(({ id }) => ({
          ...{ recipient: id, type: 'sent' as const, shown: [{ channelId: '1', postId: 3 }] },
          items: both?.items.filter(({ recipient }) => recipient === id) ?? [],
        }));
        await store.finishSending(both?.id ?? '', results, NOW);
        await store.queueRead('5', { channelId: '1', postId: 3 }, 'two', NOW_MS);
        assert.deepEqual(await claimed(), [[device.id, 'read', '1', 3]]);
      });

      it('makes postponed posts due when the settings change', async () => {
        const current = await claim();
        await finish(current, { type: 'postpone', due: NOW_MS + 9_000_000, isRetry: false });
        await store.putNotificationSettings('5', DEFAULT_NOTIFICATION_SETTINGS, NOW_MS);
        assert.equal((await claimed()).length, 1);
      });

      it('removes queued posts when the device changes its reader', async () => {
        await addDevice('one', '6');
        assert.deepEqual(await claimed(), []);
      });

      it('deletes devices without a visit, with the choices of anonymous ones', async () => {
        await store.putReader({ id: '5', name: 'Reader 5' });
        const anonymous = await addDevice('anonymous');
        await choose(anonymous.owner, 'all');
        await store.touchNotificationDevice(device.id, NOW + 2 * DAY);
        await store.deleteExpired(NOW + 91 * DAY);
        assert.deepEqual(
          [await store.notificationDevice('anonymous'), await store.notificationChoices(anonymous.owner)],
          [null, []],
        );
        assert.equal((await store.notificationDevices('5'))[0]?.seenAt, NOW + 2 * DAY);
      });
    });
  });
};
