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

const keep = (shelf: KeyValueStore, channelId: string, count: number, at = 1): Promise<void> =>
  shelf.put(makePosts(channelId, count).map((value) => [postStorageKey(channelId, value.id), { value, at }] as const));
const star = (kept: DeviceStorage, channelId: string, postId: number): Promise<void> =>
  kept.reader.put([[`star/${channelId}/${postId}`, { channelId, postId, at: 1 }]]);
const idsOf = async (shelf: KeyValueStore, channelId: string): Promise<number[]> =>
  (await shelf.keys(`post/${channelId}/`)).map((key) => Number(key.split('/')[2]));

describe('eviction of stored posts', () => {
  it('keeps the newest posts of each channel, and all starred posts', async () => {
    const kept = createMemoryStorage();
    await keep(kept.public, '1', 510);
    await keep(kept.public, '12', 3);
    await keep(kept.reader, '9', 503);
    await star(kept, '1', 2);
    await star(kept, '9', 1);
    await evict(kept);
    expect((await idsOf(kept.public, '1')).slice(0, 2)).to.deep.equal([2, 11]);
    expect(await idsOf(kept.public, '12')).to.have.length(3);
    expect((await idsOf(kept.reader, '9')).slice(0, 2)).to.deep.equal([1, 4]);
    expect(await kept.reader.keys('star/')).to.have.length(2);
  });

  it('keeps the first pages that were read most recently', async () => {
    const kept = createMemoryStorage();
    await kept.public.put(['a', 'b', 'c'].map((name, at) => [`posts/${name}`, { value: {}, at }] as const));
    await kept.public.put([['posts/d', 'torn']]);
    await evict(kept, { ...BOUNDS, pages: 2 });
    expect(await kept.public.keys('posts/')).to.deep.equal(['posts/b', 'posts/c']);
  });

  it('deletes the oldest posts of all channels until the rest is small enough, but never starred posts', async () => {
    const kept = createMemoryStorage();
    const weight = JSON.stringify({ value: makePost('1', 1), at: 1 }).length;
    await keep(kept.public, '1', 9);
    await keep(kept.reader, '2', 9);
    await star(kept, '1', 1);
    await evict(kept, { ...BOUNDS, minWeighedPosts: 0, weight: weight * 7 });
    expect([await idsOf(kept.public, '1'), await idsOf(kept.reader, '2')]).to.deep.equal([
      [1, 7, 8, 9],
      [7, 8, 9],
    ]);
  });

  it('deletes posts when the browser has little space left', async () => {
    const kept = createMemoryStorage();
    await keep(kept.public, '1', 10);
    const { estimate } = navigator.storage;
    navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });
    try {
      await evict(kept);
    } finally {
      navigator.storage.estimate = estimate;
    }
    expect(await idsOf(kept.public, '1')).to.deep.equal([6, 7, 8, 9, 10]);
  });

  it('frees space by deleting the older half and the pages, and keeps all changes of the user', async () => {
    const kept = createMemoryStorage();
    await keep(kept.public, '1', 10);
    for (const id of [1, 2, 3, 4, 5].filter(isEven)) await star(kept, '1', id);
    await kept.public.put([['posts/1', {}]]);
    await kept.reader.put([
      ['lineup', {}],
      ['out/lineup', {}],
      ['feed/all/', {}],
    ]);
    await evictForSpace(kept);
    expect(await idsOf(kept.public, '1')).to.deep.equal([2, 4, 6, 7, 8, 9, 10]);
    expect(await kept.public.keys('posts/')).to.deep.equal([]);
    expect(await kept.reader.keys('')).to.deep.equal(['lineup', 'out/lineup', 'star/1/2', 'star/1/4']);
  });
});
