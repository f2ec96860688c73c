// Conformance of media stores: the same behaviour of a folder and of a bucket.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { it, type TestContext } from 'node:test';
import { createBackup } from '../../../server/backup/create.ts';
import { restoreBackup } from '../../../server/backup/restore.ts';
import { thumbnailName } from '../../../server/media/files.ts';
import { collectGarbage } from '../../../server/media/garbage-collection.ts';
import type { MediaStore } from '../../../server/media/media-store.ts';
import { openMediaStore } from '../../../server/media/open-media-store.ts';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import { createThumbnails } from '../../../server/media/thumbnails.ts';
import { openStore } from '../../../server/storage/open.ts';
import { until } from '../../support/browser.ts';
import { channel, makeApp, makeFolder, message, type TestApp } from '../support/make-app.ts';
import { photo, post, start, videoBytes } from './download-fixture.ts';

/** Returns the environment variables of a server with an empty media store. */
type MakeEnvironment = (t: TestContext) => Promise<Readonly<Record<string, string>>>;

const nameOf = (bytes: Uint8Array, extension: string) => `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;

/** Saves bytes by their hash, as a download does. */
export const saveBytes = async (mediaStore: MediaStore, bytes: Uint8Array, extension = 'mp4'): Promise<string> => {
  mkdirSync(mediaStore.incomingFolder, { recursive: true });
  const path = join(mediaStore.incomingFolder, randomBytes(8).toString('hex'));
  writeFileSync(path, bytes);
  const name = nameOf(bytes, extension);
  await mediaStore.save(path, name);
  return name;
};

export const readAll = async (mediaStore: MediaStore, name: string): Promise<Buffer | null> => {
  const content = await mediaStore.read(name);
  return content && buffer(content);
};

/** Returns the total size of the files that a media store lists, bytes. */
export const totalBytesOf = async (mediaStore: MediaStore): Promise<number> => {
  let bytes = 0;
  for await (const { size } of mediaStore.list()) bytes += size;
  return bytes;
};

export const namesIn = async (mediaStore: MediaStore, prefix?: string): Promise<string[]> => {
  const names = [];
  for await (const { name } of mediaStore.list(prefix)) names.push(name);
  return names.sort();
};

const show = async ({ store, mediaStore }: TestApp, bytes: Buffer, postId = 1) => {
  const saved = await saveMediaFile(bytes, { mediaStore, store });
  const { src, file } = saved;
  await store.putMessages([message('1', postId, '', [{ type: 'photo', messageId: postId, src, mime: file.mime }])]);
  return file;
};

/** Describes the tests of one engine. */
export const mediaStoreTests = (makeEnvironment: MakeEnvironment): void => {
  const makeSite = async (t: TestContext): Promise<TestApp> => {
    const testApp = await makeApp(t, await makeEnvironment(t));
    await testApp.store.putChannel(channel('1'));
    return testApp;
  };

  it('stores a file once by the hash of its content, however often it is saved', async (t) => {
    const { mediaStore } = await makeSite(t);
    // Their hashes begin with different digits, so each is alone in its list.
    for (const bytes of [Buffer.from('a file'), Buffer.alloc(0), Buffer.alloc(9 * 1024 * 1024, 'a large file')]) {
      const name = await saveBytes(mediaStore, bytes);
      assert.equal(await saveBytes(mediaStore, bytes), name);
      assert.equal((await mediaStore.find(name))?.size, bytes.length);
      assert.ok((await readAll(mediaStore, name))?.equals(bytes));
      assert.deepEqual(await namesIn(mediaStore, name.slice(0, 2)), [name]);
    }
    assert.equal(await totalBytesOf(mediaStore), 6 + 9 * 1024 * 1024);
    assert.ok(Math.abs(((await mediaStore.find(nameOf(Buffer.from('a file'), 'mp4')))?.modifiedAt ?? 0) - Date.now()) < 60_000);
  });

  it('reads any part of a file, and nothing of a missing one', async (t) => {
    const { mediaStore } = await makeSite(t);
    const name = await saveBytes(mediaStore, Buffer.from('abcdefghij'));
    const part = async (from: number, to: number) => {
      const content = await mediaStore.read(name, { start: from, end: to });
      return content && String(await buffer(content));
    };
    assert.deepEqual(await Promise.all([part(0, 2), part(9, 9), part(0, 9)]), ['abc', 'j', 'abcdefghij']);
    assert.deepEqual([await mediaStore.find('00none.mp4'), await mediaStore.read('00none.mp4')], [null, null]);
    await mediaStore.delete([name, '00none.mp4']);
    assert.deepEqual([await mediaStore.find(name), await namesIn(mediaStore)], [null, []]);
  });

  it('serves files with ranges, conditions, HEAD and the headers that keep them harmless', async (t) => {
    const testApp = await makeSite(t);
    const file = await show(testApp, Buffer.concat([Buffer.from('\x00\x00\x00\x20ftypisom', 'latin1'), Buffer.alloc(90, 'x')]));
    const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      testApp.app.inject({ method, url: `/media/${file.key}`, headers });
    const whole = await get();
    assert.deepEqual([whole.statusCode, whole.rawPayload.length, whole.headers['content-type']], [200, 102, 'video/mp4']);
    assert.equal(whole.headers['x-content-type-options'], 'nosniff');
    assert.equal(whole.headers['content-security-policy'], "sandbox; default-src 'none'");
    for (const [range, status, length] of [
      ['bytes=0-3', 206, 4],
      ['bytes=-2', 206, 2],
      ['bytes=100-999', 206, 2],
      ['bytes=102-', 416, 0],
    ] as const) {
      const response = await get({ range });
      assert.deepEqual([response.statusCode, response.rawPayload.length], [status, length], range);
    }
    const head = await get({}, 'HEAD');
    assert.deepEqual([head.statusCode, head.headers['content-length'], head.rawPayload.length], [200, '102', 0]);
    assert.equal((await get({ 'if-none-match': String(whole.headers.etag) })).statusCode, 304);
    const pdf = await show(testApp, Buffer.from('%PDF-1.7 x'), 2);
    const download = await testApp.app.inject(`/media/${pdf.key}`);
    assert.equal(download.headers['content-type'], 'application/octet-stream');
    assert.match(String(download.headers['content-disposition']), /^attachment/);
    await testApp.mediaStore.delete([pdf.key]);
    const missing = await testApp.app.inject(`/media/${pdf.key}`);
    assert.equal(missing.statusCode, 404);
    assert.doesNotMatch(String(missing.headers['cache-control']), /max-age=31536000/);
  });

  it('creates thumbnails, counts their bytes, and leaves no temporary file', async (t) => {
    const testApp = await makeSite(t);
    const file = await show(testApp, await photo(1000, 500));
    const before = await testApp.store.storedBytes();
    const response = await testApp.app.inject(`/media/${thumbnailName(file.key, 640)}`);
    assert.deepEqual([response.statusCode, response.headers['content-type']], [200, 'image/webp']);
    assert.equal((await testApp.store.storedBytes()) - before, response.rawPayload.length);
    assert.deepEqual(readdirSync(testApp.mediaStore.incomingFolder), []);
  });

  it('deletes unused and unknown files that are old, and nothing else', async (t) => {
    const testApp = await makeSite(t);
    const { store, mediaStore } = testApp;
    const shown = await show(testApp, await photo());
    const { file: unused } = await saveMediaFile(await photo(), { mediaStore, store });
    await createThumbnails(testApp).getOrRender(unused, 320);
    const unknown = await saveBytes(mediaStore, Buffer.from('unknown'));
    assert.equal(await collectGarbage(testApp), 0);
    // Later by two days, instead of files that are older by two days: a bucket sets the times of its objects.
    const later = Date.now() + 48 * 3_600_000;
    t.mock.method(Date, 'now', () => later);
    assert.equal(await collectGarbage(testApp), 2);
    assert.deepEqual(await namesIn(mediaStore), [shown.key]);
    assert.deepEqual([await store.mediaFile(unused.key), await mediaStore.find(unknown)], [null, null]);
  });

  it('evicts the oldest original over the quota', async (t) => {
    const { mediaStore } = await makeSite(t);
    const { telegram, store, fetcher, waitUntilStored } = await start(t, { quota: 500_000 });
    const [older, newer] = [videoBytes(400_000), videoBytes(400_000)];
    const running = fetcher({ mediaStore });
    await store.putMessages([post(1, telegram.files.add(older, 'mp4'), 'video')]);
    running.start();
    await waitUntilStored(1);
    await store.putMessages([post(2, telegram.files.add(newer, 'mp4'), 'video')]);
    await waitUntilStored(2);
    await until(async () => (await store.storedBytes()) <= 500_000, 'the total is within the quota');
    await until(async () => (await namesIn(mediaStore)).join() === nameOf(newer, 'mp4'), 'only the newer file is stored');
  });

  it('is backed up, and restored to an empty one', async (t) => {
    const testApp = await makeSite(t);
    const bytes = await photo();
    const { key } = await show(testApp, bytes);
    const folder = join(makeFolder(t), 'backup');
    const { missing } = await createBackup(testApp.context.config, folder);
    assert.deepEqual(missing, []);
    const target = (await makeSite(t)).context.config;
    const dataDir = join(makeFolder(t), 'data');
    await restoreBackup(folder, { ...target, dataDir });
    assert.ok((await readAll(await openMediaStore({ ...target, dataDir }), key))?.equals(bytes));
    const store = await openStore({ dataDir });
    assert.equal((await store.mediaFile(key))?.key, key);
    await store.close();
  });
};
