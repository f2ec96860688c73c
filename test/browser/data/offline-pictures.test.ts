// Offline pictures: storage of the pictures of stored posts.

import { expect } from '@open-wc/testing';
import type { Media, Post } from '../../../contract/post.ts';
import { evictForSpace } from '../../../src/data/offline/eviction.ts';
import { postStorageKey } from '../../../src/data/offline/keys.ts';
import { showOfflineImage } from '../../../src/data/offline/offline-image.ts';
import { createOfflineStore } from '../../../src/data/offline/offline-store.ts';
import { cachePictures } from '../../../src/data/offline/picture-cache.ts';
import type { DeviceStorage } from '../../../src/storage/device-storage.ts';
import type { KeyValueStore } from '../../../src/storage/key-value-store.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import { makePost } from './fake-server.ts';

const hash = (id: number): string => String(id).padStart(64, 'a');
const photo = (id: number, more: Partial<Media> = {}): Media => ({
  type: 'photo',
  messageId: id,
  src: `/media/${hash(id)}.jpg?grant=1.x`,
  width: 1280,
  height: 720,
  ...more,
});
const MAX_BYTES = 1_000_000;

const storePosts = (store: KeyValueStore, ...posts: Post[]): Promise<void> =>
  store.put(posts.map((value) => [postStorageKey(value.channelId, value.id), { value, at: 1 }] as const));
const withPhoto = (channelId: string, id: number): Post => makePost(channelId, id, { media: [photo(id)] });
/** Returns the posts, as `channel/id`, whose pictures are stored. */
const postsWithPictures = async (store: KeyValueStore): Promise<string[]> =>
  (await store.keys('picture/')).map((key) => key.split('/')).map(([, channelId, id]) => `${channelId}/${Number(id)}`);

describe('the pictures of stored posts', () => {
  const { fetch } = window;
  let requestedUrls: string[];
  let bytes: Uint8Array<ArrayBuffer>;
  const fetching = () => ({ signal: new AbortController().signal, failedUrls: new Set<string>() });
  const run = (storage: DeviceStorage, maxBytes = MAX_BYTES) => cachePictures(storage, fetching(), maxBytes);

  beforeEach(() => {
    requestedUrls = [];
    bytes = new Uint8Array(100);
    window.fetch = async (src) => {
      requestedUrls.push(String(src));
      return new Response(bytes, { headers: { 'content-type': 'image/webp' } });
    };
  });
  afterEach(() => {
    window.fetch = fetch;
  });

  it('are stored in a small size and fetched once, private ones in the database of the user', async () => {
    const storage = createMemoryStorage();
    const clip = photo(3, {
      type: 'video',
      src: '/media/clip.mp4',
      poster: { src: `/media/${hash(4)}.jpg`, width: 320, height: 180 },
    });
    await storePosts(storage.public, withPhoto('1', 1), makePost('1', 3, { media: [clip] }));
    await storePosts(storage.reader, withPhoto('9', 2));
    await run(storage);
    await run(storage);
    expect(requestedUrls.toSorted()).to.deep.equal([
      `/media/${hash(1)}.w640.webp?grant=1.x`,
      `/media/${hash(2)}.w640.webp?grant=1.x`,
      `/media/${hash(4)}.jpg`,
    ]);
    expect([await postsWithPictures(storage.public), await postsWithPictures(storage.reader)]).to.deep.equal([
      ['1/1', '1/3'],
      ['9/2'],
    ]);
  });

  it('are fetched only from our own server, and once when the server has none', async () => {
    const storage = createMemoryStorage();
    const elsewhere = photo(1, { src: `https://elsewhere.example/media/${hash(1)}.jpg` });
    await storePosts(
      storage.public,
      makePost('1', 1, { media: [elsewhere, photo(2, { type: 'document', mime: 'application/pdf' })] }),
    );
    await storePosts(storage.public, withPhoto('1', 5));
    window.fetch = async (src) => {
      requestedUrls.push(String(src));
      return new Response('', { status: 404 });
    };
    const once = fetching();
    await cachePictures(storage, once, MAX_BYTES);
    await cachePictures(storage, once, MAX_BYTES);
    await cachePictures(storage, null, MAX_BYTES);
    expect(requestedUrls).to.deep.equal([`/media/${hash(5)}.w640.webp?grant=1.x`]);
    expect(await storage.public.keys('picture/')).to.deep.equal([]);
  });

  it('share the space between channels, newest first; pictures of starred posts use none of it', async () => {
    const storage = createMemoryStorage();
    await storePosts(storage.public, ...[1, 2, 3, 4].map((id) => withPhoto('1', id)));
    await storePosts(storage.reader, withPhoto('9', 5));
    await run(storage);
    await storage.reader.put([['star/1/1', { channelId: '1', postId: 1, at: 1 }]]);
    await run(storage, 400);
    expect([await postsWithPictures(storage.public), await postsWithPictures(storage.reader)]).to.deep.equal([
      ['1/1', '1/3', '1/4'],
      ['9/5'],
    ]);
  });

  it('are deleted with their posts, and when a post gets other pictures', async () => {
    const storage = createMemoryStorage();
    await storePosts(storage.public, withPhoto('1', 1), withPhoto('1', 2));
    await run(storage);
    await storage.public.deleteMany([postStorageKey('1', 1)]);
    await storePosts(storage.public, makePost('1', 2, { media: [photo(7)] }));
    await run(storage);
    expect((await storage.public.keys('picture/')).map((key) => key.split('/')[3])).to.deep.equal([hash(7)]);
  });

  it('are deleted before any post when the device is full', async () => {
    const storage = createMemoryStorage();
    await storePosts(storage.public, ...[1, 2, 3, 4].map((id) => withPhoto('1', id)));
    await storage.public.put([[`picture/1/${'0'.repeat(15)}1/${hash(1)}/6000000`, {}]]);
    await evictForSpace(storage);
    expect(await storage.public.keys('picture/')).to.deep.equal([]);
    expect(await storage.public.keys('post/')).to.have.length(4);
    await evictForSpace(storage);
    expect(await storage.public.keys('post/')).to.have.length(2);
  });

  it('are shown offline, and differ from pictures that are not stored', async () => {
    const storage = createMemoryStorage();
    const canvas = new OffscreenCanvas(3, 2);
    canvas.getContext('2d');
    bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    await storePosts(storage.public, withPhoto('1', 1));
    await run(storage);
    const device = createOfflineStore(Promise.resolve(storage), Date.now);
    const image = new Image();
    image.src = `/media/${hash(1)}.jpg?grant=of-another-day`;
    await showOfflineImage(device, image);
    await image.decode();
    expect([image.naturalWidth, image.naturalHeight]).to.deep.equal([3, 2]);
    image.src = `/media/${hash(2)}.jpg`;
    const outcome = await showOfflineImage(device, image).then(
      () => 'shown',
      () => 'not kept',
    );
    expect(outcome).to.equal('not kept');
  });
});
