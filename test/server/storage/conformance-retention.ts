// Store conformance, retention: the data that every engine deletes by itself after some time. The test file of an engine calls
// this with a function that opens a store.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../../server/storage/ports/store.ts';
import { createRetainedFile } from '../../../server/web/retained-files.ts';
import { ALL, channel, type OpenEmpty } from './conformance.ts';

const DAY = 86_400;
const TODAY = Math.floor(Date.now() / 1000 / DAY);

/** Stores data of a reader in every table that holds data of readers. */
const fillReader = async (store: Store, id: string) => {
  await store.putReader({ id, name: `Reader ${id}`, username: `r${id}`, language: 'ar' });
  await store.putSession({ tokenHash: `hash of ${id}`, readerId: id, expires: 2 ** 32 });
  await store.putLineup(id, { entries: [{ channelId: '1' }] }, 'named');
  await store.putReadMarker(id, { channelId: '1', messageId: 3 }, false);
  await store.putStar(id, { channelId: '1', postId: 3, at: 5 });
  await store.putKeptUnread(id, '1', 3, ALL);
  await store.recordConnectIntent(id, TODAY * DAY);
  await store.putMemberLevel('1', id, 1, (TODAY + 9) * DAY);
  await store.recordMembership(
    { channelId: `c${id}`, title: 'Added', username: null, by: id, at: 1, sequence: 1, rights: ['can_post_messages'] },
    false,
  );
  await store.putNotificationDevice(
    {
      ...{ tokenHash: `hash of device ${id}`, readerId: id, endpoint: `https://push.example/${id}`, p256dh: 'hash of key' },
      ...{ auth: 'hash of secret', language: 'ar', label: 'Chromium on Linux' },
    },
    TODAY * DAY,
  );
  await store.putNotificationChoice(id, { channelId: '1', mode: 'words', words: ['train'], phrases: [['train']] });
  await store.queueTest({ id: `device of ${id}`, owner: id, target: 'push' }, TODAY * DAY * 1000);
  await store.appendAuditEntry({ at: TODAY * DAY, actorId: id, act: 'brand' });
};

const rowsOf = async (store: Store, id: string) =>
  Object.entries(await store.readerData(id)).flatMap(([table, rows]) => (rows.length > 0 ? [table] : []));

const READER_TABLES = [
  'readers',
  'sessions',
  'lineups',
  'marks',
  'stars',
  'kept_unread',
  'heard',
  'intents',
  'members',
  'notification_settings',
  'notification_choices',
  'notification_words',
  'notification_devices',
  'notification_queue',
  'connections',
  'acts',
];

/** Describes the suite for one engine. */
export const retentionConformance = (name: string, openEmpty: OpenEmpty): void => {
  describe(`retention in the store on ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await openEmpty());
      await store.putChannel(channel('1'));
    });
    afterEach(() => close());

    it('exports all data of a reader, without session tokens', async () => {
      await fillReader(store, '5');
      assert.deepEqual(await rowsOf(store, '5'), READER_TABLES);
      const exported = JSON.stringify(await store.readerData('5'));
      assert.doesNotMatch(exported, /hash of/);
      assert.match(exported, /"connections":\[{"channel":"c5","title":"Added"}\]/);
      assert.match(exported, /"username":"r5"/);
    });

    it('deletes a reader from every table, except the id in the audit log', async () => {
      await fillReader(store, '5');
      await fillReader(store, '6');
      await store.deleteReader('5');
      assert.deepEqual(await rowsOf(store, '5'), ['acts']);
      assert.deepEqual(
        (await store.connections()).map(({ channelId, by }) => [channelId, by]),
        [
          ['c5', null],
          ['c6', '6'],
        ],
      );
      assert.deepEqual(await rowsOf(store, '6'), READER_TABLES);
    });

    it('deletes only readers who were not seen since a given day', async () => {
      await fillReader(store, '5');
      await fillReader(store, '6');
      assert.equal(await store.deleteInactiveReaders(TODAY), 0);
      // Reader 6 returns two days later.
      await store.touchSession('hash of 6', (TODAY + 2) * DAY, 2 ** 32 - 3600);
      assert.equal(await store.deleteInactiveReaders(TODAY + 2), 1);
      assert.deepEqual([await store.reader('5'), (await store.reader('6'))?.name], [null, 'Reader 6']);
      assert.deepEqual(await rowsOf(store, '5'), ['acts']);
      assert.equal(await store.deleteInactiveReaders(TODAY + 3), 1);
    });

    it('deletes the ids of users who added the bot before a given day and never signed in, unless the channel waits for an operator', async () => {
      await store.putReader({ id: '5', name: 'Reader 5' });
      const add = async (channelId: string, by: string, day: number, trusted: boolean) => {
        const membership = {
          channelId,
          title: 'Added',
          username: null,
          by,
          at: day * DAY,
          sequence: 1,
          rights: ['can_post_messages'],
        };
        await store.recordMembership(membership, trusted);
      };
      for (const [name, day] of [
        ['before', TODAY - 31],
        ['since', TODAY - 30],
      ] as const) {
        await add(`followed ${name}`, '8', day, true);
        await add(`left ${name}`, '8', day, false);
        await store.markLeft(`left ${name}`);
        await add(`asking ${name}`, '8', day, false);
        await add(`of a reader ${name}`, '5', day, true);
      }
      assert.equal(await store.deleteInactiveReaders(TODAY - 30), 0);
      const [ofReader, ofStranger] = [await store.readerData('5'), await store.readerData('8')];
      assert.equal(ofReader.connections?.length, 2);
      assert.deepEqual(
        ofStranger.connections?.map(({ channel }) => channel),
        ['asking before', 'asking since', 'followed since', 'left since'],
      );
    });

    it('deletes no session and no idempotency key because of a clock that is ahead', async (t) => {
      const now = Date.now();
      await fillReader(store, '5');
      await store.putSession({ tokenHash: 'of today', readerId: '5', expires: Math.floor(now / 1000) + DAY });
      const ahead = now + 400 * DAY * 1000;
      t.mock.method(Date, 'now', () => ahead);
      await store.putSession({ tokenHash: 'hash of 6', readerId: '6', expires: Math.floor(ahead / 1000) + DAY });
      await store.putLineup('5', { entries: [] }, 'later');
      t.mock.restoreAll();
      assert.equal((await store.session('of today', Math.floor(now / 1000)))?.readerId, '5');
      await store.putLineup('5', { entries: [] }, 'named');
      assert.equal((await store.readerData('5')).heard?.length, 2);
    });

    it('ends no session early because of a clock that was behind', async () => {
      const now = TODAY * DAY;
      await store.putSession({ tokenHash: 'a', readerId: '5', expires: now + DAY });
      await store.touchSession('a', now - 2 * DAY, now - DAY);
      assert.equal((await store.session('a', now))?.expires, now + DAY);
      await store.putSetting('believed-time', String(now * 1000));
      await store.clampFutureTimes(now - 2 * DAY);
      assert.equal((await store.session('a', now))?.expires, now + DAY);
    });

    it('shortens sessions and memberships that are too long because a clock was ahead', async () => {
      const now = TODAY * DAY;
      await store.putSession({ tokenHash: 'ahead', readerId: '5', expires: now + 401 * DAY });
      await store.putSetting('believed-time', String((now - DAY) * 1000));
      await store.putMemberLevel('1', '5', 1, now + 400 * DAY);
      await store.putMemberLevel('1', '6', 1, now + 300);
      await store.clampFutureTimes(now);
      assert.equal((await store.session('ahead', now))?.expires, now + DAY);
      assert.deepEqual([await store.memberLevel('1', '5', now), await store.memberLevel('1', '6', now)], [null, 1]);
    });

    it('deletes audit entries after a year, parked updates after a day and unreadable ones after a month, by the given time', async () => {
      const at = TODAY * DAY;
      // The last one is written by a clock that is far ahead. The earlier ones must remain.
      for (const each of [at, at + 1, at + 9000 * DAY]) {
        await store.appendAuditEntry({ at: each, actorId: '7', act: 'brand', detail: String(each) });
        await store.parkUpdate({ channelId: '9', updateId: each, body: '{}' }, each);
        await store.saveBadUpdate({ updateId: each, body: '{}', reason: 'none' }, each);
      }
      const left = async (now: number) => {
        await store.deleteExpired(now);
        const updates = [await store.parkedUpdates('9'), await store.badUpdates()];
        return [(await store.auditEntries({ limit: 9 })).length, ...updates.map(({ length }) => length)];
      };
      assert.deepEqual(await left(at), [3, 3, 3]);
      assert.deepEqual(await left(at + DAY + 1), [3, 2, 3]);
      assert.deepEqual(await left(at + 30 * DAY + 1), [3, 1, 2]);
      assert.deepEqual(await left(at + 365 * DAY + 1), [2, 1, 1]);
    });

    it('counts the unreadable updates, and returns only the newest of them', async () => {
      assert.deepEqual(await store.newestBadUpdates(2), { count: 0, newest: [] });
      for (const updateId of [3, 1, 2]) await store.saveBadUpdate({ updateId, body: '{}', reason: `reason ${updateId}` }, 1);
      assert.deepEqual(await store.newestBadUpdates(2), {
        count: 3,
        newest: [
          { updateId: 3, reason: 'reason 3' },
          { updateId: 2, reason: 'reason 2' },
        ],
      });
    });

    it('deletes expired data, and data that was written for a deleted reader', async () => {
      await fillReader(store, '5');
      await store.putReadMarker('7', { channelId: '1', messageId: 1 }, false);
      await store.putStar('7', { channelId: '1', postId: 1, at: 1 });
      await store.putKeptUnread('7', '1', 1, ALL);
      await store.putLineup('7', { entries: [] }, 'named');
      await store.putNotificationChoice('7', { channelId: '1', mode: 'words', words: ['train'], phrases: [['train']] });
      await store.deleteExpired(TODAY * DAY);
      assert.deepEqual([await rowsOf(store, '7'), await rowsOf(store, '5')], [[], READER_TABLES]);
      await store.deleteExpired((TODAY + 40) * DAY);
      assert.deepEqual(await rowsOf(store, '5'), [
        'readers',
        'sessions',
        'lineups',
        'marks',
        'stars',
        'kept_unread',
        'notification_settings',
        'notification_choices',
        'notification_words',
        'notification_devices',
        'connections',
        'acts',
      ]);
      await store.deleteExpired(2 ** 32 + 1);
      assert.deepEqual(await rowsOf(store, '5'), [
        'readers',
        'lineups',
        'marks',
        'stars',
        'kept_unread',
        'notification_settings',
        'notification_choices',
        'notification_words',
        'connections',
      ]);
    });

    it('retains files of previous builds until their time, and again those that a build contains again', async () => {
      const file = (path: string, text: string) => createRetainedFile(path, Buffer.from(text), 100);
      const stored = async () =>
        (await store.retainedFiles('/a_%/')).map(({ path, since, retiredAt }) => [path, since, retiredAt]);
      // More than one transaction; the content needs compression, and is no text.
      const many = Array.from({ length: 60 }, (_, index) => file(`/many/${index}`, '\0\xff'.repeat(1000) + index));
      await store.putRetainedFiles([file('/a_%/one', '1'), file('/a_%/two', '2'), file('/axx/other', '3'), ...many]);
      assert.deepEqual(await store.retainedFileContent('/many/59'), Buffer.from(`${'\0\xff'.repeat(1000)}59`));
      assert.equal((await store.retainedFiles('/many/')).length, 60);
      await store.retireFiles('/a_%/', ['/a_%/two'], 200, 0);
      assert.deepEqual(await stored(), [
        ['/a_%/one', 100, 200],
        ['/a_%/two', 100, null],
      ]);
      assert.equal((await store.retainedFiles('/axx/'))[0]?.retiredAt, null, 'only files with the prefix are retired');
      await store.putRetainedFiles([{ ...file('/a_%/one', 'changed'), since: 300 }]);
      assert.equal(String(await store.retainedFileContent('/a_%/one')), 'changed');
      await store.retireFiles('/a_%/', ['/a_%/one'], 300, 200);
      assert.deepEqual(await stored(), [
        ['/a_%/one', 100, null],
        ['/a_%/two', 100, 300],
      ]);
      await store.retireFiles('/a_%/', ['/a_%/one'], 400, 301);
      assert.deepEqual(await stored(), [['/a_%/one', 100, null]]);
      assert.equal(await store.retainedFileContent('/a_%/two'), null);
      assert.equal(await store.retainedFileContent('/a_%/one\0'), null);
    });
  });
};
