// Store conformance: the behaviour that every engine of the store must have. The test file of an engine calls this with a
// function that opens a store.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { POST_KINDS, type PostKind } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import { MEDIA_TYPES, type Media } from '../../../contract/post.ts';
import type { AccessScope, Message, PostPosition, PostsQuery } from '../../../server/domain/model.ts';
import type { Store } from '../../../server/storage/ports/store.ts';

/** Opens an empty store. `close` closes it and deletes its database. */
export type OpenEmpty = () => Promise<{ store: Store; close: () => Promise<void> }>;

export const ALL: AccessScope = { privateChannels: 'all' };
export const PUBLIC: AccessScope = { privateChannels: [] };

export const channel = (id: string, more: Partial<Channel> = {}): Channel => ({
  id,
  title: `Channel ${id}`,
  source: 'export',
  state: 'live',
  private: false,
  demo: false,
  ...more,
});

type Parts = Partial<Message['post']> &
  Partial<Pick<Message, 'albumId' | 'source' | 'modifiedAt' | 'sequence' | 'pollId' | 'raw'>> & { media?: Media[] };

export const message = (
  channelId: string,
  id: number,
  { media, albumId, source, modifiedAt, sequence, pollId, raw, ...post }: Parts = {},
): Message => {
  const date = post.date ?? 1000 + id;
  return {
    post: { channelId, id, date, text: `text ${id}`, entities: [], reactions: [], ...post },
    media: media ?? [],
    source: source ?? 'export',
    modifiedAt: modifiedAt ?? post.edited ?? date,
    ...(albumId === undefined ? {} : { albumId }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(pollId === undefined ? {} : { pollId }),
    ...(raw === undefined ? {} : { raw }),
  };
};

export const photo = (messageId: number, more: Partial<Media> = {}): Media => ({ type: 'photo', messageId, ...more });

const at = ({ date, channelId, id }: PostPosition): PostPosition => ({ date, channelId, id });

/** Returns every permutation of a short list. */
export const orders = <T>(list: readonly T[]): T[][] =>
  list.length < 2 ? [[...list]] : list.flatMap((first, at) => orders(list.toSpliced(at, 1)).map((rest) => [first, ...rest]));

export const pseudoRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

export const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);

/** Describes the suite for one engine. */
export const storeConformance = (name: string, openEmpty: OpenEmpty): void => {
  describe(`store on ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;

    const open = async () => {
      ({ store, close } = await openEmpty());
    };
    const reopenEmpty = async () => {
      await close();
      await open();
    };
    before(open);
    after(() => close());
    beforeEach(reopenEmpty);

    const ids = async (query: Partial<PostsQuery> = {}, accessScope = PUBLIC) =>
      (await store.posts({ limit: 100, ...query }, accessScope)).map((post) => post.id);
    const put = (...messages: Message[]) => store.putMessages(messages);

    /** Returns everything that a reader can see, to compare two ways to the same state. */
    const everything = async () => ({
      channels: await store.channels(ALL),
      posts: await store.posts({ limit: 1000 }, ALL),
      media: await store.posts({ limit: 1000, media: true }, ALL),
      found: await store.posts({ limit: 1000, match: 'text' }, ALL),
    });

    describe('channels', () => {
      it('returns a stored channel, without counts that no source provided', async () => {
        await store.putChannel(channel('1', { username: 'One', about: 'About', members: 7 }));
        assert.deepEqual(await store.channel('1', PUBLIC), channel('1', { username: 'One', about: 'About', members: 7 }));
        assert.deepEqual(await store.channels(PUBLIC), [await store.channel('1', PUBLIC)]);
      });

      it('keeps the stored value of an absent field', async () => {
        await store.putChannel(channel('1', { username: 'One', about: 'About' }));
        await store.putChannel(channel('1', { title: 'New' }));
        const found = await store.channel('1', PUBLIC);
        assert.equal(found?.title, 'New');
        assert.equal(found?.about, 'About');
        assert.equal(found?.username, 'One');
      });

      it('finds a channel by its current or a previous username, in upper or lower case', async () => {
        await store.putChannel(channel('1', { username: 'OldName' }));
        await store.putChannel(channel('1', { username: 'NewName' }));
        for (const nameOrId of ['newname', 'OLDNAME', '@oldname', '1'])
          assert.equal((await store.channel(nameOrId, PUBLIC))?.id, '1');
        assert.equal(await store.channel('nobody', PUBLIC), null);
      });

      it('returns a channel and one of its posts together, as both are returned alone', async () => {
        await store.putChannel(channel('1', { username: 'OldName' }));
        await store.putChannel(channel('1', { username: 'NewName' }));
        await store.putChannel(channel('2', { private: true }));
        await put(message('1', 1), message('2', 1));
        const [found, post] = [await store.channel('1', PUBLIC), await store.post('1', 1, PUBLIC)];
        for (const nameOrId of ['1', 'newname', '@oldname'])
          assert.deepEqual(await store.channelAndPost(nameOrId, 1, PUBLIC), { channel: found, post });
        assert.deepEqual(await store.channelAndPost('1', 7, PUBLIC), { channel: found, post: null });
        for (const nameOrId of ['2', 'nobody', 'a\0b', '\ud800'])
          assert.deepEqual(await store.channelAndPost(nameOrId, 1, PUBLIC), { channel: null, post: null });
        assert.equal((await store.channelAndPost('2', 1, ALL)).post?.id, 1);
      });

      it('treats ids that no database text can contain as unknown, and returns the other channels', async () => {
        await store.putChannel(channel('1'));
        await put(message('1', 1));
        const ids = ['a\0b', '1', '\ud800', '\udfff\ud800'];
        assert.deepEqual(
          (await store.channelsNamed(ids, PUBLIC)).map(({ id }) => id),
          ['1'],
        );
        assert.equal((await store.posts({ limit: 9, channelIds: ids }, PUBLIC)).length, 1);
        assert.deepEqual(
          await store.unreadCounts(
            ids.map((channelId) => ({ channelId, messageId: 0 })),
            PUBLIC,
          ),
          [{ channelId: '1', count: 1 }],
        );
        await store.touchExternalChannels(ids, 1);
        assert.equal((await store.channels(PUBLIC, ids)).length, 1);
      });

      it('finds several channels like a single one, in the order of their names in the request, each once', async () => {
        for (const id of ['1', '2', '3', '4']) await store.putChannel(channel(id, { username: `Old${id}`, private: id === '3' }));
        await store.putChannel(channel('2', { username: '4' }));
        for (const accessScope of [PUBLIC, ALL, { privateChannels: ['3'] }])
          for (const names of [['old2', 'nobody', '@OLD1', '2', '3', 'Old3', '4'], ['3'], ['nobody', ''], []]) {
            const each = await Promise.all(names.map((name) => store.channel(name, accessScope)));
            const unique = new Map(each.flatMap((found) => (found ? [[found.id, found]] : [])));
            assert.deepEqual(await store.channelsNamed(names, accessScope), [...unique.values()]);
          }
      });

      it('finds the channel that has a username now, after the username moved', async () => {
        await store.putChannel(channel('1', { username: 'name' }));
        await store.putChannel(channel('2', { username: 'Name' }));
        assert.equal((await store.channel('name', PUBLIC))?.id, '2');
        assert.equal((await store.channel('1', PUBLIC))?.username, undefined);
      });

      it('lists channels in the order they were added, whatever changes', async () => {
        for (const id of ['2', '3', '1']) await store.putChannel(channel(id));
        await store.putChannel(channel('3', { title: 'A' }));
        assert.deepEqual(
          (await store.channels(PUBLIC)).map(({ id }) => id),
          ['2', '3', '1'],
        );
      });

      it('returns the newest post, and the pinned post once it is stored', async () => {
        await store.putChannel(channel('1'));
        await store.putNewestPin('1', 2, 50);
        assert.equal((await store.channel('1', PUBLIC))?.pinned, undefined);
        await put(message('1', 1), message('1', 2), message('1', 3));
        const found = await store.channel('1', PUBLIC);
        assert.deepEqual(found?.latest, { id: 3, date: 1003 });
        assert.equal(found?.pinned, 2);
        assert.equal((await store.post('1', 2, PUBLIC))?.pinned, true);
        assert.equal((await store.post('1', 3, PUBLIC))?.pinned, undefined);
      });

      it('keeps the later of two pins, whichever arrives first', async () => {
        await store.putChannel(channel('1'));
        await put(message('1', 1), message('1', 2));
        await store.putNewestPin('1', 2, 60);
        await store.putNewestPin('1', 1, 50);
        assert.equal((await store.channel('1', PUBLIC))?.pinned, 2);
      });

      it('lists the stored pinned posts, newest first, an album once, and marks each as pinned', async () => {
        await store.putChannel(channel('1'));
        await store.putChannel(channel('2'));
        const album = [3, 4].map((id) => message('1', id, { albumId: 'a', media: [photo(id)] }));
        await put(message('1', 1), message('1', 2), ...album, message('1', 5), message('2', 1));
        await store.addPins(
          '1',
          [1, 3, 4, 5, 77].map((messageId) => ({ messageId, at: 50 })),
        );
        const found = await store.channel('1', PUBLIC);
        assert.deepEqual([found?.pinned, found?.pinnedPosts], [5, [5, 3, 1]]);
        assert.deepEqual(await store.channels(PUBLIC), [found, await store.channel('2', PUBLIC)]);
        assert.deepEqual(await store.channelsNamed(['1'], PUBLIC), [found]);
        const pinnedPosts = (await store.posts({ limit: 9 }, PUBLIC)).filter(({ pinned }) => pinned === true);
        assert.deepEqual(pinnedPosts.map(({ channelId, id }) => `${channelId}/${id}`).sort(), ['1/1', '1/3', '1/5']);
        assert.equal((await store.channel('2', PUBLIC))?.pinnedPosts, undefined);
      });

      it('lists no pinned post that is newer than the reported newest pin, hidden, or deleted at its source', async () => {
        await store.putChannel(channel('1'));
        await put(...[1, 2, 3, 4, 5].map((id) => message('1', id)));
        await store.addPins(
          '1',
          [1, 2, 3, 5].map((messageId) => ({ messageId, at: 50 })),
        );
        const pinned = async () => (await store.channel('1', PUBLIC))?.pinnedPosts;
        await store.putNewestPin('1', 4, 60);
        assert.deepEqual(await pinned(), [4, 3, 2, 1]);
        await store.hidePost('1', 4, 70);
        await store.markDeletedAtSource('1', 2, 70);
        assert.deepEqual(await pinned(), [3, 1]);
        assert.equal((await store.post('1', 2, PUBLIC))?.pinned, undefined);
        await store.putNewestPin('1', null, 80);
        assert.equal(await pinned(), undefined);
      });

      it('logs a channel event when the pinned messages change, and none when they stay the same', async () => {
        await store.putChannel(channel('1'));
        const start = await store.lastEventId();
        await store.addPins('1', [{ messageId: 1, at: 50 }]);
        await store.addPins('1', [{ messageId: 1, at: 55 }]);
        await store.putNewestPin('1', 1, 60);
        await store.putNewestPin('1', null, 70);
        await store.putNewestPin('1', null, 80);
        const events = await store.eventsAfter(start, 9);
        assert.deepEqual(
          events?.map(({ kind, channelId }) => [kind, channelId]),
          [
            ['channel', '1'],
            ['channel', '1'],
          ],
        );
      });

      it('removes channels with all their data', async () => {
        await store.putChannel(channel('1', { username: 'one' }));
        await store.putChannel(channel('2'));
        await put(message('1', 1), message('2', 1), ...Array.from({ length: 500 }, (_, id) => message('1', id + 2)));
        await store.removeChannels(['1']);
        assert.deepEqual(
          (await store.channels(ALL)).map(({ id }) => id),
          ['2'],
        );
        assert.equal(await store.channel('one', ALL), null);
        assert.equal((await store.posts({ limit: 9, match: 'text' }, ALL)).length, 1);
        assert.equal(await store.isEmpty(), false);
        await store.removeChannels(['2']);
        assert.equal(await store.isEmpty(), true);
      });
    });

    describe('messages', () => {
      beforeEach(() => store.putChannel(channel('1', { username: 'one' })));

      it('counts inserted, updated and unchanged messages, and a repeated write changes nothing', async () => {
        const messages = [message('1', 1), message('1', 2)];
        assert.deepEqual(await store.putMessages(messages), { inserted: 2, updated: 0, unchanged: 0 });
        assert.deepEqual(await store.putMessages(messages), { inserted: 0, updated: 0, unchanged: 2 });
        assert.deepEqual(await put(message('1', 2, { text: 'new', edited: 2000 })), { inserted: 0, updated: 1, unchanged: 0 });
      });

      it('returns a post with all its fields', async () => {
        const fullMessage = message('1', 1, {
          edited: 1500,
          entities: [{ type: 'bold', offset: 0, length: 4 }],
          reactions: [{ emoji: '🔥', count: 2 }],
          author: 'A',
          forward: { name: null, channelId: '9' },
          poll: { question: 'Q', closed: false, options: [{ text: 'a', votes: 1 }] },
          place: { latitude: 1.5, longitude: 2.5, title: 'T' },
          contact: { name: 'C' },
          other: 'story',
          media: [photo(1, { src: '/media/k', width: 1, height: 2 })],
        });
        await put(fullMessage);
        assert.deepEqual(await store.post('1', 1, PUBLIC), {
          ...fullMessage.post,
          media: fullMessage.media,
          link: 'https://t.me/one/1',
        });
      });

      it('never replaces a newer edit by an older one, in any order', async () => {
        const versions = [
          message('1', 1),
          message('1', 1, { text: 'two', edited: 2000 }),
          message('1', 1, { text: 'three', edited: 3000 }),
        ];
        for (const order of orders(versions)) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const version of order) await put(version);
          assert.equal((await store.post('1', 1, PUBLIC))?.text, 'three');
        }
      });

      it('prefers the bot over the export at equal times, in any order', async () => {
        const versions = [message('1', 1, { text: 'export' }), message('1', 1, { text: 'bot', source: 'bot' })];
        for (const order of orders(versions)) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const version of order) await put(version);
          assert.equal((await store.post('1', 1, PUBLIC))?.text, 'bot');
        }
      });

      it('adds a file that has become available, and keeps it when a later import lacks it', async () => {
        const without = message('1', 1, { media: [photo(1, { missing: 'not-included', size: 5 })] });
        const having = message('1', 1, { media: [photo(1, { src: '/media/a.jpg', size: 5, width: 3, height: 4 })] });
        for (const order of orders([without, having, without])) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const version of order) await put(version);
          assert.deepEqual((await store.post('1', 1, PUBLIC))?.media, having.media);
        }
      });

      it('sorts a post by its new date after the date has changed', async () => {
        await put(message('1', 1, { date: 10 }), message('1', 2, { date: 20 }));
        await put(message('1', 1, { date: 30, modifiedAt: 31 }));
        assert.deepEqual(await ids(), [1, 2]);
        assert.deepEqual(await ids({ match: 'text' }), [1, 2]);
      });

      it('rejects messages of a channel that does not exist', async () => {
        await assert.rejects(put(message('nowhere', 1)));
      });

      it('quotes the post that a reply refers to, at read time, in at most 120 characters', async () => {
        await put(message('1', 2, { reply: { id: 1 } }));
        assert.deepEqual((await store.post('1', 2, PUBLIC))?.reply, { id: 1 });
        await put(message('1', 1, { text: `line\n${'🙂'.repeat(200)}` }));
        const excerpt = (await store.post('1', 2, PUBLIC))?.reply?.excerpt ?? '';
        assert.match(excerpt, /^line 🙂.*🙂…$/u);
        assert.ok(excerpt.length <= 120 && !/\p{Surrogate}/u.test(excerpt));
      });

      it('masks spoilers in a quote', async () => {
        const entities = [
          { type: 'spoiler' as const, offset: 4, length: 6 },
          { type: 'bold' as const, offset: 4, length: 3 },
          { type: 'spoiler' as const, offset: 6, length: 2 },
          { type: 'spoiler' as const, offset: 99, length: 2 },
        ];
        await put(message('1', 1, { text: 'The butler did it', entities }), message('1', 2, { reply: { id: 1 } }));
        assert.equal((await store.post('1', 2, PUBLIC))?.reply?.excerpt, 'The ▒▒▒ did it');
      });

      it('links to the post on t.me if it exists there', async () => {
        await store.putChannel(channel('2', { private: true }));
        await store.putChannel(channel('3', { demo: true, username: 'demo3' }));
        await store.putChannel(channel('f-4', { source: 'feed' }));
        await put(message('1', 1), message('2', 1), message('3', 1), message('f-4', 1));
        const links = (await store.posts({ limit: 9 }, ALL)).map(({ channelId, link }) => [channelId, link]);
        assert.deepEqual(Object.fromEntries(links), {
          '1': 'https://t.me/one/1',
          '2': 'https://t.me/c/2/1',
          '3': undefined,
          'f-4': undefined,
        });
      });
    });

    describe('albums', () => {
      beforeEach(() => store.putChannel(channel('1')));
      const part = (id: number, more: Parts = {}) =>
        message('1', id, { date: 1000, text: '', albumId: 'g', media: [photo(id)], ...more });

      it('are one post with the id of the lowest message, in whatever order the messages arrive', async () => {
        const parts = [part(10), part(11, { text: 'caption' }), part(12), message('1', 13)];
        for (const order of orders(parts)) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const one of order) await put(one);
          assert.deepEqual(await ids(), [13, 10]);
          assert.deepEqual(await ids({ match: 'caption' }), [10]);
          assert.deepEqual(await ids({ media: true }), [10]);
          const album = await store.post('1', 12, PUBLIC);
          assert.deepEqual(
            album?.media.map(({ messageId }) => messageId),
            [10, 11, 12],
          );
          assert.equal(album?.text, 'caption');
          assert.deepEqual(await store.unreadCounts([{ channelId: '1', messageId: 9 }], PUBLIC), [{ channelId: '1', count: 2 }]);
        }
      });

      it('stay complete when the bot reports the album that an export guessed, in any order', async () => {
        const exported = [10, 11, 12].map((id) => part(id, { albumId: 'e10' }));
        const bot = [part(11, { albumId: '777', source: 'bot' })];
        for (const order of orders([...exported, ...bot])) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const one of order) await put(one);
          assert.deepEqual(await ids(), [10], order.map(({ post, source }) => `${source} ${post.id}`).join(', '));
        }
      });

      it('are two albums if the bot reports two, whatever an export guessed', async () => {
        const exported = [10, 11, 12, 13].map((id) => part(id, { albumId: 'e10' }));
        const bot = [10, 11, 12, 13].map((id) => part(id, { albumId: id < 12 ? 'a' : 'b', source: 'bot' }));
        const random = pseudoRandom(1);
        for (let round = 0; round < 20; round += 1) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const one of shuffled([...exported, ...bot], random)) await put(one);
          assert.deepEqual(await ids(), [12, 10]);
        }
      });

      it('are pinned and quoted as a whole', async () => {
        await put(part(10), part(11, { text: 'caption' }), message('1', 12, { reply: { id: 10 } }));
        await store.putNewestPin('1', 11);
        assert.equal((await store.post('1', 10, PUBLIC))?.pinned, true);
        assert.equal((await store.channel('1', PUBLIC))?.pinned, 10);
        assert.equal((await store.post('1', 12, PUBLIC))?.reply?.excerpt, 'caption');
      });
    });

    describe('pages', () => {
      const fill = async () => {
        const random = pseudoRandom(7);
        for (const id of ['1', '2', '3']) await store.putChannel(channel(id));
        const messages = ['1', '2', '3'].flatMap((id) =>
          Array.from({ length: 40 }, (_, at) =>
            message(id, at + 1, { date: 100 + Math.floor(random() * 30), ...(at % 4 ? {} : { media: [photo(at + 1)] }) }),
          ),
        );
        await store.putMessages(shuffled(messages, random));
        return messages
          .map(({ post }) => at(post))
          .sort(
            (one, other) =>
              other.date - one.date ||
              (one.channelId < other.channelId ? 1 : -1) * Number(one.channelId !== other.channelId) ||
              other.id - one.id,
          );
      };

      const walk = async (query: Partial<PostsQuery>, direction: 'before' | 'after', start?: PostPosition) => {
        const seen: PostPosition[] = [];
        let position = start;
        for (;;) {
          const page = (await store.posts({ limit: 7, ...query, ...(position ? { [direction]: position } : {}) }, PUBLIC)).map(
            at,
          );
          seen.push(...(direction === 'before' ? page : page.toReversed()));
          position = direction === 'before' ? page.at(-1) : page[0];
          if (page.length < 7) return seen;
        }
      };

      it('contain every post once, newest first, ordered by date, channel and message', async () => {
        const expected = await fill();
        assert.deepEqual(await walk({}, 'before'), expected);
        assert.deepEqual(await walk({ match: 'text' }, 'before'), expected);
        for (const ids of [['1'], ['2', '3'], ['3', '1', 'nowhere']]) {
          const some = expected.filter(({ channelId }) => ids.includes(channelId));
          assert.deepEqual(await walk({ channelIds: ids }, 'before'), some);
          assert.deepEqual(await walk({ channelIds: ids, match: 'text' }, 'before'), some);
        }
      });

      it('lead back towards the newest post, the next posts first', async () => {
        const expected = await fill();
        const oldest = expected.at(-1);
        assert.ok(oldest);
        const newer = expected.slice(0, -1).toReversed();
        assert.deepEqual(await walk({}, 'after', oldest), newer);
        assert.deepEqual(await walk({ match: 'text' }, 'after', oldest), newer);
      });

      it('can be limited to a time range, to media, and to both ends at once', async () => {
        const expected = await fill();
        const inTime = expected.filter(({ date }) => date >= 110 && date <= 115);
        assert.deepEqual(await walk({ from: 110, to: 115 }, 'before'), inTime);
        assert.deepEqual(await walk({ from: 110, to: 115, match: 'text' }, 'before'), inTime);
        const shown = expected.filter(({ id }) => (id - 1) % 4 === 0);
        assert.deepEqual(await walk({ media: true }, 'before'), shown);
        assert.deepEqual(await walk({ media: true, match: 'text' }, 'before'), shown);
        assert.deepEqual(await walk({ kinds: ['photo'] }, 'before'), shown);
        assert.deepEqual(await walk({ kinds: ['photo'] }, 'after', shown.at(-1)), shown.slice(0, -1).toReversed());
        const [top, bottom] = [expected[20], expected[40]];
        assert.ok(top && bottom);
        const between = await store.posts({ limit: 100, before: top, after: bottom }, PUBLIC);
        assert.deepEqual(between.map(at), expected.slice(21, 40));
      });

      it('exclude from media a post without any file to show, until one of its files is available', async () => {
        await store.putChannel(channel('1'));
        const poster = { src: '/media/p.jpg', width: 1, height: 1 };
        const kinds: readonly Partial<Media>[] = [
          { missing: 'not-included' },
          { missing: 'lost' },
          { missing: 'too-large' },
          { missing: 'dropped' },
          { missing: 'not-included', poster },
          { missing: 'pending' },
          { src: '/media/a.jpg' },
          { src: '/media/a.jpg', missing: 'dropped' },
          { type: 'sticker', src: '/media/s.webp' },
        ];
        await put(
          ...kinds.map((more, index) => message('1', index + 1, { date: 1000 + index, media: [photo(index + 1, more)] })),
        );
        await put(message('1', 20, { albumId: 'g', date: 2000, media: [photo(20, { missing: 'lost' })] }));
        await put(message('1', 21, { albumId: 'g', date: 2000, media: [photo(21, { src: '/media/a.jpg' })] }));
        assert.deepEqual(await ids({ media: true }), [20, 8, 7, 6, 5]);
        const withFile = {
          ...message('1', 1, { date: 1000, media: [photo(1, { src: '/media/a.jpg' })] }),
          source: 'bot' as const,
        };
        await put(withFile);
        assert.deepEqual(await ids({ media: true }), [20, 8, 7, 6, 5, 1]);
      });

      it('contain the posts of hundreds of channels, also past a thousand posts of a private channel', async () => {
        const expected = await fill();
        for (let id = 1000; id < 1310; id += 1) await store.putChannel(channel(String(id)));
        await store.putChannel(channel('secret', { private: true }));
        await store.putChannel(channel('elsewhere', { elsewhere: true }));
        await store.putMessages([message('elsewhere', 1, { date: 120, text: 'text' })]);
        const oldest = expected.at(-1);
        assert.ok(oldest);
        const shown = expected.filter(({ id }) => (id - 1) % 4 === 0);
        const isAsExpected = async () => {
          assert.deepEqual(await walk({}, 'before'), expected);
          assert.deepEqual(await walk({}, 'after', oldest), expected.slice(0, -1).toReversed());
          assert.deepEqual(await walk({ media: true }, 'before'), shown);
          assert.deepEqual(await walk({ match: 'text' }, 'before'), expected);
          const manyIds = ['1', '2', '3', ...Array.from({ length: 310 }, (_, at) => String(1000 + at))];
          assert.deepEqual(await walk({ channelIds: manyIds }, 'before'), expected);
        };
        await isAsExpected();
        await store.putMessages(Array.from({ length: 1010 }, (_, id) => message('secret', id + 1, { date: 115, text: 'text' })));
        await isAsExpected();
      });
    });

    describe('search', () => {
      beforeEach(() => store.putChannel(channel('1')));
      const found = async (text: string, query: string) => {
        await put(message('1', 1, { text }));
        return (await ids({ match: query })).length === 1;
      };

      for (const [text, query] of [
        ['Новости города', 'новостей'],
        ['Ёлка у мэрии', 'елка'],
        ['The trams were running', 'tram run'],
        ['Faḍl ibn Muʿādh', 'fadl muadh'],
        ['قال رَسُولُ اللَّهِ', 'رسول'],
        ['第二届音乐节在北京举行', '音乐节'],
        ['東京', '京'],
        ['コーヒーを飲む', 'ｺｰﾋｰ'],
        ['ประเทศไทย', 'เทศ'],
        ['iPhone手机', '手机'],
        ['בשלום עליכם', 'שלום'],
        ['שלומך', 'שלום'],
        ['საქართველო', 'ქართვ'],
        ['Η Αθήνα σήμερα', 'ΘΗΝ'],
        ['ΔΡΟΜΟΣ', 'δρόμος'],
        ['नमस्ते दुनिया', 'मस्ते'],
        ['서울에서 열린', '서울'],
        ['أخبار المدينة', 'مدينة'],
        ['أخبار المدينة', 'الأخبار'],
        ['نمی‌خواهم', 'نمیخواهم'],
        ['about #City_News today', '#city_news'],
        ['about #City_News today', 'news'],
        ['ＦＵＬＬＷＩＤＴＨ', 'fullwidth'],
        ["don't stop", "don't"],
        ['see https://www.Example.com/path', 'example.com'],
        ['ask @city_news', '@city_news'],
        ['in 2024, 3.14', '2024'],
        ['ﷺ ½', 'الله'],
        // The last word of a query may be incomplete.
        ['городского совета', 'городск'],
        ['городского совета', 'совета городског'],
        ['The trams were running', 'runn'],
        ['أخبار المدينة', 'المدي'],
        // Stemmers give these forms different stems. If nothing matches, a word is found by its prefix.
        ['Люди в городе', 'людьми в городе '],
        ['Childhood stories', 'children '],
        ['سيارة جديدة', 'سيارات '],
        ['مكتبات المدينة', 'مكتبة '],
      ] as const)
        it(`finds ${JSON.stringify(query)} in ${JSON.stringify(text)}`, async () => assert.ok(await found(text, query)));

      for (const letter of ['a', 'ก', '北', 'ﷺ'])
        it(`finds a hashtag of 2,100 ${letter}, by the complete hashtag and by the part that a reader can type`, async () => {
          const tag = `#${letter.repeat(2100)}`;
          assert.ok(await found(`about ${tag} today`, tag));
          assert.ok(await found(`about ${tag} today`, tag.slice(0, 200)));
        });

      for (const [text, query] of [
        ['about city today', '#city'],
        ['about #city_news today', '#city'],
        ['one two', 'one three'],
        ['北海道', '海北'],
        // All pairs of characters exist in the text, but not next to each other.
        ['音乐会，快乐节', '音乐节'],
        ['ประเทศ และ เทศไทย', 'ประเทศไทย'],
        ['東京都と京都府', '東京都府'],
        ['שלום', 'שלוש'],
        ['The trams were running', 'runn '],
        ['The trams were running', 'runn fast'],
        ['The trams were running', 'ru'],
        ['in 2024', '202'],
        ['anything', '?!… " \' * ( ) :'],
        ['anything', ''],
        ['anything', '"'],
        ['c 1 m k photo anything', 'c:1 NOT x'],
        ['anything', 'k:link'],
      ] as const)
        it(`does not find ${JSON.stringify(query)} in ${JSON.stringify(text)}`, async () =>
          assert.ok(!(await found(text, query))));

      it('finds words by their prefixes only if the reader finds none by their stems, and only on the first page', async () => {
        await store.putChannel(channel('secret', { private: true }));
        await put(message('1', 1, { date: 100, text: 'Люди в городе' }), message('secret', 1, { date: 100, text: 'людьми' }));
        assert.deepEqual(await ids({ match: 'людьми ' }), [1]);
        await put(message('1', 2, { date: 200, text: 'С людьми' }));
        assert.deepEqual(await ids({ match: 'людьми ' }), [2]);
        assert.deepEqual(await ids({ match: 'людьми ', before: { date: 200, channelId: '1', id: 2 } }), []);
        assert.deepEqual(await ids({ match: 'людям людьми ' }), [2, 1]);
      });

      it('completes an unfinished word to the 100 words with the shortest spellings', async () => {
        const word = (at: number) => `ab${'o'.repeat(1 + Math.floor(at / 8))}${'bcdfghkm'[at % 8]}`;
        for (let at = 0; at < 160; at += 1) await put(message('1', at + 1, { text: word(at) }));
        const all = await store.posts({ limit: 200, match: 'abo' }, PUBLIC);
        assert.equal(all.length, 100);
        assert.equal(Math.max(...all.map(({ text }) => text.length)), word(99).length);
      });

      it('finds unfinished words even if an earlier write of them failed', async () => {
        const post = message('1', 1, { text: 'quokka' });
        await assert.rejects(put(post, message('nowhere', 1)));
        await put(post);
        assert.deepEqual(await ids({ match: 'quok' }), [1]);
      });

      it('finds posts by their kinds, with or without search terms', async () => {
        const holding = (id: number, type: Media['type'], more: Parts = {}) =>
          message('1', id, { media: [{ type, messageId: id }], ...more });
        await put(
          ...MEDIA_TYPES.map((type, at) => holding(at + 1, type)),
          message('1', 9, {
            text: 'see here',
            entities: [{ type: 'text_link', offset: 4, length: 4, url: 'https://a.example' }],
          }),
          message('1', 10, { text: 'a.example', entities: [{ type: 'url', offset: 0, length: 9 }] }),
          message('1', 11, { text: 'call me', entities: [{ type: 'text_link', offset: 0, length: 4, url: 'tel:+1' }] }),
          message('1', 12, { poll: { question: 'Which?', closed: false, options: [] } }),
          holding(13, 'photo', { albumId: 'a' }),
          holding(14, 'video', { albumId: 'a' }),
        );
        const byKind: Record<PostKind, number[]> = {
          photo: [13, 1],
          video: [13, 6, 3, 2],
          audio: [4],
          voice: [5],
          document: [7],
          link: [10, 9],
          poll: [12],
        };
        for (const kind of POST_KINDS) assert.deepEqual(await ids({ kinds: [kind] }), byKind[kind], kind);
        assert.deepEqual(await ids({ kinds: ['audio', 'poll'] }), [12, 4]);
        assert.deepEqual(await ids({ kinds: ['video'], match: 'text' }), [13, 6, 3, 2]);
        assert.deepEqual(await ids({ kinds: ['link'], match: 'see' }), [9]);
        assert.deepEqual(await ids({ kinds: ['video', 'link'], media: true }), [13, 6, 3, 2]);
        assert.deepEqual(await ids({ kinds: ['photo'], channelIds: ['nowhere'] }), []);
        await put(message('1', 12, { text: 'no poll any more', edited: 5000 }));
        assert.deepEqual(await ids({ kinds: ['poll'] }), []);
      });

      it('treats the query syntax of the database index as plain words', async () => {
        await put(message('1', 1, { text: 'cats and dogs or NEAR not' }));
        for (const query of [
          'cats AND dogs',
          'cats" OR "zebra',
          'NEAR(cats dogs)',
          'stems:cats',
          'cats*',
          '-cats',
          '^cats',
          'c:1 cats',
        ])
          await store.posts({ limit: 5, match: query }, PUBLIC);
        assert.deepEqual(await ids({ match: 'cats NOT dogs' }), [1]);
        assert.deepEqual(await ids({ match: 'cats OR zebra' }), []);
        assert.deepEqual(await ids({ match: 'c:1' }), []);
      });

      it('reflects edits, and finds file names, titles and polls', async () => {
        const named = [{ ...photo(1), type: 'audio' as const, name: 'Harbour_tide.mp3', title: 'Сонет', performer: 'Choir' }];
        await put(message('1', 1, { text: 'before', media: named }));
        for (const query of ['harbour', 'сонеты', 'choir']) assert.deepEqual(await ids({ match: query }), [1]);
        await put(
          message('1', 1, {
            text: 'after',
            edited: 5000,
            poll: { question: 'Which bridge?', closed: false, options: [{ text: 'Oldest', votes: 1 }] },
          }),
        );
        assert.deepEqual(await ids({ match: 'before' }), []);
        for (const query of ['after', 'bridge', 'oldest']) assert.deepEqual(await ids({ match: query }), [1]);
      });

      it('finds all texts that readers see besides the text of the post, and the targets of links', async () => {
        const richText = (text: string) => ({ text, entities: [] });
        await put(
          message('1', 1, {
            text: 'read',
            entities: [{ type: 'text_link', offset: 0, length: 4, url: 'https://press.example/a' }],
            author: 'Gutenberg',
            forward: { name: 'Evening Courier' },
            place: { latitude: 1, longitude: 1, title: 'Boathouse', address: 'Quay' },
            contact: { name: 'Plumber', phone: '5551234' },
            media: [{ type: 'document', messageId: 1, name: 'Harbour_tide.v2.pdf' }],
            extra: { type: 'checklist', title: richText('Groceries'), tasks: [{ ...richText('Turnips'), done: false }] },
          }),
          message('1', 2, { reply: { id: 9, excerpt: 'quotation' }, extra: { type: 'torn' } }),
        );
        for (const query of [
          ...['press.example', 'gutenberg', 'courier', 'boathouse', 'quay', 'plumbers', '5551234', 'tide v2 pdf', 'grocery'],
          'turnip',
        ])
          assert.deepEqual(await ids({ match: query }), [1], query);
        assert.deepEqual(await ids({ match: 'quotation' }), []);
      });
    });

    describe('post dates', () => {
      const read = (from: number, to: number, more: { afterId?: number; limit?: number } = {}) =>
        store.postDates('1', { from, to, limit: 100, ...more }, PUBLIC);
      beforeEach(() => store.putChannel(channel('1')));

      it('are returned oldest first, with the last change of each post, and an album as one post', async () => {
        await put(
          message('1', 3, { date: 100 }),
          message('1', 1, { date: 300, edited: 400 }),
          message('1', 5, { date: 200, albumId: 'a', media: [photo(5)] }),
          message('1', 6, { date: 200, edited: 500, albumId: 'a', media: [photo(6)] }),
          message('1', 9, { date: 200 }),
        );
        const all = [
          { id: 3, date: 100, modifiedAt: 100 },
          { id: 5, date: 200, modifiedAt: 500 },
          { id: 9, date: 200, modifiedAt: 200 },
          { id: 1, date: 300, modifiedAt: 400 },
        ];
        assert.deepEqual(await read(0, 2 ** 33), all);
        assert.deepEqual(await read(101, 299), all.slice(1, 3));
        assert.deepEqual(await read(200, 300, { afterId: 5 }), all.slice(2));
        assert.deepEqual(await read(0, 300, { limit: 2 }), all.slice(0, 2));
        assert.deepEqual(await read(101, 199), []);
        assert.deepEqual(await Promise.all([0, 1, 2, 3, 4].map((skip) => store.postDateAtOffset('1', 0, skip, PUBLIC))), [
          ...[100, 200, 200, 300],
          null,
        ]);
        assert.equal(await store.postDateAtOffset('1', 101, 2, PUBLIC), 300);
        const spanAt = async (offset: number) => (await store.postSpans(['1', '404', 'a\0b'], offset, PUBLIC)).get('1');
        assert.deepEqual(await spanAt(3), { firstDate: 100, dateAtOffset: 300, hasPosts: true });
        assert.deepEqual(await spanAt(4), { firstDate: 100, dateAtOffset: null, hasPosts: true });
      });

      it('exclude hidden posts and service messages', async () => {
        await put(message('1', 1), message('1', 2), message('1', 3, { service: { action: 'pinned', messageId: 1 } }));
        await store.hidePost('1', 2, 5);
        assert.deepEqual(
          (await read(0, 9999)).map(({ id }) => id),
          [1],
        );
        await store.putChannel(channel('2'));
        await store.putChannel(channel('3'));
        await put(message('2', 1, { service: { action: 'pinned', messageId: 1 } }));
        const spansOf = async () => [...(await store.postSpans(['1', '2', '3'], 9, PUBLIC))].sort();
        assert.deepEqual(
          (await spansOf()).map(([id, { hasPosts }]) => [id, hasPosts]),
          [
            ['1', true],
            ['2', false],
          ],
        );
        await store.setSoftDeleted('1', true);
        assert.deepEqual(
          (await spansOf()).map(([id]) => id),
          ['2'],
        );
        assert.deepEqual(await read(0, 9999), []);
        assert.equal(await store.postDateAtOffset('1', 0, 0, PUBLIC), null);
      });
    });

    describe('access scope', () => {
      beforeEach(async () => {
        await store.putChannel(channel('1'));
        await store.putChannel(
          channel('2', { private: true, username: 'hidden', picture: { src: '/media/p2', width: 1, height: 1 } }),
        );
        await store.putMediaFile({ key: 'p2', mime: 'image/png', size: 1 });
        await store.putMediaFile({ key: 'both', mime: 'image/png', size: 1 });
        await store.putMediaFile({ key: 'only', mime: 'image/png', size: 1, width: 2, height: 3, placeholder: 'aa' });
        await put(
          message('1', 1, { reply: { id: 1, channelId: '2', excerpt: 'secret' }, media: [photo(1, { src: '/media/both' })] }),
          message('2', 1, { text: 'secret text', media: [photo(1, { src: '/media/both' })] }),
          message('2', 2, { media: [photo(2, { src: '/media/x', poster: { src: '/media/only', width: 1, height: 1 } })] }),
        );
      });

      it('allows no read of a private channel that it does not include', async () => {
        const member: AccessScope = { privateChannels: ['2'] };
        for (const [accessScope, sees] of [
          [PUBLIC, false],
          [{ privateChannels: ['3'] }, false],
          [member, true],
          [ALL, true],
        ] as const) {
          assert.equal((await store.channels(accessScope)).length, sees ? 2 : 1);
          assert.equal((await store.channel('hidden', accessScope)) !== null, sees);
          assert.equal((await store.channel('2', accessScope)) !== null, sees);
          assert.equal((await store.post('2', 1, accessScope)) !== null, sees);
          assert.equal((await store.posts({ limit: 9 }, accessScope)).length, sees ? 3 : 1);
          assert.equal((await store.posts({ limit: 9, channelIds: ['2'] }, accessScope)).length, sees ? 2 : 0);
          assert.equal((await store.postDates('2', { from: 0, to: 9999, limit: 9 }, accessScope)).length, sees ? 2 : 0);
          assert.equal((await store.postDateAtOffset('2', 0, 0, accessScope)) !== null, sees);
          for (const match of ['secret', 'secr'])
            assert.equal((await store.posts({ limit: 9, match }, accessScope)).length, sees ? 1 : 0);
          assert.equal((await store.posts({ limit: 9, kinds: ['photo'] }, accessScope)).length, sees ? 3 : 1);
          assert.equal((await store.posts({ limit: 9, channelIds: ['2'], media: true }, accessScope)).length, sees ? 2 : 0);
          assert.equal((await store.unreadCounts([{ channelId: '2', messageId: 0 }], accessScope)).length, sees ? 1 : 0);
          assert.equal((await store.post('1', 1, accessScope))?.reply?.excerpt, sees ? 'secret text' : undefined);
        }
      });

      it('marks files that only private channels show as private', async () => {
        assert.equal((await store.mediaFile('both'))?.private, false);
        assert.deepEqual(await store.mediaFile('only'), {
          key: 'only',
          mime: 'image/png',
          size: 1,
          width: 2,
          height: 3,
          placeholder: 'aa',
          private: true,
          used: true,
        });
        assert.equal((await store.mediaFile('p2'))?.private, true);
        assert.equal(await store.mediaFile('nothing'), null);
      });
    });

    describe('unread counts', () => {
      it('stop at a hundred, exclude service messages, and are returned only for existing channels', async () => {
        await store.putChannel(channel('1'));
        await put(
          ...Array.from({ length: 120 }, (_, at) => message('1', at + 1)),
          message('1', 121, { service: { action: 'pinned' } }),
        );
        const unread = async (messageId: number) =>
          (
            await store.unreadCounts(
              [
                { channelId: '1', messageId },
                { channelId: 'x', messageId: 0 },
              ],
              PUBLIC,
            )
          )[0]?.count;
        assert.equal(await unread(0), 100);
        assert.equal(await unread(117), 3);
        assert.equal(await unread(121), 0);
      });
    });

    describe('readers', () => {
      it('have sessions that expire', async () => {
        const end = Math.floor(Date.now() / 1000) + 1000;
        await store.putSession({ tokenHash: 'h', readerId: '5', expires: end });
        assert.deepEqual(await store.touchSession('h', end - 1, end + 500), { readerId: '5' });
        assert.deepEqual(await store.touchSession('h', end + 499, end + 500), { readerId: '5' });
        assert.deepEqual(await store.session('h', end + 499), { readerId: '5', expires: end + 500 });
        assert.equal(await store.session('h', end + 500), null);
        assert.equal(await store.touchSession('h', end + 500, end + 900), null);
        assert.equal(await store.touchSession('other', 0, 1), null);
        await store.putSession({ tokenHash: 'later', readerId: '5', expires: end + 900 });
        await store.putSession({ tokenHash: 'of another', readerId: '6', expires: end });
        const both = [
          { tokenHash: 'later', expires: end + 900 },
          { tokenHash: 'h', expires: end + 500 },
        ];
        assert.deepEqual(await store.sessions('5', end), both);
        assert.deepEqual(await store.sessions('5', end + 500), both.slice(0, 1));
        await store.deleteSession('h');
        assert.equal(await store.touchSession('h', 0, 1), null);
        assert.deepEqual(await store.sessions('5', end), both.slice(0, 1));
      });

      it('have a line-up with a version number', async () => {
        assert.deepEqual(await store.lineup('5'), { entries: [], version: 0 });
        await store.putLineup('5', { entries: [{ channelId: '1', followed: true, mutedUntil: 0 }] });
        assert.deepEqual(await store.putLineup('5', { entries: [{ channelId: '2' }] }), {
          entries: [{ channelId: '2' }],
          version: 2,
        });
        assert.deepEqual(await store.lineup('6'), { entries: [], version: 0 });
      });

      it('have read markers that only move forwards, unless they are set exactly', async () => {
        assert.deepEqual(await store.putReadMarker('5', { channelId: '1', messageId: 10 }, false), {
          channelId: '1',
          messageId: 10,
        });
        assert.deepEqual(await store.putReadMarker('5', { channelId: '1', messageId: 5 }, false), {
          channelId: '1',
          messageId: 10,
        });
        assert.deepEqual(await store.putReadMarker('5', { channelId: '1', messageId: 5 }, true), {
          channelId: '1',
          messageId: 5,
        });
        assert.deepEqual(await store.readMarkers('5'), [{ channelId: '1', messageId: 5 }]);
        await store.putReadMarker('5', { channelId: '1', messageId: 0 }, true);
        assert.deepEqual(await store.readMarkers('5'), []);
      });

      it('have stars, which are returned newest first in pages', async () => {
        for (const [postId, time] of [
          [1, 30],
          [2, 10],
          [3, 20],
          [4, 20],
        ] as const)
          await store.putStar('5', { channelId: '1', postId, at: time });
        await store.putStar('5', { channelId: '1', postId: 2, at: 99 });
        const first = await store.stars('5', null, 2);
        assert.deepEqual(
          first.map(({ postId }) => postId),
          [1, 4],
        );
        assert.deepEqual(
          (await store.stars('5', first[1] ?? null, 2)).map(({ postId }) => postId),
          [3, 2],
        );
        await store.deleteStar('5', '1', 1);
        assert.equal((await store.stars('5', null, 9)).length, 3);
      });

      it('have posts kept unread, each once, up to the limit', async () => {
        await store.putChannel(channel('1'));
        await store.putMessages([1, 2, 3].map((id) => message('1', id)));
        await store.hidePost('1', 2, 5);
        for (const id of [3, 1, 3]) assert.equal(await store.putKeptUnread('5', '1', id, PUBLIC), true);
        await store.putKeptUnread('6', '1', 2, PUBLIC);
        assert.deepEqual(await store.keptUnread('5'), ['1/1', '1/3']);
        await store.putKeptUnread('5', '1', 2, PUBLIC, 'a');
        await store.deleteKeptUnread('5', '1', 2);
        await store.putKeptUnread('5', '1', 2, PUBLIC, 'a');
        await store.deleteKeptUnread('5', '1', 3, 'b');
        assert.deepEqual([await store.keptUnread('5'), await store.keptUnread('6')], [['1/1'], ['1/2']]);
        const merge = { entries: [], marks: [], stars: [] };
        const many = Array.from({ length: MAX_KEPT_UNREAD }, (_, at) => `2/${at + 1}`);
        await store.mergeAnonymousState('5', { ...merge, keptUnread: ['1/1', ...many] });
        assert.equal((await store.keptUnread('5')).length, MAX_KEPT_UNREAD);
        // Posts of a channel that does not exist make space for others.
        assert.equal(await store.putKeptUnread('5', '1', 3, PUBLIC), true);
        assert.deepEqual(await store.keptUnread('5'), ['1/1', '1/3']);
        await store.putChannel(channel('2'));
        await store.putMessages(many.map((_, at) => message('2', at + 1)));
        await store.mergeAnonymousState('5', { ...merge, keptUnread: many });
        assert.equal(await store.putKeptUnread('5', '1', 2, PUBLIC), false);
        assert.equal(await store.putKeptUnread('5', '1', 3, PUBLIC), true);
        assert.equal((await store.keptUnread('5')).length, MAX_KEPT_UNREAD);
        await store.deleteReader('5');
        assert.deepEqual(await store.keptUnread('5'), []);
      });

      it('have posts kept unread deleted to make space if they cannot read the channel, whether these posts exist or not', async () => {
        await store.putChannel(channel('1'));
        await store.putChannel(channel('2', { private: true }));
        await store.putMessages([message('1', 1), message('2', 1)]);
        const many = Array.from({ length: MAX_KEPT_UNREAD }, (_, at) => `2/${at + 1}`);
        for (const [id, privateChannels, left] of [
          ['5', [], ['1/1']],
          ['6', ['2'], ['1/1', '2/1']],
        ] as const) {
          await store.mergeAnonymousState(id, { entries: [], marks: [], stars: [], keptUnread: many });
          assert.equal(await store.putKeptUnread(id, '1', 1, { privateChannels }), true);
          assert.deepEqual(await store.keptUnread(id), left);
        }
      });

      it('have posts kept unread included in the unread counts of channels that they can read', async () => {
        await store.putChannel(channel('1'));
        await store.putChannel(channel('2', { private: true }));
        await store.putMessages(Array.from({ length: 9 }, (_, at) => message('1', at + 1)));
        await store.putMessages([message('2', 1)]);
        await store.hidePost('1', 2, 5);
        const count = (messageId: number, ...keptUnread: number[]) =>
          store.unreadCounts([{ channelId: '1', messageId, keptUnread }], PUBLIC);
        assert.deepEqual(await count(9), [{ channelId: '1', count: 0 }]);
        assert.deepEqual(await count(9, 1, 2, 3, 3, 77), [{ channelId: '1', count: 2 }]);
        assert.deepEqual(await count(6, 1, 8), [{ channelId: '1', count: 4 }]);
        const closed = [{ channelId: '2', messageId: 1, keptUnread: [1] }];
        assert.deepEqual(await store.unreadCounts(closed, PUBLIC), []);
        assert.deepEqual(await store.unreadCounts(closed, { privateChannels: ['2'] }), [{ channelId: '2', count: 1 }]);
      });

      it('have each change with the same idempotency key applied once, whatever happened in between', async () => {
        const [readMarker, star] = [
          { channelId: '1', messageId: 5 },
          { channelId: '1', postId: 1, at: 5 },
        ];
        await store.putStar('5', star, 'a');
        await store.deleteStar('5', '1', 1);
        await store.putStar('5', star, 'a');
        assert.deepEqual(await store.stars('5', null, 9), []);
        await store.deleteStar('5', '1', 1, 'b');
        await store.putStar('5', star, 'c');
        await store.deleteStar('5', '1', 1, 'b');
        assert.deepEqual(await store.stars('5', null, 9), [star]);
        await store.putReadMarker('5', readMarker, true, 'd');
        await store.putReadMarker('5', { channelId: '1', messageId: 9 }, false, 'e');
        assert.deepEqual(await store.putReadMarker('5', readMarker, true, 'd'), { channelId: '1', messageId: 9 });
        await store.putReadMarker('5', { channelId: '1', messageId: 0 }, true, 'f');
        assert.deepEqual(await store.putReadMarker('5', readMarker, true, 'd'), { channelId: '1', messageId: 0 });
        const saved = await store.putLineup('5', { entries: [{ channelId: '1' }] }, 'g');
        const later = await store.putLineup('5', { entries: [{ channelId: '2' }] }, 'h');
        assert.deepEqual([await store.putLineup('5', { entries: [{ channelId: '1' }] }, 'g'), saved.version], [later, 1]);
        // Idempotency keys belong to one reader, and are deleted with the reader.
        assert.equal((await store.putLineup('6', { entries: [] }, 'g')).version, 1);
        const merge = { entries: [], marks: [], stars: [star] };
        await store.mergeAnonymousState('6', merge, 'm');
        await store.deleteStar('6', '1', 1);
        await store.mergeAnonymousState('6', merge, 'm');
        assert.deepEqual(await store.stars('6', null, 9), []);
        await store.deleteReader('6');
        assert.equal((await store.putLineup('6', { entries: [] }, 'g')).version, 1);
      });

      it('are merged with the data of their device, and a repeated merge changes nothing', async () => {
        await store.putLineup('5', { entries: [{ channelId: '1' }, { channelId: '2' }] });
        await store.putReadMarker('5', { channelId: '1', messageId: 10 }, false);
        const merge = {
          entries: [{ channelId: '3' }, { channelId: '1', mutedUntil: 0 }, { channelId: '3' }],
          marks: [
            { channelId: '1', messageId: 7 },
            { channelId: '2', messageId: 8 },
          ],
          stars: [{ channelId: '1', postId: 1, at: 5 }],
        };
        const state = async () => [await store.lineup('5'), await store.readMarkers('5'), await store.stars('5', null, 9)];
        await store.mergeAnonymousState('5', merge);
        const afterFirst = await state();
        assert.deepEqual(afterFirst, [
          { entries: [{ channelId: '1' }, { channelId: '2' }, { channelId: '3' }], version: 2 },
          [
            { channelId: '1', messageId: 10 },
            { channelId: '2', messageId: 8 },
          ],
          [{ channelId: '1', postId: 1, at: 5 }],
        ]);
        await store.mergeAnonymousState('5', merge);
        assert.deepEqual(await state(), afterFirst);
      });

      it('leave no data behind when they are deleted', async () => {
        await store.putReader({ id: '5', name: 'Five', username: 'five', language: 'ar' });
        assert.deepEqual(await store.reader('5'), { id: '5', name: 'Five', username: 'five', language: 'ar' });
        await store.putReader({ id: '5', name: 'Five' });
        assert.deepEqual(await store.reader('5'), { id: '5', name: 'Five' });
        await store.putSession({ tokenHash: 'h', readerId: '5', expires: 2 ** 32 });
        await store.mergeAnonymousState('5', {
          entries: [{ channelId: '1' }],
          marks: [{ channelId: '1', messageId: 1 }],
          stars: [{ channelId: '1', postId: 1, at: 1 }],
        });
        await store.deleteReader('5');
        assert.equal(await store.reader('5'), null);
        assert.equal(await store.touchSession('h', 1, 2), null);
        assert.deepEqual(
          [await store.lineup('5'), await store.readMarkers('5'), await store.stars('5', null, 9)],
          [{ entries: [], version: 0 }, [], []],
        );
      });
    });

    describe('settings', () => {
      it('are stored, changed and deleted by name', async () => {
        assert.equal(await store.setting('a'), null);
        await store.putSetting('a', '1');
        await store.putSetting('a', '2');
        assert.equal(await store.setting('a'), '2');
        await store.deleteSetting('a');
        assert.equal(await store.setting('a'), null);
      });
    });

    describe('site keys', () => {
      const key = { id: 'k', origin: 'https://club.example', channels: ['a', 'b'], at: 5 };

      it('are returned newest first, until they are deleted', async () => {
        for (const id of ['a', 'b']) await store.putChannel(channel(id, { private: true }));
        const later = { ...key, id: 'l', channels: ['b'], at: 6 };
        await store.putSiteKey(key);
        await store.putSiteKey(later);
        assert.deepEqual(await store.siteKeys(), [later, key]);
        assert.deepEqual([await store.siteKey('k'), await store.siteKey('none')], [key, null]);
        assert.deepEqual([await store.deleteSiteKey('k'), await store.deleteSiteKey('k')], [true, false]);
        assert.deepEqual([await store.siteKey('k'), await store.siteKeys()], [null, [later]]);
      });

      it('lose removed channels permanently', async () => {
        for (const id of ['a', 'b']) await store.putChannel(channel(id, { private: true }));
        await store.putSiteKey(key);
        await store.removeChannels(['a']);
        await store.putChannel(channel('a', { private: true }));
        assert.deepEqual(await store.siteKey('k'), { ...key, channels: ['b'] });
        await store.removeChannels(['b']);
        assert.deepEqual([await store.siteKey('k'), await store.siteKeys()], [null, []]);
      });
    });

    describe('any order of writes', () => {
      it('gives the same result for a mix of edits, sources and albums', async () => {
        const messages = Array.from({ length: 12 }, (_, at) => at + 1).flatMap((id) => [
          message('1', id, {
            date: 1000 + Math.floor(id / 3),
            ...(id % 3 ? { albumId: `e${id - (id % 3)}`, media: [photo(id, { missing: 'not-included' })] } : {}),
          }),
          message('1', id, { date: 1000 + Math.floor(id / 3), text: `text edited ${id}`, edited: 2000 + id }),
          message('1', id, {
            date: 1000 + Math.floor(id / 3),
            text: `text bot ${id}`,
            edited: 2000 + id,
            source: 'bot',
            ...(id % 3 ? { albumId: `9${id - (id % 3)}`, media: [photo(id, { src: `/media/${id}` })] } : {}),
          }),
        ]);
        const random = pseudoRandom(3);
        let first: unknown;
        for (let round = 0; round < 30; round += 1) {
          await reopenEmpty();
          await store.putChannel(channel('1'));
          for (const one of shuffled([...messages, ...messages], random)) await put(one);
          const now = await everything();
          first ??= now;
          assert.deepEqual(now, first, `round ${round}`);
        }
      });
    });

    describe('close', () => {
      it('can be called twice', async () => {
        await store.close();
        await store.close();
      });
    });
  });
};
