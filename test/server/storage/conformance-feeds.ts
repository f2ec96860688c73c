// Store conformance, feeds: the behaviour that every engine of the store must have for feeds. The test file of an engine calls
// this with a function that opens a store.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Message } from '../../../server/domain/model.ts';
import type { SourceFeed, UnnumberedItem } from '../../../server/storage/ports/feeds.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { channel, message } from '../support/make-app.ts';
import type { OpenEmpty } from './conformance.ts';

const NOW = 1_700_000_000;

const feed = (channelId: string, more: Partial<SourceFeed> = {}): SourceFeed => ({
  channelId,
  url: `https://${channelId}.example/feed`,
  etag: null,
  lastModified: null,
  due: NOW,
  interval: 1800,
  failures: 0,
  failingSince: null,
  error: null,
  checkedAt: null,
  ...more,
});

const item = (key: string, more: Partial<UnnumberedItem> = {}): UnnumberedItem => ({
  key,
  date: null,
  updated: null,
  hash: 'a',
  shouldFetchFiles: true,
  ...more,
});

/** Describes the suite for one engine. */
export const feedConformance = (name: string, openEmpty: OpenEmpty): void => {
  describe(`feeds in the store on ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await openEmpty());
    });
    afterEach(() => close());

    const put = async (id: string, more: Partial<SourceFeed> = {}) => {
      await store.putChannel(channel(id, { source: 'feed' }));
      await store.putFeed(feed(id, more));
    };
    const withFile = (channelId: string, uniqueId: string, id = 1, date = NOW): Message => ({
      ...message(channelId, id, '', [{ type: 'photo', messageId: id, missing: 'pending' }], date),
      source: 'feed',
      files: [{ index: 0, part: 'file', uniqueId, fileId: 'x' }],
    });
    const take = async (now = NOW, until = now + 60) => (await store.claimFeed(now, until))?.channelId ?? null;

    it('are returned as stored, by channel and by URL', async () => {
      const full = feed('f-1', { etag: '"x"', lastModified: 'then', failures: 2, failingSince: 5, error: 'Why.', checkedAt: 7 });
      await put('f-1', full);
      assert.deepEqual(await store.feed('f-1'), full);
      assert.deepEqual(await store.feedByUrl(full.url), full);
      assert.deepEqual([await store.feed('f-2'), await store.feedByUrl('https://other.example/')], [null, null]);
      await store.putFeed(feed('f-1', { due: null }));
      assert.deepEqual(await store.feed('f-1'), feed('f-1', { due: null }));
    });

    it('are returned for several channels, without those that have no feed', async () => {
      for (const id of ['f-1', 'f-2', 'f-3']) await put(id, { failures: 2, error: `Why ${id}.` });
      const expected = ['f-1', 'f-3'].map((id) => [id, feed(id, { failures: 2, error: `Why ${id}.` })] as const);
      assert.deepEqual(await store.feedsByChannel(['f-3', 'none', 'f-1', '\0']), new Map(expected));
      assert.deepEqual(await store.feedsByChannel([]), new Map());
    });

    it('have their waiting and failed files counted by channel, each file once in each channel', async () => {
      for (const id of ['f-1', 'f-2', 'f-3', 'f-4']) await put(id);
      await store.putMessages([withFile('f-1', 'shared', 1), withFile('f-1', 'shared', 2), withFile('f-2', 'shared', 1)]);
      await store.putMessages(['a', 'b', 'c', 'waits', 'saved'].map((uniqueId, index) => withFile('f-1', uniqueId, index + 3)));
      await store.putMessages([withFile('f-2', 'c', 2), withFile('f-4', 'elsewhere')]);
      await store.postponeFile('waits', NOW, true, 'It stalled.');
      await store.markFileSaved('saved', { key: 'saved.jpg', mime: 'image/jpeg', size: 1 });
      for (const uniqueId of ['a', 'c']) await store.markFileRejected(uniqueId, 'failed', 'It is gone.');
      await store.markFileRejected('b', 'failed', 'Another reason.');
      assert.deepEqual(
        await store.fileCountsByChannel(['f-3', 'f-2', 'f-1', '\0']),
        new Map([
          ['f-1', { waiting: 2, failed: 3, reasons: { 'Another reason.': 1, 'It is gone.': 2 } }],
          ['f-2', { waiting: 1, failed: 1, reasons: { 'It is gone.': 1 } }],
        ]),
      );
      assert.deepEqual(await store.fileCounts(), {
        waiting: 3,
        failed: 3,
        reasons: { 'Another reason.': 1, 'It is gone.': 2 },
      });
      assert.deepEqual(await store.fileCountsByChannel([]), new Map());
    });

    it('become due again if a clock that was ahead postponed or claimed them, and no others do', async () => {
      const later = NOW + 3 * 86_400;
      await put('f-1', { due: later });
      await put('f-2', { due: later - 10 });
      assert.equal(await take(later), 'f-2');
      await put('f-3', { due: NOW + 86_400 });
      assert.equal(await take(), null);
      await store.clampFutureTimes(NOW);
      assert.deepEqual([await take(), await take(), await take()].sort(), ['f-1', 'f-2', null]);
    });

    it('are not stored for a removed channel', async () => {
      await put('f-1');
      await store.numberItems('f-1', [item('a')], NOW);
      await store.removeChannels(['f-1']);
      await store.putFeed(feed('f-1'));
      assert.equal(await store.feed('f-1'), null);
    });

    it('are each claimed by one process, the longest due first, until the claim expires', async () => {
      await put('f-1', { due: NOW - 1 });
      await put('f-2', { due: NOW - 2 });
      await put('f-3', { due: NOW + 1 });
      await put('f-4', { due: null });
      assert.deepEqual([await take(), await take(), await take()], ['f-2', 'f-1', null]);
      assert.equal(await take(NOW + 59), 'f-3');
      assert.equal(await take(NOW + 61, NOW + 200), 'f-2');
      await store.putFeed(feed('f-2', { due: NOW + 50 }));
      assert.deepEqual([await take(NOW + 62), await take(NOW + 62), await take(NOW + 62)], ['f-1', 'f-2', null]);
    });

    it('of the same host are not claimed at the same time', async () => {
      await put('f-1', { url: 'https://same.example/a', due: NOW - 1 });
      await put('f-2', { url: 'https://same.example/b' });
      assert.deepEqual([await take(), await take()], ['f-1', null]);
      await store.putFeed(feed('f-1', { url: 'https://same.example/a', due: NOW + 500 }));
      assert.equal(await take(), 'f-2');
    });

    it('of an archived or soft-deleted channel are claimed only by id', async () => {
      await put('f-1');
      await put('f-2');
      await store.putChannel(channel('f-1', { source: 'feed', state: 'archived' }));
      await store.setSoftDeleted('f-2', true);
      assert.equal(await take(), null);
      assert.equal((await store.claimFeed(NOW, NOW + 60, 'f-1'))?.channelId, 'f-1');
      assert.equal(await store.claimFeed(NOW, NOW + 60, 'f-1'), null);
    });

    it('count as failing if their last request failed and they are still polled', async () => {
      const failed = { failures: 2, failingSince: NOW, error: 'Why.' };
      for (const id of ['f-1', 'f-2', 'f-3', 'f-4']) await put(id, failed);
      await put('f-5');
      assert.equal(await store.countFailingFeeds(), 4);
      await store.putFeed(feed('f-1'));
      await store.putChannel(channel('f-2', { source: 'feed', state: 'archived' }));
      await store.setSoftDeleted('f-3', true);
      assert.equal(await store.countFailingFeeds(), 1);
    });

    it('number items by date, then by their order, and known items as before', async () => {
      await put('f-1');
      const items = [item('b', { date: NOW - 50 }), item('c', { date: NOW - 50 }), item('a', { date: NOW - 90 }), item('d')];
      const numbered = await store.numberItems('f-1', items, NOW);
      const [b, c, a, d] = numbered.map(({ id }) => id);
      assert.ok(a && b && c && d && a < b && b < c && c < d);
      assert.equal(c - b, 10);
      assert.deepEqual(
        numbered.map(({ date }) => NOW - date),
        [50, 50, 90, 0],
      );
      const again = numbered.map((each) => ({ ...each, isChanged: false }));
      assert.deepEqual(await store.numberItems('f-1', items, NOW + 1000), again);
      assert.deepEqual(await store.numberItems('f-1', items.toReversed(), NOW + 2000), again.toReversed());
      const [late] = await store.numberItems('f-1', [item('late', { date: NOW - 70 })], NOW);
      assert.ok(late && late.id > a && late.id < b);
    });

    it('date items from the future by the time when they were first seen', async () => {
      await put('f-1');
      const [first] = await store.numberItems('f-1', [item('a', { date: NOW + 9999, updated: NOW + 99_999 })], NOW);
      assert.deepEqual(
        { ...first, id: 0 },
        { key: 'a', id: 0, date: NOW, edited: null, modifiedAt: NOW, shouldFetchFiles: true, isChanged: true },
      );
      assert.deepEqual(await store.numberItems('f-1', [item('a', { date: NOW + 9999 })], NOW + 500), [
        { ...first, isChanged: false },
      ]);
    });

    it('give changed items a later version, by the time in the feed or else the current time', async () => {
      await put('f-1');
      const versions = async (more: Partial<UnnumberedItem>, now: number) => {
        const [numbered] = await store.numberItems('f-1', [item('a', { date: NOW - 100, ...more })], now);
        return [numbered?.date, numbered?.edited, numbered?.modifiedAt].map((time) =>
          typeof time === 'number' ? time - NOW : time,
        );
      };
      assert.deepEqual(await versions({ updated: NOW - 100 }, NOW), [-100, null, -100]);
      assert.deepEqual(await versions({ updated: NOW - 20 }, NOW), [-100, null, -100], 'the same contents');
      assert.deepEqual(await versions({ hash: 'b', updated: NOW - 20 }, NOW), [-100, -20, -20]);
      assert.deepEqual(
        await versions({ hash: 'c', updated: NOW - 20 }, NOW + 5),
        [-100, 5, 5],
        'the feed contains no later time',
      );
      assert.deepEqual(
        await versions({ hash: 'd', updated: NOW + 999 }, NOW + 5),
        [-100, 5, 6],
        'the feed contains a future time',
      );
      assert.deepEqual(await versions({ hash: 'd', updated: NOW + 999 }, NOW + 50), [-100, 5, 6]);
    });

    it('number 2000 items of the same second', async () => {
      await put('f-1');
      const many = Array.from({ length: 2000 }, (_, at) => item(`k${at}`));
      const ids = (await store.numberItems('f-1', many, NOW)).map(({ id }) => id);
      assert.equal(new Set(ids).size, 2000);
      assert.deepEqual(
        ids,
        ids.toSorted((one, other) => one - other),
      );
    });

    it('of readers are listed only if they are requested by id, after the directory', async () => {
      assert.equal(await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, NOW), true);
      assert.equal(await store.addExternalChannel({ id: 'f-3', title: 'Three' }, 9, NOW), true);
      await put('f-1');
      await store.putChannel(channel('9', { private: true }));
      const accessScope = { privateChannels: [] };
      const ids = async (also?: string[]) => (await store.channels(accessScope, also)).map(({ id }) => id);
      assert.deepEqual([await ids(), await ids(['f-3', '9', 'f-4'])], [['f-1'], ['f-1', 'f-3']]);
      assert.deepEqual(await store.externalChannelIds(), ['f-2', 'f-3']);
      const two = { id: 'f-2', title: 'Two', source: 'feed', state: 'live', private: false, demo: false, elsewhere: true };
      assert.deepEqual(await store.channel('f-2', accessScope), two);
      await store.putMessages([message('f-1', 1, 'here'), message('f-2', 1, 'there')]);
      const texts = async (channelIds?: string[]) =>
        (await store.posts({ limit: 9, ...(channelIds && { channelIds }) }, accessScope)).map(({ text }) => text);
      assert.deepEqual([await texts(), await texts(['f-2'])], [['here'], ['there']]);
    });

    it('of readers are accepted up to the limit, and an existing channel stays unchanged', async () => {
      await put('f-1');
      assert.equal(await store.addExternalChannel({ id: 'f-1', title: 'Other' }, 0, NOW), true);
      assert.deepEqual(
        [(await store.channel('f-1', { privateChannels: [] }))?.title, await store.externalChannelIds()],
        ['Channel f-1', []],
      );
      const add = (id: string) => store.addExternalChannel({ id, title: id }, 2, NOW);
      assert.deepEqual(await Promise.all(['f-2', 'f-3', 'f-4', 'f-2'].map(add)), [true, true, false, true]);
    });

    it('of readers stay unlisted through every change until an operator adopts them, which logs an event', async () => {
      await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, NOW);
      await store.putChannel(channel('f-2', { source: 'feed', title: 'Renamed' }));
      await store.setSoftDeleted('f-2', true);
      assert.deepEqual(await store.externalChannelIds(), ['f-2']);
      await store.setSoftDeleted('f-2', false);
      const before = await store.lastEventId();
      await store.promoteExternalChannel('f-2');
      await store.promoteExternalChannel('f-2');
      assert.deepEqual(
        (await store.eventsAfter(before, 9))?.map(({ kind, channelId }) => [kind, channelId]),
        [['channel', 'f-2']],
      );
      assert.deepEqual([await store.externalChannelIds(), (await store.channels({ privateChannels: [] })).length], [[], 1]);
    });

    it('of operators are claimed first', async () => {
      await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, NOW);
      await store.putFeed(feed('f-2', { due: NOW - 500 }));
      await put('f-1');
      assert.deepEqual([await take(), await take()], ['f-1', 'f-2']);
    });

    it('of readers have their files claimed last, however new the files are', async () => {
      await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, NOW);
      await put('f-1');
      await store.putMessages([withFile('f-2', 'of f-2', 1, NOW), withFile('f-1', 'of f-1', 1, NOW - 500)]);
      assert.deepEqual(
        (await store.claimFiles(9, NOW, NOW + 9)).map(({ uniqueId }) => uniqueId),
        ['of f-1', 'of f-2'],
      );
    });

    it('of readers have only the size of their own files counted, without files that operators need too', async () => {
      await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, NOW);
      await store.addExternalChannel({ id: 'f-3', title: 'Three' }, 9, NOW);
      await put('f-1');
      await store.putMessages([
        ...['own', 'shared', 'twin', 'imported'].map((uniqueId, at) => withFile('f-2', uniqueId, at + 1)),
        ...['own', 'icon'].map((uniqueId, at) => withFile('f-3', uniqueId, at + 1)),
        ...['shared', "operators' twin", "operators' own"].map((uniqueId, at) => withFile('f-1', uniqueId, at + 1)),
      ]);
      await store.queueChannelPicture('f-2', { uniqueId: 'icon', fileId: 'x' });
      assert.deepEqual(
        (await store.claimFiles(9, NOW, NOW + 9))
          .filter(({ isExternal }) => isExternal)
          .map(({ uniqueId }) => uniqueId)
          .sort(),
        ['icon', 'imported', 'own', 'twin'],
      );
      assert.equal(await store.externalBytes(), 0);
      const saveFile = (uniqueId: string, key: string, size: number) =>
        store.markFileSaved(uniqueId, { key, mime: 'image/png', size });
      await saveFile('own', 'a.png', 1);
      await saveFile('icon', 'b.png', 10);
      await saveFile('shared', 'c.png', 100);
      await saveFile('twin', 'd.png', 1000);
      await saveFile("operators' own", 'e.png', 10_000);
      await saveFile('imported', 'f.png', 100_000);
      for (let twice = 0; twice < 2; twice += 1) await store.putThumbnailBytes('a.png', 5);
      assert.equal(await store.externalBytes(), 101_016);
      await store.putMessages([message('f-1', 9, '', [{ type: 'photo', messageId: 9, src: '/media/f.png' }])]);
      assert.equal(await store.externalBytes(), 1016);
      await saveFile("operators' twin", 'd.png', 1000);
      assert.equal(await store.externalBytes(), 16);
      for (const id of [1, 2]) await store.hidePost('f-1', id, NOW);
      assert.equal(await store.externalBytes(), 16, 'files of posts that operators have hidden still belong to the operators');
      await store.promoteExternalChannel('f-3');
      assert.equal(await store.externalBytes(), 0);
      await store.removeChannels(['f-1']);
      assert.equal(await store.externalBytes(), 101_100);
    });

    it('of operators have a file claimed again that was over the share of reader-added feeds', async () => {
      await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, NOW);
      await put('f-1');
      const icon = { uniqueId: 'icon', fileId: 'x' };
      const want = async (channelId: string) => {
        await store.putMessages([withFile(channelId, 'photo')]);
        await store.queueChannelPicture(channelId, icon);
        return (await store.claimFiles(9, NOW, NOW)).map(({ uniqueId, isExternal }) => [uniqueId, isExternal]);
      };
      assert.deepEqual(await want('f-2'), [
        ['icon', true],
        ['photo', true],
      ]);
      for (const uniqueId of ['icon', 'photo']) await store.markFileRejected(uniqueId, 'over-share', 'the share is full');
      assert.equal((await store.post('f-2', 1, { privateChannels: [] }))?.media[0]?.missing, 'dropped');
      assert.deepEqual(await want('f-2'), []);
      assert.deepEqual(await want('f-1'), [
        ['icon', false],
        ['photo', false],
      ]);
    });

    it('of readers are reported as unused if no line-up contains them and nobody requested them', async () => {
      const DAY = 86_400;
      for (const id of ['f-2', 'f-3', 'f-4']) await store.addExternalChannel({ id, title: id }, 9, NOW);
      await put('f-1');
      await store.putLineup('5', { entries: [{ channelId: 'f-3' }] });
      await store.putLineup('6', { entries: [], presets: [{ id: 'p', name: 'P', channelIds: ['f-4'] }] });
      assert.deepEqual(
        [await store.unrequestedExternalChannels(NOW), await store.unrequestedExternalChannels(NOW + 1)],
        [[], ['f-2']],
      );
      await store.touchExternalChannels(['f-2', 'f-1'], NOW + DAY - 1);
      assert.deepEqual(await store.unrequestedExternalChannels(NOW + 1), ['f-2'], 'requests are recorded once a day');
      await store.touchExternalChannels(['f-2', 'f-1'], NOW + DAY);
      assert.deepEqual(await store.unrequestedExternalChannels(NOW + DAY), []);
      await store.deleteReader('5');
      assert.deepEqual(await store.unrequestedExternalChannels(NOW + DAY), ['f-3']);
    });

    it('store whether the files of an item are downloaded', async () => {
      await put('f-1');
      const [old] = await store.numberItems('f-1', [item('old', { date: 5, shouldFetchFiles: false })], NOW);
      assert.equal(old?.shouldFetchFiles, false);
      assert.deepEqual(await store.numberItems('f-1', [item('old', { date: 5 })], NOW), [{ ...old, isChanged: false }]);
    });
  });
};
