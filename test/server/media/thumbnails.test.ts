// Image sizes: smaller versions of pictures, created on request.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import sharp from 'sharp';
import type { Post } from '../../../contract/post.ts';
import type { MediaFile } from '../../../server/domain/model.ts';
import { mediaPath, THUMBNAIL_WIDTHS, thumbnailName } from '../../../server/media/files.ts';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import { createThumbnails } from '../../../server/media/thumbnails.ts';
import { channel, makeApp, message, signIn, type TestApp } from '../support/make-app.ts';

const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#3a5bd9' } });

/** Stores bytes and shows them in a post. */
const show = async ({ store, mediaStore }: TestApp, bytes: Buffer, channelId = '1'): Promise<MediaFile> => {
  const { file, src } = await saveMediaFile(bytes, { mediaStore, store });
  const { mime } = file;
  await store.putMessages([message(channelId, 1, '', [{ type: 'photo', messageId: 1, src, mime }])]);
  return file;
};

const start = async (t: TestContext): Promise<TestApp> => {
  const testApp = await makeApp(t, { OPERATOR_IDS: '7' });
  await testApp.store.putChannel(channel('1'));
  await testApp.store.putChannel(channel('9', { private: true }));
  return testApp;
};

const get = ({ app }: TestApp, url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

const sizeOf = (src: string, width: number) => src.replace(/\.\w+(?=\?|$)/, `.w${width}.webp`);

describe('a thumbnail', () => {
  it('is created on the first request, and served like the original', async (t) => {
    const testApp = await start(t);
    const { key } = await show(testApp, await picture(1000, 500).jpeg().toBuffer());
    const original = await get(testApp, `/media/${key}`);
    const response = await get(testApp, `/media/${thumbnailName(key, 640)}`);
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'image/webp');
    for (const name of ['cache-control', 'content-security-policy', 'cross-origin-resource-policy', 'x-content-type-options'])
      assert.equal(response.headers[name], original.headers[name], name);
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, s-maxage=60, immutable');
    const { format, width, height } = await sharp(response.rawPayload).metadata();
    assert.deepEqual([format, width, height], ['webp', 640, 320]);
    const etag = String(response.headers.etag);
    assert.notEqual(etag, original.headers.etag);
    assert.equal((await get(testApp, `/media/${thumbnailName(key, 640)}`, { 'if-none-match': etag })).statusCode, 304);
    const part = await get(testApp, `/media/${thumbnailName(key, 640)}`, { range: 'bytes=0-3' });
    assert.deepEqual([part.statusCode, part.body], [206, 'RIFF']);
    assert.deepEqual(readdirSync(join(testApp.dataDir, 'media/incoming')), []);
    assert.ok((await testApp.store.storedBytes()) > (original.rawPayload.length ?? 0));
  });

  it('is rotated like its original, and contains no location metadata', async (t) => {
    const testApp = await start(t);
    const exif = { IFD0: { Copyright: 'secret place' } };
    const bytes = await picture(500, 1000).jpeg().withMetadata({ orientation: 6, exif }).toBuffer();
    const { key, width } = await show(testApp, bytes);
    assert.equal(width, 1000);
    const response = await get(testApp, `/media/${thumbnailName(key, 320)}`);
    const found = await sharp(response.rawPayload).metadata();
    assert.deepEqual([found.width, found.height, found.exif, found.orientation], [320, 160, undefined, undefined]);
  });

  it('is not found if it would not be smaller, or if the file is no still picture', async (t) => {
    const testApp = await start(t);
    const { key } = await show(testApp, await picture(640, 480).png().toBuffer());
    const statusOf = async (name: string) => (await get(testApp, `/media/${name}`)).statusCode;
    assert.deepEqual(await Promise.all(THUMBNAIL_WIDTHS.map((width) => statusOf(thumbnailName(key, width)))), [200, 404, 404]);
    const hash = key.slice(0, 64);
    for (const name of [`${hash}.w100.webp`, `${hash}.w320.jpg`, `${hash}.w0320.webp`, `${'0'.repeat(64)}.w320.webp`])
      assert.equal(await statusOf(name), 404, name);
    const gif = await show(testApp, await picture(700, 500).gif().toBuffer());
    assert.equal(await statusOf(thumbnailName(gif.key, 320)), 404);
    const video = await show(testApp, Buffer.from('\x00\x00\x00\x20ftypisom\x00\x00\x02\x00', 'latin1'));
    assert.equal(await statusOf(thumbnailName(video.key, 320)), 404);
  });

  it('of an animated picture is the original, so that the animation stays', async (t) => {
    const testApp = await start(t);
    const frames = await Promise.all(['red', 'blue'].map((background) => picture(400, 400).tint(background).png().toBuffer()));
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [100, 100] })
      .toBuffer();
    const { key } = await show(testApp, moving);
    const response = await get(testApp, `/media/${thumbnailName(key, 320)}`);
    assert.deepEqual([response.statusCode, response.headers['cache-control']], [200, 'no-store']);
    assert.deepEqual(response.rawPayload, moving);
  });

  it('is not found while its post is hidden, and is found again after', async (t) => {
    const testApp = await start(t);
    const { key } = await show(testApp, await picture(1000, 500).jpeg().toBuffer());
    const both = async () => [
      (await get(testApp, `/media/${key}`)).statusCode,
      (await get(testApp, `/media/${thumbnailName(key, 320)}`)).statusCode,
    ];
    assert.deepEqual(await both(), [200, 200]);
    await testApp.store.hidePost('1', 1, 500);
    assert.deepEqual(await both(), [404, 404]);
    assert.ok(existsSync(mediaPath(testApp.dataDir, thumbnailName(key, 320))));
    await testApp.store.hidePost('1', 1, null);
    assert.deepEqual(await both(), [200, 200]);
  });

  it('of a private channel requires the URL signature of its original', async (t) => {
    const testApp = await start(t);
    const { key } = await show(testApp, await picture(1000, 500).jpeg().toBuffer(), '9');
    const post: Post = (await get(testApp, '/api/posts/9/1', await signIn(testApp, 7))).json().post;
    const src = String(post.media[0]?.src);
    assert.match(src, /\?grant=/);
    const response = await get(testApp, sizeOf(src, 320));
    assert.deepEqual([response.statusCode, response.headers['cache-control']], [200, 'no-store']);
    assert.equal((await get(testApp, `/media/${thumbnailName(key, 320)}`)).statusCode, 404);
    const other = await show(testApp, await picture(900, 500).jpeg().toBuffer(), '9');
    assert.equal((await get(testApp, sizeOf(src, 320).replace(key.slice(0, 64), other.key.slice(0, 64)))).statusCode, 404);
    testApp.clock.now += 14 * 3_600_000;
    assert.equal((await get(testApp, sizeOf(src, 320))).statusCode, 404);
  });
});

describe('createThumbnails', () => {
  it('creates each thumbnail once for any number of requests, and returns null when too many wait', async (t) => {
    const testApp = await start(t);
    const file = await show(testApp, await picture(1000, 500).jpeg().toBuffer());
    const counted: number[] = [];
    const { mediaStore } = testApp;
    const sizes = createThumbnails({ mediaStore, store: { putThumbnailBytes: async (_, bytes) => void counted.push(bytes) } });
    const results = await Promise.all(Array.from({ length: 100 }, () => sizes.getOrRender(file, 320)));
    assert.deepEqual([new Set(results).size, counted.length], [1, 1]);
    const many = Array.from({ length: 80 }, (_, at) => ({ ...file, key: `${String(at).padStart(64, '0')}.jpg` }));
    const renderings = await Promise.all(many.map((each) => sizes.getOrRender(each, 320)));
    assert.ok(renderings.every((result) => result === null));
  });

  it('creates a missing thumbnail again', async (t) => {
    const testApp = await start(t);
    const file = await show(testApp, await picture(1000, 500).jpeg().toBuffer());
    const sizes = createThumbnails(testApp);
    await sizes.renderAll(file);
    rmSync(mediaPath(testApp.dataDir, thumbnailName(file.key, 640)));
    assert.equal((await sizes.getOrRender(file, 640))?.name, thumbnailName(file.key, 640));
    assert.equal(await sizes.getOrRender(file, 1280), null);
  });

  it('counts the bytes of each thumbnail once, with two creators at once and when it is created again', async (t) => {
    const testApp = await start(t);
    const file = await show(testApp, await picture(1000, 500).jpeg().toBuffer());
    const { dataDir, mediaStore, store } = testApp;
    const makers = [createThumbnails({ mediaStore, store }), createThumbnails({ mediaStore, store })];
    const before = await store.storedBytes();
    const bytesOf = (width: 320 | 640) => statSync(mediaPath(dataDir, thumbnailName(file.key, width))).size;
    await Promise.all(makers.flatMap((sizes) => [sizes.getOrRender(file, 320), sizes.getOrRender(file, 640)]));
    assert.equal((await store.storedBytes()) - before, bytesOf(320) + bytesOf(640));
    rmSync(mediaPath(dataDir, thumbnailName(file.key, 640)));
    await Promise.all(makers.map((sizes) => sizes.getOrRender(file, 640)));
    assert.equal((await store.storedBytes()) - before, bytesOf(320) + bytesOf(640));
  });
});
