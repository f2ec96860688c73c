// Read-ahead: prefetching of posts for offline use.

import { expect } from '@open-wc/testing';
import { ApiError } from '../../../src/api/api-error.ts';
import { prefetchPosts } from '../../../src/data/background/prefetch.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { evict } from '../../../src/data/offline/eviction.ts';
import { saveRetentionLevel } from '../../../src/data/offline/retention.ts';
import { closeDataClients, openDataClient, waitForFresh } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost, makePosts } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

lockDevice();

describe('prefetch', () => {
  const { estimate } = navigator.storage;
  let server: FakeServer;
  const { signal } = new AbortController();

  beforeEach(() => {
    server = new FakeServer();
    server.channels = [
      makeChannel('1', { latest: { id: 730, date: 1 } }),
      makeChannel('9', { private: true, latest: { id: 3, date: 1 } }),
    ];
    server.posts = [...makePosts('1', 730), ...makePosts('9', 3)];
  });
  afterEach(async () => {
    Object.assign(navigator.storage, { estimate });
    saveRetentionLevel('usual');
    await closeDataClients();
  });

  async function openClient(): Promise<DataClientControl> {
    const dataClient = openDataClient(server, makeAccount('1'));
    await waitForFresh(dataClient.lineup);
    return dataClient;
  }
  const prefetch = (dataClient: DataClientControl, maxPosts = 500) =>
    prefetchPosts(dataClient.context, ['1', '9'], maxPosts, signal);
  /**
   * Returns the numbers of stored posts: of the public channel in the shared database, and of the private one in the database
   * of the reader.
   */
  async function countStored({ context: dataLayer }: DataClientControl): Promise<readonly number[]> {
    const { reader, public: publicStore } = await dataLayer.offline.storage;
    const keys = await Promise.all([publicStore.keys('post/1/'), reader.keys('post/9/'), publicStore.keys('post/9/')]);
    return keys.map(({ length }) => length);
  }
  const requestCount = () => server.log.filter((line) => line.includes('/posts?')).length;

  it('stores the last posts of each channel, and does not request them again', async () => {
    const dataClient = await openClient();
    await prefetch(dataClient);
    expect(await countStored(dataClient)).to.deep.equal([500, 3, 0]);
    const before = requestCount();
    await prefetch(dataClient);
    expect(requestCount()).to.equal(before);
  });

  it('does not request the posts again that the page has just loaded', async () => {
    const dataClient = await openClient();
    await waitForFresh(dataClient.latestPosts('1'));
    const before = server.log.length;
    await prefetch(dataClient);
    const requests = server.log.slice(before).filter((line) => line.includes('/channels/1/posts?'));
    expect(requests[0]).to.match(/before=/);
    expect(await countStored(dataClient)).to.deep.equal([520, 3, 0]);
  });

  it('requests them if a newer post is known', async () => {
    const dataClient = await openClient();
    await waitForFresh(dataClient.latestPosts('1'));
    server.posts = [...server.posts, makePost('1', 731)];
    dataClient.addChannel(makeChannel('1', { latest: { id: 731, date: 2 } }));
    const before = server.log.length;
    await prefetch(dataClient);
    expect(server.log.slice(before).find((line) => line.includes('/channels/1/posts?'))).not.to.match(/before=/);
  });

  it('requests only the posts since the last run', async () => {
    const dataClient = await openClient();
    await prefetch(dataClient);
    server.posts = [...server.posts, ...Array.from({ length: 120 }, (_, at) => makePost('1', 731 + at))];
    dataClient.addChannel(makeChannel('1', { latest: { id: 850, date: 2 } }));
    const before = requestCount();
    await prefetch(dataClient);
    expect([requestCount() - before, ...(await countStored(dataClient))]).to.deep.equal([2, 620, 3, 0]);
    await evict(await dataClient.context.offline.storage);
    expect(await countStored(dataClient)).to.deep.equal([500, 3, 0]);
  });

  it('resumes where the network failed', async () => {
    const dataClient = await openClient();
    server.hold('GET /api/channels/1/posts?limit=100&before=');
    const running = prefetch(dataClient).catch((thrown: unknown) => thrown);
    server.reachability = 'down';
    server.release();
    expect(await running).to.be.an('error');
    const [loadedCount = 0] = await countStored(dataClient);
    expect(loadedCount).to.be.lessThan(500);
    server.reachability = 'up';
    await prefetch(dataClient);
    expect(await countStored(dataClient)).to.deep.equal([500, 3, 0]);
  });

  it('stops when the server fails or accepts no more requests', async () => {
    const dataClient = await openClient();
    const { get } = server.client;
    for (const status of [429, 500, 502, 503, 504]) {
      let requests = 0;
      server.client.get = async () => {
        requests++;
        throw new ApiError('Busy.', status);
      };
      expect(await prefetch(dataClient).catch((thrown: unknown) => thrown)).to.include({ status });
      expect(requests).to.equal(1);
    }
    server.client.get = get;
    await prefetch(dataClient);
    expect(await countStored(dataClient)).to.deep.equal([500, 3, 0]);
  });

  it('loads older posts when the user wants more, and stops when the device is full', async () => {
    const dataClient = await openClient();
    await prefetch(dataClient, 100);
    expect(await countStored(dataClient)).to.deep.equal([100, 3, 0]);
    await prefetch(dataClient, 2000);
    expect(await countStored(dataClient)).to.deep.equal([730, 3, 0]);
    saveRetentionLevel('little');
    await evict(await dataClient.context.offline.storage);
    expect(await countStored(dataClient)).to.deep.equal([100, 3, 0]);
    navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });
    await prefetch(dataClient);
    expect(await countStored(dataClient)).to.deep.equal([100, 3, 0]);
  });

  it('skips a channel that was deleted', async () => {
    const dataClient = await openClient();
    server.channels = server.channels.slice(1);
    await prefetch(dataClient);
    expect(await countStored(dataClient)).to.deep.equal([0, 3, 0]);
  });
});
