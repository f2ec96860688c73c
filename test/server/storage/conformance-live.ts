// Store conformance, live updates: the behaviour of every engine for several versions within one second, separate updates of
// reactions and polls, gaps, hidden and deleted posts, and the log of events that readers follow.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Poll } from '../../../contract/post.ts';
import type { Message } from '../../../server/domain/model.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { ALL, channel, message, type OpenEmpty, orders, PUBLIC, photo, pseudoRandom, shuffled } from './conformance.ts';

const poll = (votes: number, closed: boolean): Poll => ({ question: 'Which?', closed, options: [{ text: 'This', votes }] });

/** Describes the suite for one engine. */
export const liveConformance = (name: string, openEmpty: OpenEmpty): void => {
  describe(`store on ${name}, live updates`, () => {
    let store: Store;
    let close: () => Promise<void>;
    const open = async () => {
      ({ store, close } = await openEmpty());
      await store.putChannel(channel('1'));
    };
    before(open);
    after(() => close());
    beforeEach(async () => {
      await close();
      await open();
    });

    const bot = (id: number, more: Parameters<typeof message>[2] = {}): Message => message('1', id, { source: 'bot', ...more });
    const post = (id: number) => store.post('1', id, PUBLIC);
    const shown = async () => (await store.posts({ limit: 100 }, PUBLIC)).map(({ id }) => id);
    const gaps = async () =>
      (await store.posts({ limit: 100 }, PUBLIC)).flatMap(({ id, gap }) => (gap === undefined ? [] : [[id, gap]]));
    const happened = async (from: number) =>
      (await store.eventsAfter(from, 1000))?.map(({ kind, messageId }) => `${kind} ${messageId ?? 'channel'}`);

    it('orders versions of the same second by their sequence number, whatever the order of arrival', async () => {
      const versions = [1, 2, 3].map((number) => bot(5, { text: `version ${number}`, edited: 2000, sequence: number }));
      for (const order of orders(versions)) {
        for (const version of order) await store.putMessages([version]);
        assert.equal((await post(5))?.text, 'version 3');
      }
    });

    it('applies the latest reactions to a message, whichever arrives first', async () => {
      const put = [
        () => store.putMessages([bot(5)]),
        () => store.putReactions('1', 5, [{ emoji: '👍', count: 1 }], { at: 10, sequence: 1 }),
        () => store.putReactions('1', 5, [{ emoji: '👍', count: 2 }], { at: 10, sequence: 2 }),
        () => store.putMessages([bot(5, { text: 'edited', edited: 3000 })]),
      ];
      for (const order of orders(put)) {
        await close();
        await open();
        for (const step of order) await step();
        assert.deepEqual((await post(5))?.reactions, [{ emoji: '👍', count: 2 }]);
        assert.equal((await post(5))?.text, 'edited');
      }
    });

    it('applies the final result of a poll to its message, whichever arrives first', async () => {
      const put = [
        () => store.putMessages([bot(5, { poll: poll(0, false), pollId: 'p', sequence: 1 })]),
        () => store.putPoll('p', poll(7, true), { at: 0, sequence: 9 }),
        () => store.putPoll('p', poll(3, false), { at: 0, sequence: 4 }),
      ];
      for (const order of orders(put)) {
        await close();
        await open();
        for (const step of order) await step();
        assert.deepEqual((await post(5))?.poll, poll(7, true));
      }
    });

    it('counts missing message ids, until they arrive or are marked as known', async () => {
      await store.putMessages([bot(1), bot(5), bot(6)]);
      assert.deepEqual(await gaps(), [[5, 3]]);
      assert.deepEqual(await store.gaps('1', 10), [{ messageId: 5, missing: 3 }]);
      await store.putMessages([bot(3)]);
      assert.deepEqual(await gaps(), [
        [5, 1],
        [3, 1],
      ]);
      await store.markRangeKnown('1', 4, 4);
      assert.deepEqual(await gaps(), [[3, 1]]);
      await store.putMessages([bot(2)]);
      assert.deepEqual(await gaps(), []);
    });

    it('reports the same gaps in any order of messages and known ranges', async () => {
      const random = pseudoRandom(7);
      const steps = [
        ...[1, 4, 5, 9, 12, 20, 21].map((id) => () => store.putMessages([bot(id)])),
        ...[
          [2, 2],
          [6, 8],
          [7, 13],
          [15, 16],
        ].map(
          ([from = 0, to = 0]) =>
            () =>
              store.markRangeKnown('1', from, to),
        ),
      ];
      for (let round = 0; round < 20; round += 1) {
        await close();
        await open();
        for (const step of shuffled<() => Promise<unknown>>(steps, random)) await step();
        assert.deepEqual(await gaps(), [
          [20, 4],
          [4, 1],
        ]);
      }
    });

    it('reports no gap inside an album or before the first message', async () => {
      await store.putMessages([3, 4, 5].map((id) => bot(id, { albumId: 'a', media: [photo(id)] })));
      assert.deepEqual(await gaps(), []);
    });

    it('keeps all captions of an album', async () => {
      const bold = (length: number) => [{ type: 'bold' as const, offset: 0, length }];
      await store.putMessages([
        bot(1, { albumId: 'a', media: [photo(1)], text: 'One', entities: bold(3) }),
        bot(2, { albumId: 'a', media: [photo(2)], text: '' }),
        bot(3, { albumId: 'a', media: [photo(3)], text: 'Three', entities: bold(5) }),
      ]);
      const album = await post(1);
      assert.equal(album?.text, 'One\n\nThree');
      assert.deepEqual(
        album?.entities.map(({ offset, length }) => [offset, length]),
        [
          [0, 3],
          [5, 5],
        ],
      );
    });

    it('hides a post from every list, count and file, and shows it again as it was', async () => {
      const media = [photo(2, { src: '/media/p.jpg' })];
      await store.putMediaFile({ key: 'p.jpg', mime: 'image/jpeg', size: 1 });
      await store.putMessages([bot(1), bot(2, { text: 'a secret', media }), bot(3, { reply: { id: 2 } })]);
      await store.putNewestPin('1', 2, 10);
      const [before, replyPost] = [await post(2), await post(3)];
      assert.equal(replyPost?.reply?.excerpt, 'a secret');

      assert.equal(await store.hidePost('1', 2, 500), true);
      assert.equal(await post(2), null);
      assert.deepEqual(await shown(), [3, 1]);
      assert.deepEqual(await store.posts({ limit: 9, match: 'secret' }, ALL), []);
      assert.deepEqual(await store.posts({ limit: 9, media: true }, ALL), []);
      assert.equal((await post(3))?.reply?.excerpt, undefined);
      assert.equal((await store.channel('1', ALL))?.pinned, undefined);
      assert.deepEqual(await store.unreadCounts([{ channelId: '1', messageId: 1 }], PUBLIC), [{ channelId: '1', count: 1 }]);
      assert.equal((await store.mediaFile('p.jpg'))?.private, true);
      assert.deepEqual(
        (await store.hiddenPosts('1', 9)).map((one) => [one.post.id, one.post.text, one.at]),
        [[2, 'a secret', 500]],
      );

      await store.putMessages([bot(2, { text: 'edited while hidden', media, edited: 4000 })]);
      assert.equal(await post(2), null);
      await store.hidePost('1', 2, null);
      assert.deepEqual(await post(2), { ...before, text: 'edited while hidden', edited: 4000 });
      assert.equal((await store.mediaFile('p.jpg'))?.private, false);
      assert.deepEqual(await shown(), [3, 2, 1]);
    });

    it('hides a complete album, and messages that join it later', async () => {
      await store.putMessages([2, 3].map((id) => bot(id, { albumId: 'a', media: [photo(id)] })));
      await store.hidePost('1', 3, 500);
      await store.putMessages([bot(1, { albumId: 'a', media: [photo(1)] })]);
      assert.deepEqual(await shown(), []);
      assert.deepEqual(
        (await store.hiddenPosts('1', 9)).map((one) => one.post.media.length),
        [3],
      );
      await store.hidePost('1', 1, null);
      assert.deepEqual(await shown(), [1]);
    });

    it('counts messages, hidden messages, missing ids and parked updates, of the requested channels only', async () => {
      for (const id of ['2', '3', '4']) await store.putChannel(channel(id));
      await store.putMessages([bot(1), bot(5), bot(6), bot(9)]);
      await store.putMessages([2, 3].map((id) => message('2', id, { source: 'bot', albumId: 'a', media: [photo(id)] })));
      await store.putMessages([message('4', 1), message('4', 7)]);
      await store.hidePost('2', 3, 500);
      for (const updateId of [1, 2]) await store.parkUpdate({ channelId: '9', updateId, body: '{}' }, 1);
      await store.parkUpdate({ channelId: '1', updateId: 3, body: '{}' }, 1);
      assert.deepEqual(
        await store.channelCounts(['9', '2', '3', '1', '1', '\0']),
        new Map([
          ['1', { messages: 4, hidden: 0, missing: 5, parked: 1 }],
          ['2', { messages: 2, hidden: 2, missing: 0, parked: 0 }],
          ['9', { messages: 0, hidden: 0, missing: 0, parked: 2 }],
        ]),
      );
      assert.deepEqual(await store.channelCounts([]), new Map());
    });

    it('reports that a post to hide does not exist', async () => {
      assert.equal(await store.hidePost('1', 77, 500), false);
    });

    it('records that a post was deleted at its source, and that it was not', async () => {
      await store.putMessages([bot(1)]);
      await store.markDeletedAtSource('1', 1, 600);
      assert.equal((await post(1))?.gone, 600);
      await store.markDeletedAtSource('1', 1, null);
      assert.equal((await post(1))?.gone, undefined);
    });

    it('removes a soft-deleted channel from every result, and restores it', async () => {
      await store.putMediaFile({ key: 'p.jpg', mime: 'image/jpeg', size: 1 });
      await store.putMessages([bot(1, { media: [photo(1, { src: '/media/p.jpg' })] })]);
      await store.setSoftDeleted('1', true);
      assert.equal(await store.channel('1', ALL), null);
      assert.deepEqual(await store.channels(ALL), []);
      assert.deepEqual(await store.posts({ limit: 9 }, ALL), []);
      assert.equal(await store.post('1', 1, ALL), null);
      assert.equal((await store.mediaFile('p.jpg'))?.private, true);
      await store.setSoftDeleted('1', false);
      assert.deepEqual(await shown(), [1]);
    });

    it('removes a field of a channel that is set to null', async () => {
      await store.putChannel(channel('1', { username: 'name', about: 'about', members: 5, since: 9 }));
      await store.putChannel({ ...channel('1'), username: null, about: null, members: null, since: null });
      assert.deepEqual(await store.channel('1', PUBLIC), channel('1'));
      assert.equal((await store.channel('name', PUBLIC))?.id, '1', 'the old address still works');
    });

    it('removes a pin, and then ignores an older pin', async () => {
      await store.putMessages([bot(1)]);
      await store.putNewestPin('1', 1, 10);
      await store.putNewestPin('1', null, 20);
      await store.putNewestPin('1', 1, 15);
      assert.equal((await store.channel('1', PUBLIC))?.pinned, undefined);
    });

    it('logs the events for readers in order', async () => {
      const start = await store.lastEventId();
      await store.putMessages([bot(1), bot(2)]);
      await store.putMessages([bot(2)]);
      await store.putMessages([bot(2, { text: 'edited', edited: 3000 })]);
      await store.putReactions('1', 1, [{ emoji: '👍', count: 1 }], { at: 1, sequence: 1 });
      await store.hidePost('1', 1, 9);
      await store.putMessages([bot(1, { text: 'edited while hidden', edited: 3000 })]);
      await store.hidePost('1', 1, null);
      await store.markDeletedAtSource('1', 2, 9);
      await store.putChannel(channel('1', { title: 'Renamed' }));
      await store.putChannel(channel('1', { title: 'Renamed' }));
      await store.appendEvent('refresh', '1');
      assert.deepEqual(await happened(start), [
        'new 1',
        'new 2',
        'edited 2',
        'edited 1',
        'hidden 1',
        'edited 1',
        'edited 2',
        'channel channel',
        'refresh channel',
      ]);
    });

    it('logs replies as edited when the post that they quote changes', async () => {
      await store.putMessages([bot(1), bot(2, { reply: { id: 1 } }), bot(3), bot(4, { albumId: 'a', media: [photo(4)] })]);
      await store.putMessages([bot(5, { albumId: 'a', media: [photo(5)], reply: { id: 1 } })]);
      const start = await store.lastEventId();
      await store.putMessages([bot(1, { text: 'edited', edited: 3000 })]);
      await store.hidePost('1', 1, 9);
      await store.hidePost('1', 2, 9);
      await store.hidePost('1', 1, null);
      assert.deepEqual(await happened(start), [
        ...['edited 1', 'edited 2', 'edited 4'],
        ...['hidden 1', 'edited 2', 'edited 4'],
        'hidden 2',
        ...['edited 1', 'edited 4'],
      ]);
    });

    it('uses one id at a time for an album in the event log', async () => {
      const start = await store.lastEventId();
      for (const id of [3, 4, 2]) await store.putMessages([bot(id, { albumId: 'a', media: [photo(id)] })]);
      assert.deepEqual(await happened(start), ['new 3', 'edited 3', 'hidden 3', 'new 2']);
    });

    it('logs no events for the messages of an import', async () => {
      const start = await store.lastEventId();
      await store.putMessages([message('1', 1), message('1', 2)]);
      assert.deepEqual(await happened(start), []);
    });

    it('returns null for an event id from the future, and the later events for others, up to the limit', async () => {
      assert.equal(await store.eventsAfter((await store.lastEventId()) + 5, 10), null);
      const start = await store.lastEventId();
      for (let count = 0; count < 3; count += 1) await store.appendEvent('refresh', '1');
      assert.equal((await store.eventsAfter(start + 1, 10))?.length, 2);
      assert.equal((await store.eventsAfter(start, 1))?.length, 1);
    });

    it('notifies a listener of changes until it unsubscribes', async () => {
      let calls = 0;
      const stop = store.onChange(() => {
        calls += 1;
      });
      await store.putMessages([bot(1)]);
      assert.ok(calls > 0);
      stop();
      const before = calls;
      await store.putMessages([bot(2)]);
      assert.equal(calls, before);
    });
  });
};
