// Post lists of the data layer: paging, refresh, cache and offline state.

import { expect } from '@open-wc/testing';
import { evict } from '../../../src/data/offline/eviction.ts';
import { openDeviceStorage } from '../../../src/storage/device-storage.ts';
import { endAreas, fresh, isKept, keysOf, loaded, openArea, openMemoryArea, until } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost, makePosts } from './fake-server.ts';
import { ownDevice } from './own-device.ts';

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

ownDevice();

describe('a list of posts', () => {
  afterEach(endAreas);

  it('pages to its end without a gap or a duplicate, also when called repeatedly', async () => {
    const list = openArea(makeServer()).feed(isAll);
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 50, 31));
    await Promise.all([list.loadOlder(), list.loadOlder(), list.loadOlder()]);
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 50, 11));
    await list.loadOlder();
    expect(keysOf(await loaded(list, ({ older }) => older === 'end'))).to.deep.equal(range('1', 50, 1));
    await list.loadOlder();
    expect(keysOf(await loaded(list))).to.have.length(50);
  });

  it('requests the next page once, and adds a post that moved into it once', async () => {
    const server = makeServer();
    const list = openArea(server).feed(isAll);
    await loaded(list);
    server.posts = server.posts.map((post) => (post.id === 40 ? makePost('1', 40, { date: makePost('1', 25).date }) : post));
    await Promise.all([list.loadOlder(), list.loadOlder()]);
    const keys = keysOf(await loaded(list));
    expect(keys).to.have.length(new Set(keys).size);
    expect(server.log.filter((line) => line.includes('before='))).to.have.length(1);
  });

  it('does not wait for device storage that never responds', async () => {
    const dataClient = openArea(makeServer(), null, { kept: new Promise(() => {}) });
    expect(keysOf(await loaded(dataClient.posts('1', {})))).to.deep.equal(range('1', 50, 31));
  });

  it('is the same list for the same query, with its pages and its scroll position', async () => {
    const dataClient = openArea(makeServer());
    const list = dataClient.posts('alpha', {});
    await loaded(list);
    await list.loadOlder();
    list.scrollAnchor = { key: '1/20', offset: 12 };
    const reopened = dataClient.posts('alpha', {});
    expect(keysOf(await loaded(reopened))).to.have.length(40);
    expect(reopened.scrollAnchor).to.include({ key: '1/20', offset: 12 });
  });

  it('starts around a post and grows in both directions', async () => {
    const list = openArea(makeServer()).posts('1', { around: 25, limit: 10 });
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 30, 21));
    await list.loadNewer();
    await list.loadOlder();
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 40, 11));
    await list.loadNewer();
    expect(keysOf(await loaded(list, ({ newer }) => newer === 'end'))).to.deep.equal(range('1', 50, 11));
  });

  it('adds new posts at its start on refresh, removes hidden posts, and keeps the loaded pages', async () => {
    const server = makeServer();
    const list = openArea(server).feed(isAll);
    await loaded(list);
    await list.loadOlder();
    server.posts = [...server.posts.filter((post) => post.id !== 45), makePost('1', 51)];
    await list.refresh();
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 51, 11).filter((key) => key !== '1/45'));
    await list.loadOlder();
    expect(keysOf(await loaded(list, ({ older }) => older === 'end'))).to.have.length(50);
  });

  it('starts again when a refresh leaves a gap', async () => {
    const server = makeServer();
    const list = openArea(server).feed(isAll);
    await loaded(list);
    server.posts = makePosts('1', 100);
    await list.refresh();
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 100, 81));
    await list.loadOlder();
    expect(keysOf(await loaded(list))).to.deep.equal(range('1', 100, 61));
  });

  it('shows the stored posts first, then the response', async () => {
    const server = makeServer();
    const begun = Date.now();
    const before = openArea(server);
    await loaded(before.feed({}));
    await isKept('changer-anonymous', 'feed/all/');
    before.close();
    server.posts.push(makePost('1', 51));
    server.hold();
    const list = openArea(server).feed({});
    const cached = await loaded(list, (state) => state.cachedAt !== null);
    expect(keysOf(cached)[0]).to.equal('1/50');
    expect(cached.cachedAt).to.be.within(begun, Date.now());
    server.release();
    expect(keysOf(await loaded(list))[0]).to.equal('1/51');
  });

  it('shows the stored posts with their time when no server responds, and reports the connectivity', async () => {
    const server = makeServer();
    const before = openArea(server);
    const all = before.posts('1', {});
    await loaded(all);
    await all.loadOlder();
    await all.loadOlder();
    await loaded(before.feed({}));
    await fresh(before.lineup);
    await isKept('changer-public', slot('1', 11));
    await isKept('changer-public', 'channels');
    before.close();
    server.reach = 'down';
    const dataClient = openArea(server);
    const list = dataClient.posts('1', {});
    const state = await loaded(list, ({ cachedAt }) => cachedAt !== null);
    expect(keysOf(state)).to.deep.equal(range('1', 50, 31));
    await list.loadOlder();
    expect(keysOf(await loaded(list, () => true))).to.deep.equal(range('1', 50, 11));
    expect(keysOf(await loaded(dataClient.feed({}), ({ cachedAt }) => cachedAt !== null))[0]).to.equal('1/50');
    const lineup = await until(dataClient.lineup, ({ type }) => type === 'loaded');
    expect(lineup.type === 'loaded' && lineup.value.map((row) => row.channel.id)).to.deep.equal(['1', '2', '3']);
    await until(dataClient.connectivity, (connection) => connection === 'unreachable');
    server.reach = 'up';
    await dataClient.refresh();
    expect((await loaded(list)).cachedAt).to.equal(null);
    expect(dataClient.connectivity.get()).to.equal('online');
  });

  it('trusts the server more than navigator.onLine', async () => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    try {
      const server = makeServer();
      const dataClient = openArea(server);
      expect(dataClient.connectivity.get()).to.equal('offline');
      await loaded(dataClient.posts('1', {}));
      await dataClient.refresh();
      expect(dataClient.connectivity.get()).to.equal('online');
      window.dispatchEvent(new Event('offline'));
      expect(dataClient.connectivity.get()).to.equal('offline');
      server.reach = 'down';
      await dataClient.refresh();
      expect(dataClient.connectivity.get()).to.equal('offline');
      server.reach = 'up';
      await dataClient.refresh();
      expect(dataClient.connectivity.get()).to.equal('online');
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('fails with the message when nothing is stored, and keeps the loaded posts when an older page fails', async () => {
    const server = makeServer();
    server.reach = 'down';
    const list = openMemoryArea(server).feed({ channelIds: ['1'] });
    expect(await until(list, ({ type }) => type === 'failed')).to.deep.equal({
      type: 'failed',
      message: 'No response received',
      status: null,
    });
    server.reach = 'up';
    await list.refresh();
    await loaded(list);
    server.reach = 'down';
    await list.loadOlder();
    const state = await loaded(list, ({ older }) => older === 'failed');
    expect(keysOf(state)).to.deep.equal(range('1', 50, 31));
    server.reach = 'up';
    await list.loadOlder();
    expect(keysOf(await loaded(list, ({ older }) => older === 'idle'))).to.have.length(40);
  });

  it('stores the last 500 posts of a channel', async () => {
    const server = makeServer(0);
    server.posts = makePosts('1', 620);
    const before = openArea(server);
    const list = before.posts('1', { limit: 100 });
    await loaded(list);
    for (let page = 0; page < 6; page++) await list.loadOlder();
    await loaded(list, ({ older }) => older === 'end');
    await isKept('changer-public', slot('1', 1));
    before.close();
    const storage = await openDeviceStorage(null);
    await evict(storage);
    storage.close();
    server.reach = 'down';
    const offline = openArea(server).posts('1', { limit: 100 });
    await loaded(offline, () => true);
    for (let page = 0; page < 6; page++) await offline.loadOlder();
    expect(keysOf(await loaded(offline, () => true))).to.deep.equal(range('1', 620, 121));
  });

  it('shows unread posts beyond pages that contain none', async () => {
    const server = makeServer(5);
    server.posts = [...makePosts('1', 60), ...makePosts('2', 5)];
    const dataClient = openArea(server);
    await fresh(dataClient.lineup);
    dataClient.markRead('1', 60);
    const list = dataClient.feed({ show: 'unread' });
    expect(keysOf(await loaded(list))).to.deep.equal(range('2', 5, 3));
    dataClient.markRead('2', 5);
    await list.loadOlder();
    expect(keysOf(await loaded(dataClient.feed({ show: 'unread' })))).to.deep.equal(range('2', 5, 1));
  });

  it('requests media and search terms', async () => {
    const server = makeServer(3);
    server.posts.push(makePost('1', 9, { text: 'needle', media: [{ type: 'photo', messageId: 9, src: '/media/x' }] }));
    const dataClient = openArea(server);
    expect(keysOf(await loaded(dataClient.feed({ show: 'media' })))).to.deep.equal(['1/9']);
    expect(keysOf(await loaded(dataClient.posts('1', { q: 'needle' })))).to.deep.equal(['1/9']);
    expect(keysOf(await loaded(dataClient.posts('1', { media: true })))).to.deep.equal(['1/9']);
  });

  it('requests nothing until it has a subscriber, and requests once for many subscribers', async () => {
    const server = makeServer();
    const dataClient = openMemoryArea(server);
    const list = dataClient.feed({});
    dataClient.posts('1', {});
    expect(server.log).to.deep.equal([]);
    list.subscribe(() => {});
    list.subscribe(() => {});
    await loaded(dataClient.feed({}));
    expect(server.log).to.deep.equal(['GET /api/feed?limit=20']);
  });
});

describe('queries for one channel or post', () => {
  afterEach(endAreas);

  it('find a channel by id or username, a post, and the newest posts for a card', async () => {
    const dataClient = openArea(makeServer());
    expect((await fresh(dataClient.channel('alpha'))).id).to.equal('1');
    expect((await fresh(dataClient.post('1', 7))).post.text).to.equal('1 7');
    expect((await fresh(dataClient.latestPosts('1'))).map((post) => post.id)).to.deep.equal([50, 49, 48]);
    const missing = await until(dataClient.channel('nobody'), ({ type }) => type === 'failed');
    expect(missing).to.deep.include({ status: 404 });
  });

  it('show a stored post and channel offline', async () => {
    const server = makeServer();
    const before = openArea(server);
    await fresh(before.channel('1'));
    await fresh(before.post('1', 7));
    await isKept('changer-public', slot('1', 7));
    before.close();
    server.reach = 'down';
    const state = await until(openArea(server).post('1', 7), ({ type }) => type === 'loaded');
    expect(state.type === 'loaded' && state.value.channel.username).to.equal('alpha');
    const latest = await until(openArea(server).latestPosts('1'), ({ type }) => type === 'loaded');
    expect(latest.type === 'loaded' && latest.cachedAt !== null).to.equal(true);
  });

  it('show a channel that was never opened offline, from the stored directory and posts', async () => {
    const server = makeServer();
    const before = openArea(server);
    await fresh(before.directory);
    await loaded(before.feed({}));
    await isKept('changer-public', 'channels');
    await isKept('changer-public', slot('1', 50));
    before.close();
    server.reach = 'down';
    const dataClient = openArea(server);
    const state = await until(dataClient.channel('alpha'), ({ type }) => type !== 'loading');
    expect(state.type === 'loaded' && state.cachedAt !== null && state.value.id).to.equal('1');
    const posts = await until(dataClient.posts('alpha', {}), ({ type }) => type === 'loaded');
    expect(posts.type === 'loaded' && keysOf(posts)).to.include('1/50');
  });

  it('store nothing of a private channel for the next user', async () => {
    const server = makeServer(3);
    server.channels.push(makeChannel('9', { private: true }));
    server.posts.push(makePost('9', 1, { text: 'secret' }));
    const first = openArea(server, makeAccount('1'));
    await fresh(first.directory, (channels) => channels.length === 4);
    await loaded(first.posts('9', {}));
    await loaded(first.feed({}));
    await fresh(first.channel('9'));
    await first.refresh();
    await isKept('changer-reader-1', slot('9', 1));
    await isKept('changer-reader-1', 'channels');
    await isKept('changer-reader-1', 'channel/9');
    await isKept('changer-public', 'channels');
    first.close();
    server.reach = 'down';
    const second = openArea(server, makeAccount('2'));
    const directory = await until(second.directory, ({ type }) => type === 'loaded');
    expect(directory.type === 'loaded' && directory.value.map((channel) => channel.id)).to.deep.equal(['1', '2', '3']);
    expect((await until(second.posts('9', {}), ({ type }) => type !== 'loading')).type).to.equal('failed');
    expect((await until(second.post('9', 1), ({ type }) => type !== 'loading')).type).to.equal('failed');
    expect((await until(second.channel('9'), ({ type }) => type !== 'loading')).type).to.equal('failed');
    const feed = await loaded(second.feed({}), () => true);
    expect(keysOf(feed)).to.include('1/3').and.not.include('9/1');
  });
});
