// Offline reading: post lists and search from the posts stored on the device.

import { expect } from '@open-wc/testing';
import type { Media } from '../../../contract/post.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { offlineList } from '../../../src/data/offline/cached-posts.ts';
import { searchOf } from '../../../src/data/queries/search.ts';
import {
  closeDataClients,
  keysOf,
  openDataClient,
  storeFirstSeen,
  waitForFresh,
  waitForLoaded,
  waitUntilStored,
} from './data-client-fixture.ts';
import { FakeServer, makeChannel, makePost, makePosts } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

const PHOTO: Media = { type: 'photo', messageId: 1, src: '/media/a.jpg', width: 4, height: 3 };
const COUNT = 120;

lockDevice();

/**
 * Creates a server. Channel 1 posts every minute. Channel 2 posts twenty photos, each half a minute after every third post of
 * channel 1.
 */
function makeServer(): FakeServer {
  const server = new FakeServer();
  server.channels = [makeChannel('1', { username: 'alpha', latest: { id: COUNT, date: 1 } }), makeChannel('2')];
  const [first] = makePosts('1', 1);
  const photos = Array.from({ length: 20 }, (_, at) =>
    makePost('2', at + 1, { date: (first?.date ?? 0) + at * 180 + 30, media: [{ ...PHOTO, messageId: at + 1 }] }),
  );
  server.posts = [...makePosts('1', COUNT), ...photos];
  return server;
}

/** Stores every post and the channels on this device, as reading ahead does. */
async function storeAll(server: FakeServer): Promise<void> {
  const dataClient = openDataClient(server);
  await waitForFresh(dataClient.lineup);
  const { offline: device } = dataClient.context;
  await device.writePosts({ items: server.posts, channels: server.channels });
  await waitUntilStored('changer-public', 'channels');
  dataClient.close();
}

async function readToEnd(list: ReturnType<DataClientControl['feed']>): Promise<string[]> {
  let keys = keysOf(await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null));
  for (;;) {
    await list.loadOlder();
    const next = keysOf(await waitForLoaded(list, ({ older }) => older !== 'loading'));
    if (next.length === keys.length) return next;
    keys = next;
  }
}

const inOrder = (server: FakeServer, condition: (post: FakeServer['posts'][number]) => boolean = () => true): string[] =>
  server.posts
    .filter(condition)
    .toSorted((a, b) => b.date - a.date || b.channelId.localeCompare(a.channelId) || b.id - a.id)
    .map((post) => `${post.channelId}/${post.id}`);

describe('the data layer without a network', () => {
  let server: FakeServer;
  beforeEach(async () => {
    server = makeServer();
    await storeAll(server);
    server.reachability = 'down';
  });
  afterEach(closeDataClients);

  it('reads the feed to the end of the stored posts, in the order of the server', async () => {
    expect(await readToEnd(openDataClient(server).feed({}))).to.deep.equal(inOrder(server));
  });

  it('reads the media of the feed and of a channel', async () => {
    const dataClient = openDataClient(server);
    expect(await readToEnd(dataClient.feed({ show: 'media' }))).to.deep.equal(inOrder(server, ({ media }) => media.length > 0));
    expect(await readToEnd(dataClient.posts('2', { media: true }))).to.have.length(20);
  });

  it('reads unread posts', async () => {
    await storeFirstSeen(null, '1', '2');
    const dataClient = openDataClient(server);
    dataClient.markRead('1', 100);
    dataClient.markRead('2', 15);
    const unread = inOrder(server, ({ channelId, id }) => id > (channelId === '1' ? 100 : 15));
    expect(await readToEnd(dataClient.feed({ show: 'unread' }))).to.deep.equal(unread);
  });

  it('shows newer stored posts above an older first page', async () => {
    server.reachability = 'up';
    const before = openDataClient(server);
    await waitForLoaded(before.feed({}));
    await waitUntilStored('changer-anonymous', 'feed/all/');
    const newer = makePost('1', COUNT + 1);
    await before.context.offline.writePosts({ items: [newer], channels: server.channels });
    before.close();
    server.reachability = 'down';
    const list = openDataClient(server).feed({});
    const state = await waitForLoaded(list, ({ posts }) => posts[0]?.id === COUNT + 1);
    expect(keysOf(state)[1]).to.equal(inOrder(server)[0]);
  });

  it('shows a linked post, by id and by username, with the posts around it', async () => {
    const list = openDataClient(server).posts('alpha', { around: 60, limit: 10 });
    const state = await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null);
    expect(keysOf(state)).to.deep.equal(Array.from({ length: 10 }, (_, at) => `1/${65 - at}`));
    await list.loadNewer();
    await list.loadOlder();
    const grown = keysOf(await waitForLoaded(list, ({ newer, older }) => newer === 'idle' && older === 'idle'));
    expect(grown).to.deep.equal(Array.from({ length: 30 }, (_, at) => `1/${75 - at}`));
  });

  it('starts at the newest post at or before a time, else at the oldest, and loads more at both ends', async () => {
    const [oldest, next] = makePosts('1', 2).toSorted((a, b) => a.id - b.id);
    const dateOf = (id: number) => (oldest?.date ?? 0) + (id - 1) * ((next?.date ?? 0) - (oldest?.date ?? 0));
    const dataClient = openDataClient(server);
    const list = dataClient.posts('alpha', { date: dateOf(61) - 1, limit: 10 });
    expect(keysOf(await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null))).to.deep.equal(
      Array.from({ length: 10 }, (_, at) => `1/${65 - at}`),
    );
    await list.loadNewer();
    await list.loadOlder();
    const grown = keysOf(await waitForLoaded(list, ({ newer, older }) => newer === 'idle' && older === 'idle'));
    expect(grown).to.deep.equal(Array.from({ length: 30 }, (_, at) => `1/${75 - at}`));
    const first = await waitForLoaded(dataClient.posts('alpha', { date: 1, limit: 10 }), ({ cachedAt }) => cachedAt !== null);
    expect(keysOf(first)).to.deep.equal(Array.from({ length: 10 }, (_, at) => `1/${10 - at}`));
    const last = await waitForLoaded(dataClient.posts('alpha', { date: 1e10, limit: 10 }), ({ cachedAt }) => cachedAt !== null);
    expect(keysOf(last)[0]).to.equal(`1/${COUNT}`);
    expect(last.newer).to.equal('end');
  });

  it('starts a list of media at a time', async () => {
    const photo = server.posts.find(({ channelId, id }) => channelId === '2' && id === 9);
    const list = openDataClient(server).posts('2', { date: photo?.date ?? 0, media: true, limit: 4 });
    expect(keysOf(await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null))).to.deep.equal(['2/11', '2/10', '2/9', '2/8']);
  });

  it('does not show another post instead of a linked one', async () => {
    const list = openDataClient(server).posts('1', { around: COUNT + 50 });
    await new Promise<void>((resolve) => list.subscribe(() => list.get().type === 'failed' && resolve()));
    expect(list.get()).to.include({ type: 'failed', status: null });
  });

  it('finds all stored posts, page by page', async () => {
    const list = searchOf(openDataClient(server))?.list({ channelIds: ['1', '2'] });
    if (list === undefined) throw new Error('No search');
    expect(await readToEnd(list)).to.deep.equal(inOrder(server));
  });

  it('adds the posts between that only the server has, when the server responds', async () => {
    // Posts that this device never stored.
    server.posts.push(...Array.from({ length: 5 }, (_, at) => makePost('2', 100 + at, { date: 1_700_000_000 + 31 * 60 + at })));
    server.reachability = 'up';
    const dataClient = openDataClient(server);
    const list = dataClient.feed({});
    await waitForLoaded(list);
    server.reachability = 'down';
    for (let page = 0; page < 3; page++) await list.loadOlder();
    expect(keysOf(await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null))).to.have.length(80);
    server.reachability = 'up';
    await dataClient.refresh();
    for (let state = await waitForLoaded(list); state.older !== 'end'; state = await waitForLoaded(list)) await list.loadOlder();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(inOrder(server));
  });

  it('reads each post once after its channel became public', async () => {
    const { offline } = openDataClient(server).context;
    const [privateChannel] = server.channels.map((channel) => ({ ...channel, private: true }));
    if (privateChannel === undefined) throw new Error('No channel');
    const stale = server.posts.filter(({ channelId }) => channelId === '1').map((post) => ({ ...post, text: 'own' }));
    await offline.writePosts({ items: stale, channels: [privateChannel] });
    const { value } = await offline.posts('1', 10);
    expect(value.map(({ id, text }) => `${id} ${text}`)).to.deep.equal(
      Array.from({ length: 10 }, (_, at) => `${COUNT - at} own`),
    );
    const newer = await offline.newerPosts('1', 10, 50);
    expect(newer.map(({ id }) => id)).to.deep.equal(Array.from({ length: 10 }, (_, at) => 60 - at));
  });

  it('replaces a list of stored posts with a newer page of the server', () => {
    const stored = makePosts('1', 3).toReversed();
    const page = { items: [5, 4, 3].map((id) => makePost('1', id)), channels: [], next: 'older', previous: 'newer' };
    const merged = offlineList({ older: async () => ({ items: [], channels: [] }) }).merge(
      { items: stored, channels: [], next: undefined, previous: 'newer', cachedKeys: new Set(['1/3', '1/2', '1/1']) },
      'newer',
      page,
    );
    expect(merged.items.map(({ id }) => id)).to.deep.equal([5, 4, 3]);
  });

  it('continues from the server after a stored page', async () => {
    server.reachability = 'up';
    server.posts.push(makePost('1', COUNT + 1), makePost('1', COUNT + 2));
    server.hold('GET /api/channels/1/posts');
    const list = openDataClient(server).posts('1', {});
    await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null);
    server.release();
    await waitForLoaded(list);
    for (let state = await waitForLoaded(list); state.older !== 'end'; state = await waitForLoaded(list)) await list.loadOlder();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(Array.from({ length: COUNT + 2 }, (_, at) => `1/${COUNT + 2 - at}`));
  });
});

describe('a search without a response', () => {
  afterEach(closeDataClients);

  it('shows stored posts after 3 s, and the response when it arrives', async () => {
    const server = makeServer();
    await storeAll(server);
    server.hold('GET /api/search');
    const list = searchOf(openDataClient(server))?.list({ q: '77' });
    if (list === undefined) throw new Error('No search');
    expect(keysOf(await waitForLoaded(list, ({ cachedAt }) => cachedAt !== null))).to.deep.equal(['1/77']);
    server.release();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(['1/77']);
  });
});
