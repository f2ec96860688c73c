// Media files of bot messages: which files are fetched, shared, replaced and evicted.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Media } from '../../../contract/post.ts';
import type { FileRef, MediaFile, Message, StoredMedia } from '../../../server/domain/model.ts';
import { openStore } from '../../../server/storage/open.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { ALL, orders } from '../storage/conformance.ts';
import { channel, makeFolder } from '../support/make-app.ts';

const open = async (t: TestContext): Promise<Store> => {
  const store = await openStore({ dataDir: makeFolder(t) });
  t.after(() => store.close());
  await store.putChannel(channel('1', { source: 'bot' }));
  await store.putChannel(channel('2', { source: 'bot' }));
  return store;
};

const ref = (uniqueId: string, more: Partial<FileRef> = {}): FileRef => ({
  index: 0,
  part: 'file',
  uniqueId,
  fileId: `id-${uniqueId}`,
  ...more,
});

interface PostOptions {
  readonly id?: number;
  readonly channelId?: string;
  readonly edited?: number;
  readonly media?: Partial<StoredMedia>;
  readonly source?: Message['source'];
}

/** Returns a message with one file, as the parser of the bot returns it. */
const post = (unique: string | null, { id = 1, channelId = '1', edited, media, source = 'bot' }: PostOptions = {}): Message => {
  const date = 1000 + id;
  const item: StoredMedia = { type: 'photo', messageId: id, missing: 'pending', ...(unique ? { unique } : {}), ...media };
  return {
    post: { channelId, id, date, text: 'x', entities: [], reactions: [], ...(edited === undefined ? {} : { edited }) },
    media: unique === null && media === undefined ? [] : [item],
    source,
    modifiedAt: edited ?? date,
    files: source === 'bot' && unique !== null ? [ref(unique)] : [],
  };
};

const jpeg = (name: string, more: Partial<MediaFile> = {}): MediaFile => ({
  key: `${name}.jpg`,
  mime: 'image/jpeg',
  size: 100,
  width: 1280,
  height: 960,
  placeholder: 'ab'.repeat(27),
  ...more,
});

const mediaOf = async (store: Store, id = 1, channelId = '1'): Promise<Media | undefined> =>
  (await store.post(channelId, id, ALL))?.media[0];

describe('a file of a bot message', () => {
  it('is shown the same whether the file or the message arrives first', async (t) => {
    const results = [];
    for (const fileFirst of [false, true]) {
      const store = await open(t);
      if (fileFirst) {
        await store.putMessages([post('A', { id: 9, channelId: '2' })]);
        await store.markFileSaved('A', jpeg('a'));
      }
      await store.putMessages([post('A')]);
      if (!fileFirst) {
        assert.equal((await mediaOf(store))?.missing, 'pending');
        await store.markFileSaved('A', jpeg('a'));
      }
      results.push(await mediaOf(store));
    }
    assert.deepEqual(results[0], results[1]);
    const { src, missing, width, height, size, mime } = results[0] ?? { src: undefined };
    assert.deepEqual(
      { src, missing, width, height, size, mime },
      { src: '/media/a.jpg', missing: undefined, width: 1280, height: 960, size: 100, mime: 'image/jpeg' },
    );
  });

  it('results in the same rows for every order of message, edit, export and file', async (t) => {
    const exported = post(null, { source: 'export', media: { missing: 'not-included', name: 'photo.jpg' } });
    const late = post(null, { source: 'export', edited: 9000, media: { missing: 'not-included', spoiler: true } });
    for (const another of [exported, late]) {
      const steps = [
        (store: Store) => store.putMessages([post('A')]),
        (store: Store) => store.putMessages([post('A', { edited: 5000, media: { spoiler: true } })]),
        (store: Store) => store.putMessages([another]),
        (store: Store) => store.markFileSaved('A', jpeg('a')),
      ];
      const rows = new Set<string>();
      for (const order of orders(steps)) {
        const store = await open(t);
        // The file may come first because another channel needed it.
        await store.putMessages([post('A', { id: 9, channelId: '2' })]);
        for (const step of order) await step(store);
        rows.add(JSON.stringify(await store.post('1', 1, ALL)));
      }
      assert.equal(rows.size, 1, [...rows].join('\n'));
      assert.match([...rows][0] ?? '', /"src":"\/media\/a\.jpg"/);
    }
  });

  it('is not fetched after an edit replaces it, and an older edit does not restore it', async (t) => {
    for (const order of orders([post('A'), post('B', { edited: 5000 }), post('C', { edited: 4000 })])) {
      const store = await open(t);
      for (const version of order) await store.putMessages([version]);
      const claimed = await store.claimFiles(9, Date.now(), Date.now() + 1000);
      assert.deepEqual(
        claimed.map(({ uniqueId, fileId }) => [uniqueId, fileId]),
        [['B', 'id-B']],
      );
      await store.markFileSaved('B', jpeg('b'));
      assert.equal((await mediaOf(store))?.src, '/media/b.jpg');
    }
  });

  it('is still fetched if the later version is an export without files', async (t) => {
    const exported = post(null, { source: 'export', edited: 9000, media: { missing: 'not-included' } });
    for (const order of orders([post('A'), exported])) {
      const store = await open(t);
      for (const version of order) await store.putMessages([version]);
      assert.equal((await mediaOf(store))?.missing, 'pending');
    }
  });

  it('has the poster of the later version, whichever arrives first', async (t) => {
    const video = (poster: string, edited: number): Message => {
      const videoPost = post('V', { edited, media: { type: 'video' } });
      return { ...videoPost, files: [ref('V'), ref(poster, { part: 'poster' })] };
    };
    for (const order of orders([video('P', 4000), video('Q', 5000)])) {
      const store = await open(t);
      for (const version of order) await store.putMessages([version]);
      const claimed = await store.claimFiles(9, Date.now(), Date.now() + 1000);
      assert.deepEqual(claimed.map(({ uniqueId }) => uniqueId).toSorted(), ['Q', 'V']);
    }
  });

  it('is fetched once for two channels, and shown in both', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A'), post('A', { channelId: '2', id: 7 })]);
    assert.equal((await store.claimFiles(9, 1, 1000)).length, 1);
    assert.deepEqual(await store.claimFiles(9, 1, 1000), []);
    await store.markFileSaved('A', jpeg('a'));
    assert.equal((await mediaOf(store, 7, '2'))?.src, '/media/a.jpg');
    assert.equal((await mediaOf(store))?.src, '/media/a.jpg');
    assert.deepEqual(
      (await store.storageByChannel()).map(({ channelId, bytes, files }) => [channelId, bytes, files]),
      [
        ['1', 100, 1],
        ['2', 100, 1],
      ],
    );
    assert.equal(await store.storedBytes(), 100);
  });

  it('sends an event to open pages when it is saved', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A')]);
    const before = await store.lastEventId();
    await store.markFileSaved('A', jpeg('a'));
    assert.deepEqual(
      (await store.eventsAfter(before, 9))?.map(({ kind, messageId }) => [kind, messageId]),
      [['edited', 1]],
    );
  });

  it('may be a poster or the clip of a live photo', async (t) => {
    const store = await open(t);
    const video = post('V', { media: { type: 'video' } });
    await store.putMessages([{ ...video, files: [ref('V'), ref('P', { part: 'poster' }), ref('M', { part: 'motion' })] }]);
    await store.markFileSaved('P', jpeg('p', { width: 320, height: 180 }));
    await store.markFileSaved('M', { key: 'm.mp4', mime: 'video/mp4', size: 5 });
    await store.markFileRejected('V', 'too-large', 'it is larger than 20 MB');
    const media = await mediaOf(store);
    assert.deepEqual(
      [media?.missing, media?.src, media?.poster?.src, media?.poster?.width, media?.motion],
      ['too-large', undefined, '/media/p.jpg', 320, '/media/m.mp4'],
    );
  });

  it('is marked as lost after the last try, and counted by the reason', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A'), post('B', { id: 2, channelId: '2' })]);
    await store.markFileRejected('A', 'failed', 'Telegram does not have it');
    assert.equal((await mediaOf(store))?.missing, 'lost');
    assert.deepEqual(await store.fileCounts(), { waiting: 1, failed: 1, reasons: { 'Telegram does not have it': 1 } });
    assert.deepEqual(await store.fileCountsByChannel(['2']), new Map([['2', { waiting: 1, failed: 0 }]]));
  });

  it('is taken from the queue newest post first, and again after its lease expires', async (t) => {
    const store = await open(t);
    await store.putMessages([post('old'), post('new', { id: 5 }), post('middle', { id: 3 })]);
    const claim = async (now: number) => (await store.claimFiles(2, now, now + 100)).map(({ uniqueId }) => uniqueId);
    assert.deepEqual(await claim(1), ['new', 'middle']);
    assert.deepEqual(await claim(1), ['old']);
    assert.deepEqual(await claim(50), []);
    assert.equal(await store.nextFileDue(), 101);
    assert.deepEqual(await claim(101), ['new', 'middle']);
  });

  it('is deleted with its channel', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A')]);
    await store.removeChannels(['1']);
    assert.deepEqual(await store.claimFiles(9, 1, 100), []);
    assert.equal(await store.nextFileDue(), null);
  });
});

describe('the picture of a channel', () => {
  it('is the last one requested, whichever arrives first', async (t) => {
    const store = await open(t);
    const picture = async () => (await store.channel('1', ALL))?.picture?.src;
    await store.queueChannelPicture('1', ref('P'));
    await store.queueChannelPicture('1', ref('Q'));
    await store.markFileSaved('Q', jpeg('q', { width: 640, height: 640 }));
    await store.markFileSaved('P', jpeg('p'));
    assert.equal(await picture(), '/media/q.jpg');
    await store.queueChannelPicture('1', null);
    assert.equal(await picture(), undefined);
    await store.queueChannelPicture('1', ref('Q'));
    assert.equal(await picture(), '/media/q.jpg');
    assert.equal((await store.mediaFile('q.jpg'))?.private, false);
  });
});

describe('an original evicted for the quota', () => {
  const droppable = async (store: Store) => (await store.oldestOriginals(9)).map(({ key }) => key);

  it('is the oldest one that only bot posts show', async (t) => {
    const store = await open(t);
    const names = ['A', 'B', 'C', 'D'];
    await store.putMessages(names.map((name, at) => post(name, { id: at + 1 })));
    // A file that a newer post has too, the picture of a channel, and a file of an export.
    await store.putMessages([post('A', { id: 20, channelId: '2' })]);
    await store.queueChannelPicture('1', ref('C'));
    for (const name of names) await store.markFileSaved(name, jpeg(name.toLowerCase()));
    assert.deepEqual(await droppable(store), ['b.jpg', 'd.jpg', 'a.jpg']);
    const imported = post(null, { source: 'export', channelId: '2', id: 30, media: { src: '/media/d.jpg' } });
    await store.putMessages([imported]);
    assert.equal(await store.evictOriginal('d.jpg', null), false);
    assert.equal((await mediaOf(store, 4))?.src, '/media/d.jpg');
    assert.deepEqual(await droppable(store), ['b.jpg', 'a.jpg']);
  });

  it('is marked as evicted, is replaced by a smaller picture, and stays evicted', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A'), post('V', { id: 2, media: { type: 'video' } })]);
    await store.markFileSaved('A', jpeg('a'));
    await store.markFileSaved('V', { key: 'v.mp4', mime: 'video/mp4', size: 500 });
    assert.equal(await store.storedBytes(), 600);
    assert.equal(await store.evictOriginal('a.jpg', jpeg('small', { width: 640, height: 480, size: 10 })), true);
    assert.equal(await store.evictOriginal('v.mp4', null), true);
    assert.equal(await store.storedBytes(), 10);
    const [photo, video] = [await mediaOf(store, 1), await mediaOf(store, 2)];
    assert.deepEqual([photo?.src, photo?.width, photo?.missing], ['/media/small.jpg', 640, 'dropped']);
    assert.deepEqual([video?.src, video?.missing], [undefined, 'dropped']);
    await store.putMessages([post('A', { edited: 9000 }), post('V', { id: 3, channelId: '2', media: { type: 'video' } })]);
    assert.equal((await mediaOf(store, 1))?.src, '/media/small.jpg');
    assert.equal((await mediaOf(store, 3, '2'))?.missing, 'dropped');
    assert.deepEqual(await store.claimFiles(9, Date.now(), Date.now() + 1), []);
    assert.equal(await store.mediaFile('a.jpg'), null);
  });
});

describe('originals older than an evicted one', () => {
  it('include those saved after the eviction, and exclude those younger at that time, even if its file is posted again', async (t) => {
    const store = await open(t);
    await store.putMessages(['A', 'B', 'C'].map((name, at) => post(name, { id: at + 1 })));
    for (const name of ['B', 'C']) await store.markFileSaved(name, jpeg(name.toLowerCase()));
    assert.equal(await store.hasOriginalOlderThanEvicted(), false);
    await store.evictOriginal('b.jpg', jpeg('small', { width: 640, size: 10 }));
    assert.equal(await store.hasOriginalOlderThanEvicted(), false);
    await store.putMessages([post('B', { id: 40 })]);
    assert.equal(await store.hasOriginalOlderThanEvicted(), false, 'C is younger than B was when it left');
    await store.markFileSaved('A', jpeg('a'));
    assert.equal(await store.hasOriginalOlderThanEvicted(), true);
    await store.retainOriginal('a.jpg');
    assert.equal(await store.hasOriginalOlderThanEvicted(), false);
  });

  it('exclude those that a younger post also shows', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A'), post('B', { id: 2 }), post('A2', { id: 3 })]);
    for (const [name, key] of [
      ['A', 'a'],
      ['B', 'b'],
      ['A2', 'a'],
    ] as const)
      await store.markFileSaved(name, jpeg(key));
    await store.evictOriginal('b.jpg', jpeg('small', { width: 640, size: 10 }));
    assert.equal(await store.hasOriginalOlderThanEvicted(), false);
  });
});

describe('an unused file', () => {
  it('is deleted, except while its post is hidden', async (t) => {
    const store = await open(t);
    await store.putMessages([post('A'), post(null, { source: 'export', channelId: '2', media: { src: '/media/e.jpg' } })]);
    await store.markFileSaved('A', jpeg('a'));
    await store.putMediaFile(jpeg('e'));
    await store.putMediaFile(jpeg('x'));
    await store.hidePost('1', 1, 500);
    await store.hidePost('2', 1, 500);
    assert.deepEqual((await store.fileKeysWithPrefix('')).unused, ['x.jpg']);
    const deletedKeys: string[] = [];
    for (const key of ['a.jpg', 'e.jpg', 'x.jpg']) await store.deleteFileIfUnused(key, () => deletedKeys.push(key));
    assert.deepEqual(deletedKeys, ['x.jpg']);
    await store.hidePost('1', 1, null);
    assert.equal((await mediaOf(store))?.src, '/media/a.jpg');
    await store.putMessages([post('B', { edited: 5000 })]);
    assert.deepEqual((await store.fileKeysWithPrefix('a')).unused, ['a.jpg']);
    assert.equal(await store.deleteFileIfUnused('a.jpg', () => {}), true);
    assert.equal(await store.storedBytes(), 100);
  });
});
