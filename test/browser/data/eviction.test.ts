// Cache eviction: limits of the stored posts on the device.

import { expect } from '@open-wc/testing';
import { evict, evictForSpace } from '../../../src/data/offline/eviction.ts';
import { postStorageKey } from '../../../src/data/offline/keys.ts';
import type { DeviceStorage } from '../../../src/storage/device-storage.ts';
import type { KeyValueStore } from '../../../src/storage/key-value-store.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import { makePost, makePosts } from './fake-server.ts';

const BOUNDS = { posts: 500, pages: 100, minWeighedPosts: 5000, weight: 100_000_000 };
const isEven = (id: number): boolean => id % 2 === 0;

const storePosts = (store: KeyValueStore, channelId: string, count: number, at = 1): Promise<void> =>
  store.put(makePosts(channelId, count).map((value) => [postStorageKey(channelId, value.id), { value, at }] as const));
const star = (storage: DeviceStorage, channelId: string, postId: number): Promise<void> =>
  storage.reader.put([[`star/${channelId}/${postId}`, { channelId, postId, at: 1 }]]);
const idsOf = async (store: KeyValueStore, channelId: string): Promise<number[]> =>
  (await store.keys(`post/${channelId}/`)).map((key) => Number(key.split('/')[2]));

describe('eviction of stored posts', () => {
  it('keeps the newest posts of each channel, and all starred posts', async () => {
    const storage = createMemoryStorage();
    await storePosts(storage.public, '1', 510);
    await storePosts(storage.public, '12', 3);
    await storePosts(storage.reader, '9', 503);
    await star(storage, '1', 2);
    await star(storage, '9', 1);
    await evict(storage);
    expect((await idsOf(storage.public, '1')).slice(0, 2)).to.deep.equal([2, 11]);
    expect(await idsOf(storage.public, '12')).to.have.length(3);
    expect((await idsOf(storage.reader, '9')).slice(0, 2)).to.deep.equal([1, 4]);
    expect(await storage.reader.keys('star/')).to.have.length(2);
  });

  it('keeps the first pages that were read most recently', async () => {
    const storage = createMemoryStorage();
    await storage.public.put(['a', 'b', 'c'].map((name, index) => [`posts/${name}`, { value: {}, at: index }] as const));
    await storage.public.put([['posts/d', 'torn']]);
    await evict(storage, { ...BOUNDS, pages: 2 });
    expect(await storage.public.keys('posts/')).to.deep.equal(['posts/b', 'posts/c']);
  });

  it('deletes the oldest posts of all channels until the rest is small enough, but never starred posts', async () => {
    const storage = createMemoryStorage();
    const weight = JSON.stringify({ value: makePost('1', 1), at: 1 }).length;
    await storePosts(storage.public, '1', 9);
    await storePosts(storage.reader, '2', 9);
    await star(storage, '1', 1);
    await evict(storage, { ...BOUNDS, minWeighedPosts: 0, weight: weight * 7 });
    expect([await idsOf(storage.public, '1'), await idsOf(storage.reader, '2')]).to.deep.equal([
      [1, 7, 8, 9],
      [7, 8, 9],
    ]);
  });

  it('deletes posts when the browser has little space left', async () => {
    const storage = createMemoryStorage();
    await storePosts(storage.public, '1', 10);
    const { estimate } = navigator.storage;
    navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });
    try {
      await evict(storage);
    } finally {
      navigator.storage.estimate = estimate;
    }
    expect(await idsOf(storage.public, '1')).to.deep.equal([6, 7, 8, 9, 10]);
  });

  it('frees space by deleting the page snapshots first', async () => {
    const storage = createMemoryStorage();
    await storage.reader.put([
      ['snapshot//main', '{}'],
      ['channels', {}],
    ]);
    await evictForSpace(storage);
    expect(await storage.reader.keys('snapshot/')).to.deep.equal([]);
    expect(await storage.reader.keys('channels')).to.have.length(1);
  });

  it('frees space by deleting the older half and the pages, and keeps all changes of the user', async () => {
    const storage = createMemoryStorage();
    await storePosts(storage.public, '1', 10);
    for (const id of [1, 2, 3, 4, 5].filter(isEven)) await star(storage, '1', id);
    await storage.public.put([['posts/1', {}]]);
    await storage.reader.put([
      ['lineup', {}],
      ['out/lineup', {}],
      ['feed/all/', {}],
    ]);
    await evictForSpace(storage);
    expect(await idsOf(storage.public, '1')).to.deep.equal([2, 4, 6, 7, 8, 9, 10]);
    expect(await storage.public.keys('posts/')).to.deep.equal([]);
    expect(await storage.reader.keys('')).to.deep.equal(['lineup', 'out/lineup', 'star/1/2', 'star/1/4']);
  });
});
