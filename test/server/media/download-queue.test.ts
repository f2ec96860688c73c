// Media fetcher: retries, rate limits of Telegram, quota and eviction.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import type { Media } from '../../../contract/post.ts';
import type { FileSource } from '../../../server/media/file-source.ts';
import { mediaPath, thumbnailName } from '../../../server/media/files.ts';
import { createBotApi } from '../../../server/sources/telegram/client.ts';
import { createBotFileSource } from '../../../server/sources/telegram/file-source.ts';
import { openStore } from '../../../server/storage/open.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { until } from '../../support/browser.ts';
import { ALL } from '../storage/conformance.ts';
import { message } from '../support/make-app.ts';
import { incomingFilesOf, photo, post, SHORT_DELAYS, start, videoBytes } from './download-fixture.ts';

describe('the download queue', () => {
  it('fetches the files of posts, shows them, and creates the thumbnails that pages will request', async (t) => {
    const { telegram, store, dataDir, fetcher, mediaOf, waitUntilStored } = await start(t);
    const bytes = await photo(1000, 500);
    await store.putMessages([post(1, telegram.files.add(bytes, 'jpg'))]);
    const running = fetcher();
    running.start();
    await waitUntilStored(1);
    const { src, width, height, placeholder, missing } = (await mediaOf(1)) ?? {};
    assert.deepEqual([width, height, placeholder?.length, missing], [1000, 500, 54, undefined]);
    const key = src?.slice(7) ?? '';
    assert.deepEqual(readFileSync(mediaPath(dataDir, key)), bytes);
    const thumbnailPath = mediaPath(dataDir, thumbnailName(key, 640));
    await until(async () => (await running.status()).storage.used > bytes.length, 'sizes are counted');
    await until(
      async () =>
        sharp(thumbnailPath)
          .metadata()
          .then(
            (found) => found.width === 640,
            () => false,
          ),
      'w640 is there',
    );
    await store.putMessages([post(2, telegram.files.add(await photo(), 'jpg'))]);
    await waitUntilStored(2);
  });

  it('waits as long as a 429 response says, also for the next files, and counts no try', async (t) => {
    const { telegram, store, fetcher, waitUntilStored } = await start(t);
    telegram.fail('file', { retryAfter: 1 });
    await store.putMessages([post(1, telegram.files.add(await photo(), 'jpg'))]);
    await store.putMessages([post(2, telegram.files.add(await photo(), 'jpg'))]);
    const startedAt = Date.now();
    // The fetcher takes the second file at once, but requests it only after the response for the first.
    fetcher({ limits: { ...SHORT_DELAYS, spacingMs: 500, maxTries: 1 } }).start();
    await Promise.race([waitUntilStored(1), waitUntilStored(2)]);
    assert.ok(Date.now() - startedAt >= 1000, `after ${Date.now() - startedAt} ms`);
    await Promise.all([waitUntilStored(1), waitUntilStored(2)]);
  });

  it('resumes at once when a clock that was ahead is corrected', async (t) => {
    const { telegram, store, fetcher, waitUntilStored } = await start(t);
    let ahead = 3_600_000;
    fetcher({ now: () => Date.now() + ahead }).start();
    for (const id of [1, 2]) {
      await store.putMessages([post(id, telegram.files.add(await photo(), 'jpg'))]);
      await waitUntilStored(id);
      ahead = 0;
    }
  });

  it('has one timer for its next check, also after failed checks, and none after it stops', async (t) => {
    const POLL_INTERVAL_MS = 10_000;
    const waiting = new Set<unknown>();
    const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
    t.mock.method(globalThis, 'setTimeout', (run: () => void, ms?: number) => {
      const timer = setTimer(run, ms);
      if (ms === POLL_INTERVAL_MS) waiting.add(timer);
      return timer;
    });
    t.mock.method(globalThis, 'clearTimeout', (timer?: NodeJS.Timeout) => {
      waiting.delete(timer);
      clearTimer(timer);
    });
    const { store, fetcher, lines } = await start(t);
    let [isBroken, failures, checks] = [false, 0, 0];
    const nextFileDue: Store['nextFileDue'] = async () => {
      checks += 1;
      if (!isBroken) return store.nextFileDue();
      failures += 1;
      throw new Error('the database does not answer');
    };
    const running = fetcher({ store: { ...store, nextFileDue } });
    running.start();
    await until(async () => checks > 0 && waiting.size === 1, 'the first check ends');
    isBroken = true;
    for (const id of [1, 2, 3]) {
      await store.putMessages([post(id, { file_id: `${id}`, file_unique_id: `${id}` })]);
      await until(async () => failures >= id && lines.length === failures, 'a check fails');
    }
    assert.equal(waiting.size, 1);
    await running.stop();
    assert.equal(waiting.size, 0);
  });

  it('recovers from broken connections, invalid responses and expired paths', async (t) => {
    const { telegram, store, fetcher, waitUntilStored, dataDir, lines } = await start(t);
    for (const fault of ['reset', 'garbage', { code: 404, description: 'Not Found' }, { code: 500, description: 'x' }] as const)
      telegram.fail('file', fault);
    await store.putMessages([post(1, telegram.files.add(await photo(200, 100), 'jpg'))]);
    fetcher().start();
    await waitUntilStored(1);
    assert.deepEqual([incomingFilesOf(dataDir), lines], [[], []]);
    assert.equal(telegram.callsOf('getFile').length, 5);
  });

  it('never gives up on a file because Telegram is unreachable', async (t) => {
    const { telegram, store, fetcher, waitUntilStored } = await start(t, { maxTries: 2, maxBackOffMs: 5 });
    telegram.fail('file', 'reset', 6);
    await store.putMessages([post(1, telegram.files.add(await photo(), 'jpg'))]);
    fetcher().start();
    await waitUntilStored(1);
    assert.equal(telegram.callsOf('file').length, 7);
  });

  it('stores why it gave up on a file, after the maximum number of tries, or at once for a permanent error', async (t) => {
    const { telegram, store, fetcher, mediaOf } = await start(t, { maxTries: 2 });
    const deletedFile = telegram.files.add(await photo(), 'jpg');
    telegram.files.lose(deletedFile.file_id);
    const huge = { ...telegram.files.addHuge(21 * 1024 * 1024, 'mp4'), file_size: undefined };
    await store.putMessages([post(1, deletedFile), post(2, { file_id: 'bad id', file_unique_id: 'bad' })]);
    const { file_id, file_unique_id } = huge;
    await store.putMessages([post(3, { file_id, file_unique_id }, 'video')]);
    const running = fetcher();
    running.start();
    await until(async () => (await running.status()).queue.waiting === 0, 'the queue is empty');
    assert.deepEqual((await running.status()).queue, {
      waiting: 0,
      failed: 2,
      reasons: { '[unknown] Telegram does not have this file': 1, '[unknown] Telegram does not know this file': 1 },
    });
    assert.deepEqual(
      [(await mediaOf(1))?.missing, (await mediaOf(2))?.missing, (await mediaOf(3))?.missing],
      ['lost', 'lost', 'too-large'],
    );
    assert.equal(telegram.callsOf('getFile').filter((args) => args.file_id === deletedFile.file_id).length, 2);
  });

  it('does not fetch a file with a declared size over the limit, and aborts one that turns out to be larger', async (t) => {
    const { telegram, store, dataDir, fetcher, mediaOf, waitUntilStored } = await start(t, { fileBytes: 50_000 });
    const [declared, underdeclared, small] = [videoBytes(60_000), videoBytes(70_000), videoBytes(40_000)].map((bytes) =>
      telegram.files.add(bytes, 'mp4'),
    );
    if (!declared || !underdeclared || !small) return assert.fail();
    await store.putMessages([
      post(1, declared, 'video'),
      post(2, { ...underdeclared, file_size: 10 }, 'video'),
      post(3, small, 'video'),
    ]);
    const source = createBotFileSource(createBotApi({ botToken: telegram.token, botApiRoot: telegram.root }), null);
    const sourceWithoutSize: FileSource = {
      ...source,
      locateFile: async (id, signal) => ({ ...(await source.locateFile(id, signal)), size: null }),
    };
    fetcher({ source: sourceWithoutSize }).start();
    await waitUntilStored(3);
    await until(async () => (await mediaOf(2))?.missing === 'too-large', 'the liar is found out');
    assert.equal((await mediaOf(1))?.missing, 'too-large');
    assert.equal(
      telegram.callsOf('getFile').some(({ file_id }) => file_id === declared.file_id),
      false,
    );
    assert.deepEqual(incomingFilesOf(dataDir), []);
  });

  for (const [defect, length] of [
    ['is shorter', 100],
    ['is longer', 400],
  ] as const)
    it(`discards a download that ${defect} than its declared size`, async (t) => {
      const { store, dataDir, fetcher, mediaOf } = await start(t, { maxTries: 1 });
      await store.putMessages([post(1, { file_id: 'x', file_unique_id: 'x' }, 'video')]);
      async function* bytes() {
        yield Buffer.alloc(length);
      }
      fetcher({ source: { locateFile: async () => ({ path: 'x', size: 200 }), download: async () => bytes() } }).start();
      await until(async () => (await mediaOf(1))?.missing === 'lost', 'the download is abandoned');
      assert.deepEqual((await store.fileCounts()).reasons, { '[broken-off] the download was interrupted': 1 });
      assert.deepEqual([incomingFilesOf(dataDir), await store.storedBytes()], [[], 0]);
    });

  it('aborts a download that makes no progress', async (t) => {
    const { store, fetcher, mediaOf } = await start(t, { maxTries: 1, stallTimeoutMs: 40 });
    await store.putMessages([post(1, { file_id: 'x', file_unique_id: 'x' }, 'video')]);
    const neverEnding = async function* (signal: AbortSignal) {
      yield Buffer.alloc(10);
      await new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
    };
    fetcher({
      source: { locateFile: async () => ({ path: 'x', size: 20 }), download: async (_, signal) => neverEnding(signal) },
    }).start();
    await until(async () => (await mediaOf(1))?.missing === 'lost', 'the download is abandoned');
    assert.deepEqual((await store.fileCounts()).reasons, { '[broken-off] the download stalled': 1 });
  });

  it('fetches each file once, also when two processes share the work', async (t) => {
    const { telegram, store, dataDir, fetcher, waitUntilStored } = await start(t);
    const second = await openStore({ dataDir });
    t.after(() => second.close());
    const files = await Promise.all(Array.from({ length: 12 }, async () => telegram.files.add(await photo(200, 100), 'jpg')));
    await store.putMessages(files.map((file, at) => post(at + 1, file)));
    const both = [fetcher(), fetcher({ store: second })];
    for (const one of both) one.start();
    for (const at of files.keys()) await waitUntilStored(at + 1);
    assert.deepEqual(telegram.files.fetched.toSorted(), files.map(({ file_id }) => file_id).toSorted());
    for (const one of both) await one.stop();
  });

  it('releases its current downloads when it stops, and counts no try', async (t) => {
    const { telegram, store, dataDir, fetcher, mediaOf, waitUntilStored } = await start(t, { maxTries: 1 });
    telegram.fail('file', { slow: 1500 });
    await store.putMessages([post(1, telegram.files.add(await photo(200, 100), 'jpg'))]);
    const first = fetcher();
    first.start();
    await until(async () => telegram.callsOf('file').length === 1, 'the download is under way');
    await first.stop();
    assert.equal((await mediaOf(1))?.missing, 'pending');
    assert.deepEqual(await store.fileCounts(), { waiting: 1, failed: 0 });
    fetcher().start();
    await waitUntilStored(1);
    assert.deepEqual(incomingFilesOf(dataDir), []);
  });

  it('pauses while Telegram rejects the token, and reports that', async (t) => {
    const { telegram, store, fetcher } = await start(t);
    const unauthorizedApi = createBotApi({ botToken: '1:AAAA', botApiRoot: telegram.root });
    await store.putMessages([post(1, telegram.files.add(await photo(), 'jpg'))]);
    const running = fetcher({ source: createBotFileSource(unauthorizedApi, null) });
    running.start();
    await until(async () => (await running.status()).paused === 'Telegram rejected BOT_TOKEN', 'the status contains the reason');
    assert.deepEqual((await running.status()).queue, { waiting: 1, failed: 0 });
  });
});

describe('the media quota', () => {
  it('evicts the originals of the oldest posts first, and keeps small photos', async (t) => {
    const { telegram, store, dataDir, fetcher, mediaOf, waitUntilStored } = await start(t, { quota: 100_000 });
    const old = await photo(2000, 1500);
    const filesByAge = [
      telegram.files.add(old, 'jpg'),
      telegram.files.add(videoBytes(30_000), 'mp4'),
      telegram.files.add(videoBytes(31_000), 'mp4'),
    ];
    const running = fetcher();
    running.start();
    for (const [at, file] of filesByAge.entries()) {
      await store.putMessages([post(at + 1, file, at === 0 ? 'photo' : 'video')]);
      await waitUntilStored(at + 1);
    }
    const original = (await mediaOf(1))?.src?.slice(7) ?? '';
    await store.putMessages([post(4, telegram.files.add(videoBytes(60_000), 'mp4'), 'video')]);
    await until(async () => (await mediaOf(2))?.missing === 'dropped', 'the older film leaves');
    await until(async () => (await store.storedBytes()) <= 100_000, 'the files are within the quota');
    const small = await mediaOf(1);
    assert.deepEqual([small?.missing, small?.width, small?.height], ['dropped', 640, 480]);
    assert.equal((await sharp(mediaPath(dataDir, small?.src?.slice(7) ?? '')).metadata()).width, 640);
    assert.throws(() => readFileSync(mediaPath(dataDir, original)), /ENOENT/);
    assert.deepEqual([(await mediaOf(2))?.src, (await mediaOf(4))?.missing], [undefined, undefined]);
  });

  it('keeps small pictures, because there is no other version of them', async (t) => {
    const { telegram, store, fetcher, mediaOf, waitUntilStored } = await start(t, { quota: 90_000 });
    fetcher().start();
    await store.putMessages([post(1, telegram.files.add(await photo(500, 400), 'jpg'))]);
    await waitUntilStored(1);
    await store.putMessages([post(2, telegram.files.add(videoBytes(50_000), 'mp4'), 'video')]);
    await waitUntilStored(2);
    await store.putMessages([post(3, telegram.files.add(videoBytes(51_000), 'mp4'), 'video')]);
    await until(async () => (await mediaOf(2))?.missing === 'dropped', 'the older film leaves');
    const { src, width, missing } = (await mediaOf(1)) ?? {};
    assert.deepEqual([src !== undefined, width, missing], [true, 500, undefined]);
  });

  /**
   * Stores three untrusted pictures. They are too narrow for a thumbnail, so they would remain for good, and the bytes appended
   * to them make them large.
   */
  const putUntrustedPictures = async ({ telegram, store }: Awaited<ReturnType<typeof start>>, first: number) => {
    await store.addExternalChannel({ id: 'f-2', title: 'Two' }, 9, 1);
    const ids = [first, first + 1, first + 2];
    for (const id of ids) {
      const { post: feedPost, ...rest } = post(
        id,
        telegram.files.add(Buffer.concat([await photo(200, 100), Buffer.alloc(15_000)]), 'jpg'),
      );
      await store.putMessages([{ ...rest, source: 'feed', post: { ...feedPost, channelId: 'f-2' } }]);
    }
    const missing = async (id: number) => (await store.post('f-2', id, ALL))?.media[0]?.missing ?? 'kept';
    return async () => (await Promise.all(ids.map(missing))).sort();
  };

  it('never evicts imported files: it stops fetching and reports why', async (t) => {
    const { telegram, store, fetcher, mediaOf } = await start(t, { quota: 1000 });
    await store.putMediaFile({ key: 'aa.mp4', mime: 'video/mp4', size: 5000 });
    const imported: Media = { type: 'video', messageId: 9, src: '/media/aa.mp4' };
    await store.putMessages([message('1', 9, '', [imported]), post(1, telegram.files.add(await photo(), 'jpg'))]);
    const running = fetcher();
    running.start();
    await until(
      async () => (await running.status()).paused === 'the imported files alone exceed MEDIA_QUOTA',
      'the status contains the reason',
    );
    assert.equal((await mediaOf(9))?.src, '/media/aa.mp4');
    assert.deepEqual(telegram.files.fetched, []);
  });

  it('is reserved mostly for operators, whatever files the reader-added feeds name', async (t) => {
    const site = await start(t, { quota: 100_000, maxConcurrent: 1 });
    const { telegram, store, fetcher, mediaOf, waitUntilStored } = site;
    const first = fetcher();
    first.start();
    const queueIsEmpty = () => until(async () => (await store.fileCounts()).waiting === 0, 'the queue is empty');
    await store.putMessages([post(1, telegram.files.add(videoBytes(70_000), 'mp4'), 'video')]);
    await waitUntilStored(1);
    const before = await putUntrustedPictures(site, 100);
    await queueIsEmpty();
    assert.deepEqual(await before(), ['dropped', 'dropped', 'kept']);
    await first.stop();
    fetcher().start();
    const after = await putUntrustedPictures(site, 200);
    await queueIsEmpty();
    assert.deepEqual(await after(), ['dropped', 'dropped', 'dropped'], 'after a restart');
    assert.equal(telegram.files.fetched.length, 2);
    await store.putMessages([post(2, telegram.files.add(videoBytes(10_000), 'mp4'), 'video')]);
    await waitUntilStored(2);
    assert.equal((await mediaOf(1))?.missing, undefined);
  });

  it('does not limit operators if none is set', async (t) => {
    const site = await start(t);
    const statesOfNew = await putUntrustedPictures(site, 100);
    site.fetcher().start();
    await until(async () => (await site.store.fileCounts()).waiting === 0, 'the queue is empty');
    assert.deepEqual(await statesOfNew(), ['kept', 'kept', 'kept']);
  });
});
