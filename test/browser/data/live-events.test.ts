// Live events in the data layer: new, edited and hidden posts, and the event stream.

import { expect } from '@open-wc/testing';
import type { LiveEvent } from '../../../contract/events.ts';
import type { Post } from '../../../contract/post.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { EventStreamBlock } from '../../../src/api/event-stream.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { createOfflineUpdater } from '../../../src/data/live/apply-to-offline.ts';
import { createQueryUpdater } from '../../../src/data/live/apply-to-queries.ts';
import { createLeaderElection } from '../../../src/data/live/leader-election.ts';
import { createLivePostLists } from '../../../src/data/live/new-posts.ts';
import { followStream } from '../../../src/data/live/stream-follower.ts';
import {
  closeDataClients,
  eventually,
  keysOf,
  lineupActions,
  openDataClient,
  signIn,
  storeFirstSeen,
  waitForFresh,
  waitForLoaded,
  waitForValue,
  waitUntilStored,
} from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost, makePosts } from './fake-server.ts';

function setUp(): {
  server: FakeServer;
  dataClient: DataClientControl;
  emit: (...events: LiveEvent[]) => void;
  lists: ReturnType<typeof createLivePostLists>;
} {
  const server = new FakeServer();
  server.channels = [
    makeChannel('1', { username: 'alpha', latest: { id: 30, date: 1 } }),
    makeChannel('2', { latest: { id: 5, date: 1 } }),
  ];
  server.posts = [...makePosts('1', 30), ...makePosts('2', 5)];
  const dataClient = openDataClient(server);
  const lists = createLivePostLists(dataClient.context);
  const apply = createQueryUpdater(dataClient, lists);
  return { server, dataClient, lists, emit: (...events) => events.forEach((event) => void apply(event)) };
}

const isNew = (post: Post): LiveEvent => ({
  type: 'new',
  post,
  channel: makeChannel(post.channelId, { latest: { id: post.id, date: post.date } }),
});
const isEdited = (post: Post): LiveEvent => ({ type: 'edited', post, channel: makeChannel(post.channelId) });

describe('live events in the data layer', () => {
  afterEach(closeDataClients);

  it('hold new posts back while the list has a reader, else apply them at once, and apply them on request', async () => {
    const { dataClient, lists, emit } = setUp();
    const [feed, channel] = [dataClient.feed({}), dataClient.posts('1', {})];
    await Promise.all([waitForLoaded(feed), waitForLoaded(channel)]);
    const pending = lists.pendingFor(feed);
    pending.subscribe(() => {});
    emit(isNew(makePost('1', 31)), isNew(makePost('2', 40)), isNew(makePost('1', 32, { service: { action: 'pinned' } })));
    expect(pending.get().map((post) => post.id)).to.deep.equal([40, 31]);
    expect(keysOf(await waitForLoaded(feed))[0]).to.equal('1/30');
    expect(keysOf(await waitForLoaded(channel)).slice(0, 2)).to.deep.equal(['1/32', '1/31']);
    lists.show(feed);
    expect(keysOf(await waitForLoaded(feed)).slice(0, 4)).to.deep.equal(['2/40', '1/32', '1/31', '1/30']);
    expect(pending.get()).to.deep.equal([]);
  });

  it('count each post of a burst, when all events name the newest post', async () => {
    await storeFirstSeen(null, '1', '2');
    const { dataClient, emit } = setUp();
    await waitForFresh(dataClient.lineup, (rows) => rows.some(({ unread }) => unread > 0));
    const unread = () => waitForFresh(dataClient.lineup).then((rows) => rows.find(({ channel }) => channel.id === '1')?.unread);
    const previous = (await unread()) ?? 0;
    const channel = makeChannel('1', { latest: { id: 36, date: 1 } });
    const burst = [31, 32, 33, 34, 35, 36].map((id): LiveEvent => ({ type: 'new', post: makePost('1', id), channel }));
    emit(...burst);
    expect(await unread()).to.equal(previous + 6);
    // Posts that were counted already, and are sent again after the stream was interrupted, are not counted twice.
    emit(...burst);
    expect(await unread()).to.equal(previous + 6);
    emit(isNew(makePost('1', 37)));
    expect(await unread()).to.equal(previous + 7);
  });

  it('hold the posts of an import back while the list has a reader, and refetch the counts from the server', async () => {
    await storeFirstSeen(null, '1', '2');
    const { server, dataClient, lists, emit } = setUp();
    const feed = dataClient.feed({});
    await Promise.all([waitForLoaded(feed), waitForFresh(dataClient.lineup, (rows) => rows.some(({ unread }) => unread > 0))]);
    const pending = lists.pendingFor(feed);
    pending.subscribe(() => {});
    const before = keysOf(await waitForLoaded(feed));
    server.posts = [
      ...server.posts.filter(({ channelId, id }) => channelId !== '1' || id !== 30),
      makePost('1', 30, { text: 'Edited' }),
      ...makePosts('1', 40).slice(30),
    ];
    emit({ type: 'refresh', channelId: '1' });
    await waitForValue(pending, (posts) => posts.length === 10);
    const state = await waitForLoaded(feed, ({ posts }) => posts[0]?.text === 'Edited');
    expect(keysOf(state)).to.deep.equal(before);
    await waitForFresh(dataClient.lineup, (rows) => rows.some(({ channel, unread }) => channel.id === '1' && unread === 40));
    lists.show(feed);
    expect(keysOf(await waitForLoaded(feed, ({ posts }) => posts[0]?.id === 40)).slice(0, 11)).to.include('1/30');
  });

  it('add no post to searches, to lists around a post, to other channels or from muted channels', async () => {
    const { dataClient, lists, emit } = setUp();
    await waitForFresh(dataClient.lineup);
    lineupActions(dataClient).mute('2', 0);
    const all = [
      dataClient.posts('1', { q: '3' }),
      dataClient.posts('1', { around: 10 }),
      dataClient.posts('2', {}),
      dataClient.feed({ show: 'starred' }),
    ];
    await Promise.all([...all, dataClient.feed({})].map((list) => waitForLoaded(list)));
    const counts = () => all.map((list) => lists.pendingFor(list).get().length);
    const feed = lists.pendingFor(dataClient.feed({}));
    feed.subscribe(() => {});
    for (const list of all) lists.pendingFor(list).subscribe(() => {});
    emit(isNew(makePost('1', 33)));
    expect([...counts(), feed.get().length]).to.deep.equal([0, 0, 0, 0, 1]);
    emit(isNew(makePost('2', 60)));
    expect([...counts(), feed.get().length]).to.deep.equal([0, 0, 1, 0, 1]);
  });

  it('update an edited post in every list, and remove a hidden post from each', async () => {
    const { dataClient, emit } = setUp();
    const lists = [dataClient.feed({}), dataClient.posts('alpha', {}), dataClient.posts('1', { q: '30' })];
    await Promise.all(lists.map((list) => waitForLoaded(list)));
    const singlePost = dataClient.post('1', 30);
    await waitForFresh(singlePost);
    emit(isEdited(makePost('1', 30, { text: 'Mended 30' })));
    for (const list of lists) expect((await waitForLoaded(list)).posts[0]?.text).to.equal('Mended 30');
    expect((await waitForFresh(singlePost)).post.text).to.equal('Mended 30');
    emit({ type: 'hidden', channelId: '1', id: 30 });
    for (const list of lists) expect(keysOf(await waitForLoaded(list))).not.to.include('1/30');
    expect(singlePost.get()).to.deep.include({ type: 'failed', status: 404 });
  });

  it('insert a restored post where it was, also the newest one of a list that is read', async () => {
    const { dataClient, lists, emit } = setUp();
    const feed = dataClient.feed({});
    const all = [feed, dataClient.posts('1', {}), dataClient.posts('1', { media: true })];
    const before = await Promise.all(all.map(async (list) => keysOf(await waitForLoaded(list))));
    const pending = lists.pendingFor(feed);
    pending.subscribe(() => {});
    // An edited post that the reader did not load, and that is newer than the list, is not inserted.
    emit(isEdited(makePost('1', 31)));
    emit({ type: 'hidden', channelId: '1', id: 30 }, isEdited(makePost('1', 30)));
    expect(await Promise.all(all.map(async (list) => keysOf(await waitForLoaded(list))))).to.deep.equal(before);
    expect(pending.get()).to.deep.equal([]);
  });

  it('remove a hidden post a second time for late responses, unless it was restored in the meantime', async () => {
    const { setTimeout } = window;
    Reflect.set(window, 'setTimeout', (run: () => void, ms = 0) => setTimeout(run, ms === 20_000 ? 50 : ms));
    const { dataClient, emit } = setUp();
    const list = dataClient.posts('1', {});
    await Promise.all([waitForLoaded(list), waitForFresh(dataClient.lineup)]);
    emit({ type: 'hidden', channelId: '1', id: 20 }, { type: 'hidden', channelId: '1', id: 21 }, isEdited(makePost('1', 20)));
    emit({ type: 'hidden', channelId: '2' }, { type: 'channel', channel: makeChannel('2') });
    await new Promise((resolve) => setTimeout(resolve, 200));
    Reflect.set(window, 'setTimeout', setTimeout);
    const keys = keysOf(await waitForLoaded(list));
    expect([keys.includes('1/20'), keys.includes('1/21')]).to.deep.equal([true, false]);
    expect((await waitForFresh(dataClient.lineup)).map((row) => row.channel.id)).to.include('2');
  });

  it('add to the unread count once, only for posts that the last response did not include', async () => {
    await storeFirstSeen(null, '1', '2');
    const { dataClient, emit } = setUp();
    await waitForValue(
      dataClient.lineup,
      (rows) => rows.type === 'loaded' && rows.value[1]?.unread === 5,
      'the counts are there',
    );
    emit(
      isNew(makePost('2', 5)),
      isNew(makePost('2', 6)),
      isNew(makePost('2', 6)),
      isNew(makePost('2', 7, { service: { action: 'pinned' } })),
    );
    const rows = await waitForFresh(dataClient.lineup);
    expect(rows.map((row) => row.unread)).to.deep.equal([30, 6]);
  });

  it('remove a channel that may no longer be read from the line-up, its lists and its page', async () => {
    const { dataClient, emit } = setUp();
    const [feed, page] = [dataClient.feed({}), dataClient.channel('alpha')];
    await Promise.all([waitForLoaded(feed), waitForFresh(page), waitForFresh(dataClient.lineup)]);
    emit({ type: 'channel', channel: makeChannel('2', { title: 'Renamed' }) }, { type: 'hidden', channelId: '1' });
    expect((await waitForFresh(dataClient.lineup)).map((row) => row.channel.title)).to.deep.equal(['Renamed']);
    expect(keysOf(await waitForLoaded(feed)).some((key) => key.startsWith('1/'))).to.equal(false);
    expect(page.get()).to.deep.include({ type: 'failed', status: 404 });
  });

  it('update the storage of the device, both the public database and the database of the user', async () => {
    const { server, dataClient } = setUp();
    const account = makeAccount('1');
    server.channels.push(makeChannel('9', { private: true, latest: { id: 3, date: 1 } }));
    server.posts.push(...makePosts('9', 3));
    const userClient = openDataClient(server, account, { expected: true });
    signIn(server, userClient, account);
    await Promise.all([
      waitForLoaded(userClient.feed({})),
      waitForLoaded(userClient.posts('9', {})),
      waitForLoaded(dataClient.posts('1', {})),
    ]);
    const slot = (id: string, post: number) => `post/${id}/${String(post).padStart(16, '0')}`;
    await Promise.all([
      waitUntilStored('changer-public', slot('1', 30)),
      waitUntilStored('changer-reader-1', slot('9', 3)),
      waitUntilStored('changer-reader-1', 'posts/9'),
    ]);
    const updateOffline = createOfflineUpdater(userClient.context.offline, Date.now, true);
    await updateOffline.apply([
      { type: 'hidden', channelId: '9', id: 3 },
      { type: 'hidden', channelId: '1', id: 30 },
      isEdited(makePost('1', 29, { text: 'Mended' })),
    ]);
    const { offline: device } = userClient.context;
    expect([await device.post('9', 3), await device.post('1', 30)]).to.deep.equal([null, null]);
    expect((await device.post('1', 29))?.value.text).to.equal('Mended');
    await waitUntilStored('changer-reader-1', 'posts/9', (json) => !json.includes('9 3') && json.includes('9 2'));
    await updateOffline.saveLastEventId('here');
    expect(await updateOffline.lastEventId()).to.equal('here');
    expect([...(await updateOffline.removeMissingChannels(async () => server.channels))]).to.deep.equal([]);
    expect([
      ...(await updateOffline.removeMissingChannels(async () => server.channels.filter(({ id }) => id !== '9'))),
    ]).to.deep.equal(['9']);
    expect((await device.post('1', 29))?.value.text).to.equal('Mended');
    expect(await device.post('9', 2)).to.equal(null);
    await updateOffline.apply([{ type: 'reset' }]);
    expect(await device.post('1', 29)).to.equal(null);
  });

  it('request no channels for a store without posts, so that nothing counts as a response of the server', async () => {
    const { dataClient } = setUp();
    await waitForLoaded(dataClient.posts('1', {}));
    await waitUntilStored('changer-public', 'posts/1', (json) => json.includes('1 30'));
    const requested: string[][] = [];
    const updateOffline = createOfflineUpdater(dataClient.context.offline, Date.now, true);
    await updateOffline.removeMissingChannels(async (ids) => {
      requested.push([...ids]);
      return [makeChannel('1')];
    });
    expect(requested).to.deep.equal([['1']]);
  });
});

describe('the event stream', () => {
  const ending = new AbortController();
  after(() => ending.abort());
  async function* blocks(...ids: string[]): AsyncGenerator<EventStreamBlock> {
    for (const id of ids) yield { id, data: null };
  }

  it('reconnects after it was cut, and stops when the server has no stream', async () => {
    const receivedIds: (string | null)[] = [];
    const responses = [
      async () => blocks('a', 'b'),
      async () => Promise.reject(new ApiError('No response received', null)),
      async () => blocks('c'),
      async () => Promise.reject(new ApiError('There is no such thing', 404)),
    ];
    const open = () => responses.shift()?.() ?? Promise.reject(new Error('too often'));
    const streaming = followStream({
      open,
      onBlock: ({ id }) => receivedIds.push(id),
      isWanted: () => true,
      signal: ending.signal,
    });
    const waking = setInterval(() => streaming.reconnectNow(), 10);
    expect(await streaming.unsupported).to.equal(true);
    clearInterval(waking);
    expect(receivedIds).to.deep.equal(['a', 'b', 'c']);
  });

  it('stops when the stream stays empty, and does not connect while it is not wanted', async () => {
    let opened = 0;
    let isWanted = false;
    const open = async () => {
      opened += 1;
      return blocks();
    };
    const streaming = followStream({ open, onBlock() {}, isWanted: () => isWanted, signal: ending.signal });
    const waking = setInterval(() => streaming.reconnectNow(), 10);
    await eventually(() => opened === 0, 'it rests');
    isWanted = true;
    expect(await streaming.unsupported).to.equal(true);
    clearInterval(waking);
    expect(opened).to.equal(2);
  });
});

describe('the leader election', () => {
  afterEach(() => void Reflect.deleteProperty(navigator.locks, 'request'));

  it('makes each tab the leader at once if the browser rejects requests for locks', async () => {
    const ending = new AbortController();
    let requests = 0;
    // Without a limit, a tab that repeats its request would block the browser.
    const request = () =>
      ++requests > 100 ? new Promise(() => {}) : Promise.reject(new DOMException('Storage is blocked', 'SecurityError'));
    Object.defineProperty(navigator.locks, 'request', { configurable: true, value: request });
    const elected: AbortSignal[] = [];
    createLeaderElection({
      name: 'blocked',
      onMessage() {},
      onElected: (signal) => elected.push(signal),
      signal: ending.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([requests, elected.length]).to.deep.equal([1, 1]);
    ending.abort();
    expect(elected[0]?.aborted).to.equal(true);
  });
});
