// Conformance of channel pages: pages of the directory, and searches by name. Both engines run it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../../server/storage/ports/store.ts';
import { ALL, channel, type OpenEmpty, PUBLIC } from './conformance.ts';

/** Describes the suite for one engine. */
export const channelPageConformance = (name: string, openEmpty: OpenEmpty): void => {
  describe(`channel pages on ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;

    before(async () => {
      ({ store, close } = await openEmpty());
      for (let id = 1; id <= 7; id += 1) await store.putChannel(channel(String(id)));
      await store.putChannel(channel('8', { private: true, title: 'Members only' }));
      await store.putChannel(channel('9', { title: 'Городские НОВОСТИ', username: 'City_News' }));
      await store.putChannel(channel('10', { title: 'أخْبَار المدينة' }));
    });
    after(() => close());

    const find = async (match: string, accessScope = PUBLIC) =>
      (await store.channelPage({ match, limit: 50 }, accessScope)).channels.map(({ id }) => id);

    it('returns each channel once, in the order in which they were added, while channels are added', async () => {
      const seen: string[] = [];
      let after: number | null = 0;
      for (let added = 100; after !== null && added < 110; added += 1) {
        const page: Awaited<ReturnType<Store['channelPage']>> = await store.channelPage({ after, limit: 3 }, PUBLIC);
        assert.ok(page.channels.length <= 3);
        seen.push(...page.channels.map(({ id }) => id));
        if (added < 102) await store.putChannel(channel(String(added)));
        // An update does not move a channel.
        await store.putChannel(channel('1', { title: `Channel 1, version ${added}` }));
        after = page.next;
      }
      assert.deepEqual(seen, ['1', '2', '3', '4', '5', '6', '7', '9', '10', '100', '101']);
      await store.removeChannels(['100', '101']);
    });

    it('has no next page after exactly the last channel', async () => {
      const page = await store.channelPage({ limit: 9 }, PUBLIC);
      assert.deepEqual([page.channels.length, page.next], [9, null]);
    });

    it('contains a private channel for its members only, and no soft-deleted or reader-added channel', async () => {
      await store.addExternalChannel({ id: 'f-1', title: 'Members of a feed' }, 10, 1);
      assert.deepEqual(await find('members'), []);
      assert.deepEqual(await find('members', { privateChannels: ['7'] }), []);
      assert.deepEqual(await find('members', { privateChannels: ['8'] }), ['8']);
      assert.deepEqual(await find('members', ALL), ['8']);
      await store.setSoftDeleted('8', true);
      assert.deepEqual(await find('members', ALL), []);
      await store.setSoftDeleted('8', false);
    });

    it('returns the ids of the channels that everyone may read, and of the demo', async () => {
      await store.putChannel(channel('11', { demo: true }));
      await store.addExternalChannel({ id: 'f-2', title: 'Another feed' }, 10, 1);
      await store.setSoftDeleted('7', true);
      const publicIds = ['1', '10', '11', '2', '3', '4', '5', '6', '9', 'f-1', 'f-2'];
      assert.deepEqual((await store.publicChannelIds()).sort(), publicIds);
      assert.deepEqual(await store.demoChannelIds(), ['11']);
      await store.setSoftDeleted('7', false);
      await store.removeChannels(['11']);
    });

    it('finds a part of a title or username, in any case, in Cyrillic and in Arabic without its marks', async () => {
      for (const text of ['новости', 'НОВОСТИ', 'родск', 'city_n', 'CITY', '@city_news', ' новости '])
        assert.deepEqual(await find(text), ['9'], text);
      assert.deepEqual(await find('اخبار'), ['10']);
      assert.deepEqual(await find('المدينة'), ['10']);
      assert.deepEqual(await find('100%'), []);
      assert.deepEqual(await find('_'), ['9'], 'an underscore is no wildcard');
      for (const text of ['\0', '\ud800']) assert.deepEqual(await find(text), [], 'no name contains it');
    });

    it('finds a channel by its new username, and no longer by one that another channel took', async () => {
      await store.putChannel(channel('2', { username: 'harbour' }));
      assert.deepEqual(await find('harbour'), ['2']);
      await store.putChannel(channel('3', { username: 'Harbour' }));
      assert.deepEqual(await find('harbour'), ['3']);
      await store.putChannel(channel('3', { title: 'Old port', username: 'port' }));
      assert.deepEqual([await find('harbour'), await find('old p')], [[], ['3']]);
    });
  });
};
