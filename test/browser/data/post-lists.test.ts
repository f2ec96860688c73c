// Post lists of the data layer: paging, refresh, cache and offline state.

import { expect } from '@open-wc/testing';
import { evict } from '../../../src/data/offline/eviction.ts';
import { openDeviceStorage } from '../../../src/storage/device-storage.ts';
import {
  closeDataClients,
  keysOf,
  openDataClient,
  openMemoryDataClient,
  waitForFresh,
  waitForLoaded,
  waitForValue,
  waitUntilStored,
} from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost, makePosts } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

function makeServer(count = 50): FakeServer {
  const server = new FakeServer();
  server.channels = [makeChannel('1', { username: 'alpha', latest: { id: count, date: 1 } }), makeChannel('2'), makeChannel('3')];
  server.posts = [...makePosts('1', count), ...makePosts('2', 5)];
  return server;
}
const range = (channelId: string, from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `${channelId}/${from - index}`);
const slot = (channelId: string, id: number) => `post/${channelId}/${String(id).padStart(16, '0')}`;
const isAll = { channelIds: ['1'] };

lockDevice();

describe('a list of posts', () => {
  afterEach(closeDataClients);

  it('pages to its end without a gap or a duplicate, also when called repeatedly', async () => {
    const list = openDataClient(makeServer()).feed(isAll);
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 50, 31));
    await Promise.all([list.loadOlder(), list.loadOlder(), list.loadOlder()]);
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 50, 11));
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list, ({ older }) => older === 'end'))).to.deep.equal(range('1', 50, 1));
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list))).to.have.length(50);
  });

  it('requests the next page once, and adds a post that moved into it once', async () => {
    const server = makeServer();
    const list = openDataClient(server).feed(isAll);
    await waitForLoaded(list);
    server.posts = server.posts.map((post) => (post.id === 40 ? makePost('1', 40, { date: makePost('1', 25).date }) : post));
    await Promise.all([list.loadOlder(), list.loadOlder()]);
    const keys = keysOf(await waitForLoaded(list));
    expect(keys).to.have.length(new Set(keys).size);
    expect(server.log.filter((line) => line.includes('before='))).to.have.length(1);
  });

  it('does not wait for device storage that never responds', async () => {
    const dataClient = openDataClient(makeServer(), null, { kept: new Promise(() => {}) });
    expect(keysOf(await waitForLoaded(dataClient.posts('1', {})))).to.deep.equal(range('1', 50, 31));
  });

  it('is the same list for the same query, with its pages and its scroll position', async () => {
    const dataClient = openDataClient(makeServer());
    const list = dataClient.posts('alpha', {});
    await waitForLoaded(list);
    await list.loadOlder();
    list.scrollAnchor = { key: '1/20', offset: 12 };
    const reopened = dataClient.posts('alpha', {});
    expect(keysOf(await waitForLoaded(reopened))).to.have.length(40);
    expect(reopened.scrollAnchor).to.include({ key: '1/20', offset: 12 });
  });

  it('starts around a post and grows in both directions', async () => {
    const list = openDataClient(makeServer()).posts('1', { around: 25, limit: 10 });
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 30, 21));
    await list.loadNewer();
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 40, 11));
    await list.loadNewer();
    expect(keysOf(await waitForLoaded(list, ({ newer }) => newer === 'end'))).to.deep.equal(range('1', 50, 11));
  });

  it('adds new posts at its start on refresh, removes hidden posts, and keeps the loaded pages', async () => {
    const server = makeServer();
    const list = openDataClient(server).feed(isAll);
    await waitForLoaded(list);
    await list.loadOlder();
    server.posts = [...server.posts.filter((post) => post.id !== 45), makePost('1', 51)];
    await list.refresh();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 51, 11).filter((key) => key !== '1/45'));
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list, ({ older }) => older === 'end'))).to.have.length(50);
  });

  it('starts again when a refresh leaves a gap', async () => {
    const server = makeServer();
    const list = openDataClient(server).feed(isAll);
    await waitForLoaded(list);
    server.posts = makePosts('1', 100);
    await list.refresh();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 100, 81));
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('1', 100, 61));
  });

  it('shows the stored posts first, then the response', async () => {
    const server = makeServer();
    const begun = Date.now();
    const before = openDataClient(server);
    await waitForLoaded(before.feed({}));
    await waitUntilStored('changer-anonymous', 'feed/all/');
    before.close();
    server.posts.push(makePost('1', 51));
    server.hold();
    const list = openDataClient(server).feed({});
    const cached = await waitForLoaded(list, (state) => state.cachedAt !== null);
    expect(keysOf(cached)[0]).to.equal('1/50');
    expect(cached.cachedAt).to.be.within(begun, Date.now());
    server.release();
    expect(keysOf(await waitForLoaded(list))[0]).to.equal('1/51');
  });

  it('shows the stored posts with their time when no server responds, and reports the connectivity', async () => {
    const server = makeServer();
    const before = openDataClient(server);
    const all = before.posts('1', {});
    await waitForLoaded(all);
    await all.loadOlder();
    await all.loadOlder();
    await waitForLoaded(before.feed({}));
    await waitForFresh(before.lineup);
    await waitUntilStored('changer-public', slot('1', 11));
    await waitUntilStored('changer-public', 'channels');
    before.close();
    server.reachability = 'down';
    const dataClient = openDataClient(server);
    const list = dataClient.posts('1', {});
    const state = await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null);
    expect(keysOf(state)).to.deep.equal(range('1', 50, 31));
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list, () => true))).to.deep.equal(range('1', 50, 11));
    expect(keysOf(await waitForLoaded(dataClient.feed({}), ({ cachedAt }) => cachedAt !== null))[0]).to.equal('1/50');
    const lineup = await waitForValue(dataClient.lineup, ({ type }) => type === 'loaded');
    expect(lineup.type === 'loaded' && lineup.value.map((row) => row.channel.id)).to.deep.equal(['1', '2', '3']);
    await waitForValue(dataClient.connectivity, (connection) => connection === 'unreachable');
    server.reachability = 'up';
    await dataClient.refresh();
    expect((await waitForLoaded(list)).cachedAt).to.equal(null);
    expect(dataClient.connectivity.get()).to.equal('online');
  });

  it('trusts the server more than navigator.onLine', async () => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    try {
      const server = makeServer();
      const dataClient = openDataClient(server);
      expect(dataClient.connectivity.get()).to.equal('offline');
      await waitForLoaded(dataClient.posts('1', {}));
      await dataClient.refresh();
      expect(dataClient.connectivity.get()).to.equal('online');
      window.dispatchEvent(new Event('offline'));
      expect(dataClient.connectivity.get()).to.equal('offline');
      server.reachability = 'down';
      await dataClient.refresh();
      expect(dataClient.connectivity.get()).to.equal('offline');
      server.reachability = 'up';
      await dataClient.refresh();
      expect(dataClient.connectivity.get()).to.equal('online');
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('fails with the message when nothing is stored, and keeps the loaded posts when an older page fails', async () => {
    const server = makeServer();
    server.reachability = 'down';
    const list = openMemoryDataClient(server).feed({ channelIds: ['1'] });
    expect(await waitForValue(list, ({ type }) => type === 'failed')).to.deep.equal({
      type: 'failed',
      message: 'No response received',
      status: null,
    });
    server.reachability = 'up';
    await list.refresh();
    await waitForLoaded(list);
    server.reachability = 'down';
    await list.loadOlder();
    const state = await waitForLoaded(list, ({ older }) => older === 'failed');
    expect(keysOf(state)).to.deep.equal(range('1', 50, 31));
    server.reachability = 'up';
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list, ({ older }) => older === 'idle'))).to.have.length(40);
  });

  it('stores the last 500 posts of a channel', async () => {
    const server = makeServer(0);
    server.posts = makePosts('1', 620);
    const before = openDataClient(server);
    const list = before.posts('1', { limit: 100 });
    await waitForLoaded(list);
    for (let page = 0; page < 6; page++) await list.loadOlder();
    await waitForLoaded(list, ({ older }) => older === 'end');
    await waitUntilStored('changer-public', slot('1', 1));
    before.close();
    const storage = await openDeviceStorage(null);
    await evict(storage);
    storage.close();
    server.reachability = 'down';
    const offline = openDataClient(server).posts('1', { limit: 100 });
    await waitForLoaded(offline, () => true);
    for (let page = 0; page < 6; page++) await offline.loadOlder();
    expect(keysOf(await waitForLoaded(offline, () => true))).to.deep.equal(range('1', 620, 121));
  });

  it('shows unread posts beyond pages that contain none', async () => {
    const server = makeServer(5);
    server.posts = [...makePosts('1', 60), ...makePosts('2', 5)];
    const dataClient = openDataClient(server);
    await waitForFresh(dataClient.lineup);
    dataClient.markRead('1', 60);
    const list = dataClient.feed({ show: 'unread' });
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(range('2', 5, 3));
    dataClient.markRead('2', 5);
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'unread' })))).to.deep.equal(range('2', 5, 1));
  });

  it('requests media and search terms', async () => {
    const server = makeServer(3);
    server.posts.push(makePost('1', 9, { text: 'needle', media: [{ type: 'photo', messageId: 9, src: '/media/x' }] }));
    const dataClient = openDataClient(server);
    expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'media' })))).to.deep.equal(['1/9']);
    expect(keysOf(await waitForLoaded(dataClient.posts('1', { q: 'needle' })))).to.deep.equal(['1/9']);
    expect(keysOf(await waitForLoaded(dataClient.posts('1', { media: true })))).to.deep.equal(['1/9']);
  });

  it('requests nothing until it has a subscriber, and requests once for many subscribers', async () => {
    const server = makeServer();
    const dataClient = openMemoryDataClient(server);
    const list = dataClient.feed({});
    dataClient.posts('1', {});
    expect(server.log).to.deep.equal([]);
    list.subscribe(() => {});
    list.subscribe(() => {});
    await waitForLoaded(dataClient.feed({}));
    expect(server.log).to.deep.equal(['GET /api/feed?limit=20']);
  });
});

describe('queries for one channel or post', () => {
  afterEach(closeDataClients);

  it('find a channel by id or username, a post, and the newest posts for a card', async () => {
    const dataClient = openDataClient(makeServer());
    expect((await waitForFresh(dataClient.channel('alpha'))).id).to.equal('1');
    expect((await waitForFresh(dataClient.post('1', 7))).post.text).to.equal('1 7');
    expect((await waitForFresh(dataClient.latestPosts('1'))).map((post) => post.id)).to.deep.equal([50, 49, 48]);
    const missing = await waitForValue(dataClient.channel('nobody'), ({ type }) => type === 'failed');
    expect(missing).to.deep.include({ status: 404 });
  });

  it('show a stored post and channel offline', async () => {
    const server = makeServer();
    const before = openDataClient(server);
    await waitForFresh(before.channel('1'));
    await waitForFresh(before.post('1', 7));
    await waitUntilStored('changer-public', slot('1', 7));
    before.close();
    server.reachability = 'down';
    const state = await waitForValue(openDataClient(server).post('1', 7), ({ type }) => type === 'loaded');
    expect(state.type === 'loaded' && state.value.channel.username).to.equal('alpha');
    const latest = await waitForValue(openDataClient(server).latestPosts('1'), ({ type }) => type === 'loaded');
    expect(latest.type === 'loaded' && latest.cachedAt !== null).to.equal(true);
  });

  it('show a channel that was never opened offline, from the stored directory and posts', async () => {
    const server = makeServer();
    const before = openDataClient(server);
    await waitForFresh(before.directory);
    await waitForLoaded(before.feed({}));
    await waitUntilStored('changer-public', 'channels');
    await waitUntilStored('changer-public', slot('1', 50));
    before.close();
    server.reachability = 'down';
    const dataClient = openDataClient(server);
    const state = await waitForValue(dataClient.channel('alpha'), ({ type }) => type !== 'loading');
    expect(state.type === 'loaded' && state.cachedAt !== null && state.value.id).to.equal('1');
    const posts = await waitForValue(dataClient.posts('alpha', {}), ({ type }) => type === 'loaded');
    expect(posts.type === 'loaded' && keysOf(posts)).to.include('1/50');
  });

  it('store nothing of a private channel for the next user', async () => {
    const server = makeServer(3);
    server.channels.push(makeChannel('9', { private: true }));
    server.posts.push(makePost('9', 1, { text: 'secret' }));
    const first = openDataClient(server, makeAccount('1'));
    await waitForFresh(first.directory, (channels) => channels.length === 4);
    await waitForLoaded(first.posts('9', {}));
    await waitForLoaded(first.feed({}));
    await waitForFresh(first.channel('9'));
    await first.refresh();
    await waitUntilStored('changer-reader-1', slot('9', 1));
    await waitUntilStored('changer-reader-1', 'channels');
    await waitUntilStored('changer-reader-1', 'channel/9');
    await waitUntilStored('changer-public', 'channels');
    first.close();
    server.reachability = 'down';
    const second = openDataClient(server, makeAccount('2'));
    const directory = await waitForValue(second.directory, ({ type }) => type === 'loaded');
    expect(directory.type === 'loaded' && directory.value.map((channel) => channel.id)).to.deep.equal(['1', '2', '3']);
    expect((await waitForValue(second.posts('9', {}), ({ type }) => type !== 'loading')).type).to.equal('failed');
    expect((await waitForValue(second.post('9', 1), ({ type }) => type !== 'loading')).type).to.equal('failed');
    expect((await waitForValue(second.channel('9'), ({ type }) => type !== 'loading')).type).to.equal('failed');
    const feed = await waitForLoaded(second.feed({}), () => true);
    expect(keysOf(feed)).to.include('1/3').and.not.include('9/1');
  });
});
