// Reader state of the data layer: line-up, read markers, unread posts, stars, sign-in and synchronization.

import { expect } from '@open-wc/testing';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { shareUserState } from '../../../src/data/live/leader-election.ts';
import type { LineupRow } from '../../../src/data/model/types.ts';
import { eraseReaderDatabase } from '../../../src/storage/erase.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import {
  closeDataClients,
  eventually,
  keysOf,
  lineupActions,
  openDataClient,
  openMemoryDataClient,
  signIn,
  storeFirstSeen,
  waitForFresh,
  waitForLoaded,
  waitForValue,
  waitUntilStored,
} from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost, makePosts } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

function makeServer(): FakeServer {
  const server = new FakeServer();
  server.channels = ['1', '2', '3'].map((id) => makeChannel(id, { latest: { id: 5, date: 1 } }));
  server.posts = ['1', '2', '3'].flatMap((id) => makePosts(id, 5));
  return server;
}

const ids = (rows: readonly LineupRow[]) => rows.map((row) => `${row.number ?? '-'}:${row.channel.id}`).join(' ');
async function lineupOf(dataClient: DataClientControl, expected?: string): Promise<readonly LineupRow[]> {
  return waitForFresh(dataClient.lineup, (rows) => expected === undefined || ids(rows) === expected);
}
const unreadOf = (dataClient: DataClientControl): number[] => {
  const state = dataClient.lineup.get();
  return state.type === 'loaded' ? state.value.map((row) => row.unread) : [];
};
const isSaved = (dataClient: DataClientControl) =>
  waitForValue(dataClient.syncStatus, ({ type }) => type === 'saved', 'to be saved');

/** Opens a data client whose second refresh waits for the response with the line-up, until the server releases it. */
async function startHeldRefresh() {
  const server = makeServer();
  const account = makeAccount('1');
  const dataClient = openDataClient(server, account);
  await lineupOf(dataClient);
  await dataClient.refresh();
  server.log.length = 0;
  server.hold('GET /api/lineup');
  const refreshing = dataClient.refresh();
  await eventually(() => server.requestsTo('GET /api/lineup').length > 0, 'the line-up is asked for');
  return { server, account, dataClient, refreshing };
}

lockDevice();

describe('an anonymous line-up', () => {
  afterEach(closeDataClients);

  it('follows every channel in the order of the directory, and shows the unread counts', async () => {
    await storeFirstSeen(null, '1', '2', '3');
    const dataClient = openDataClient(makeServer());
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 3:3');
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '5,5,5');
  });

  it('follows, mutes and moves at once, undoes each change, and restores the line-up after a reload', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server);
    await lineupOf(dataClient);
    lineupActions(dataClient).follow('2', false);
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:3 -:2');
    expect(dataClient.undoable.get()).to.deep.equal({ action: 'unfollow', channelId: '2' });
    dataClient.undo();
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 3:3');
    expect(dataClient.undoable.get()).to.equal(null);
    lineupActions(dataClient).mute('3', 0);
    expect((await lineupOf(dataClient)).map((row) => row.muted)).to.deep.equal([false, false, true]);
    lineupActions(dataClient).mute('3', null);
    expect((await lineupOf(dataClient)).some((row) => row.muted)).to.equal(false);
    lineupActions(dataClient).mute('3', Math.floor(Date.now() / 1000) - 1);
    expect((await lineupOf(dataClient)).some((row) => row.muted)).to.equal(false);
    lineupActions(dataClient).move('3', 1);
    expect(ids(await lineupOf(dataClient))).to.equal('1:3 2:1 3:2');
    lineupActions(dataClient).move('3', 99);
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 3:3');
    dataClient.undo();
    expect(ids(await lineupOf(dataClient))).to.equal('1:3 2:1 3:2');
    expect(dataClient.syncStatus.get().type).to.equal('waiting');
    await isSaved(dataClient);
    await waitUntilStored('changer-anonymous', 'lineup', (json) => json.startsWith('{"entries":[{"channelId":"3"'));
    expect(ids(await lineupOf(openDataClient(server)))).to.equal('1:3 2:1 3:2');
  });

  it('builds the feed from the followed channels, and again when they change', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server);
    await lineupOf(dataClient);
    const list = dataClient.feed({});
    expect(keysOf(await waitForLoaded(list))).to.have.length(15);
    server.hold();
    lineupActions(dataClient).follow('2', false);
    expect(keysOf(await waitForLoaded(list, () => true)).filter((key) => key.startsWith('2/'))).to.deep.equal([]);
    server.release();
    await eventually(
      () => server.requestsTo('GET /api/feed').at(-1) === 'GET /api/feed?limit=20&channels=1,3',
      'the feed is asked anew',
    );
    dataClient.undo();
    await waitForLoaded(list, (state) => state.posts.length === 15);
    lineupActions(dataClient).move('3', 1);
    for (const id of ['1', '2', '3']) lineupActions(dataClient).follow(id, false);
    await waitForLoaded(list, (state) => state.posts.length === 0 && state.older === 'end');
  });
});

describe('read markers', () => {
  afterEach(closeDataClients);

  it('of a new user start at the newest posts, so that earlier posts count as read', async () => {
    const server = makeServer();
    const before = openDataClient(server);
    await lineupOf(before);
    expect(unreadOf(before)).to.deep.equal([0, 0, 0]);
    expect([...before.readMarkers.get().values()]).to.deep.equal([5, 5, 5]);
    await waitUntilStored('changer-anonymous', 'first-seen');
    expect(server.log.filter((line) => line.startsWith('PUT'))).to.deep.equal([]);
    before.close();
    server.posts.push(makePost('1', 6), makePost('1', 7));
    server.channels[0] = makeChannel('1', { latest: { id: 7, date: 2 } });
    server.channels.push(makeChannel('4', { latest: { id: 9, date: 1 } }));
    const dataClient = openDataClient(server);
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '2,0,0,0');
    await waitForLoaded(dataClient.feed({}));
    // The marker is the post that the reader saw, regardless of the first known post.
    dataClient.markRead('1', 6);
    expect(unreadOf(dataClient)).to.deep.equal([1, 0, 0, 0]);
  });

  it('from the server take precedence over those of a device that is new to the user', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    account.marks.set('1', 3);
    const dataClient = openDataClient(server, account);
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '2,0,0');
    expect(dataClient.readMarkers.get().get('1')).to.equal(3);
    await isSaved(dataClient);
    expect([...account.marks]).to.deep.equal([['1', 3]]);
  });

  it('only move forwards, and reduce the unread count', async () => {
    await storeFirstSeen(null, '1', '2', '3');
    const dataClient = openDataClient(makeServer());
    await lineupOf(dataClient);
    await waitForLoaded(dataClient.feed({}));
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '5,5,5');
    dataClient.markRead('1', 3);
    dataClient.markRead('1', 2);
    expect(dataClient.readMarkers.get().get('1')).to.equal(3);
    expect(unreadOf(dataClient)).to.deep.equal([2, 5, 5]);
    dataClient.markRead('1', 5);
    expect(unreadOf(dataClient)).to.deep.equal([0, 5, 5]);
  });

  it('are all set by one action and restored by another', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    await storeFirstSeen('1', '1', '2', '3');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '5,5,5');
    dataClient.markRead('1', 3);
    await dataClient.refresh();
    dataClient.markAllRead(['1', '2', '3']);
    expect(unreadOf(dataClient)).to.deep.equal([0, 0, 0]);
    await dataClient.refresh();
    expect([...account.marks.values()]).to.deep.equal([5, 5, 5]);
    dataClient.undo();
    expect(dataClient.readMarkers.get().get('1')).to.equal(3);
    await dataClient.refresh();
    expect(account.marks.get('1')).to.equal(3);
    expect(dataClient.readMarkers.get().get('2')).to.equal(0);
    expect(account.marks.get('2') ?? 0).to.equal(0);
    expect(unreadOf(dataClient)).to.deep.equal([2, 5, 5]);
  });

  it('are set only for the named channels, and restored whatever changed meanwhile', async () => {
    await storeFirstSeen(null, '1', '2', '3');
    const dataClient = openDataClient(makeServer());
    await lineupOf(dataClient);
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '5,5,5');
    const takeBack = dataClient.markAllRead(['1', '2']);
    expect(unreadOf(dataClient)).to.deep.equal([0, 0, 5]);
    const others = dataClient.markAllRead(['3']);
    lineupActions(dataClient).follow('3', false);
    takeBack();
    expect([...dataClient.readMarkers.get()].filter(([, mark]) => mark > 0)).to.deep.equal([['3', 5]]);
    expect(unreadOf(dataClient)).to.deep.equal([5, 5, 0]);
    expect(dataClient.undoable.get()?.action).to.equal('unfollow');
    takeBack();
    others();
    expect(unreadOf(dataClient)).to.deep.equal([5, 5, 5]);
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 -:3');
    dataClient.undo();
    expect(dataClient.undoable.get()).to.equal(null);
  });
});

describe('posts kept unread', () => {
  afterEach(closeDataClients);

  it('of a signed-in user are on the server and on another device, and count as unread until all is marked as read', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    for (const id of ['1', '2', '3']) account.marks.set(id, 5);
    const dataClient = openDataClient(server, account);
    await waitForValue(dataClient.lineup, () => unreadOf(dataClient).join() === '0,0,0');
    await dataClient.refresh();
    dataClient.context.userState.setKeptUnread('1/2', true);
    dataClient.context.userState.setKeptUnread('1/3', true);
    dataClient.context.userState.setKeptUnread('1/3', false);
    await isSaved(dataClient);
    expect([...account.keptUnread]).to.deep.equal(['1/2']);
    const other = openDataClient(server, account, { kept: createMemoryStorage() });
    await waitForValue(other.keptUnread, (keys) => [...keys].join() === '1/2');
    await waitForValue(other.lineup, () => unreadOf(other).join() === '1,0,0');
    expect(keysOf(await waitForLoaded(other.feed({ show: 'unread' })))).to.deep.equal(['1/2']);
    // A marker that advances because posts are seen does not change it.
    other.markRead('1', 5);
    expect([...other.keptUnread.get()]).to.deep.equal(['1/2']);
    const undo = other.markAllRead(['1']);
    expect([[...other.keptUnread.get()], unreadOf(other)]).to.deep.equal([[], [0, 0, 0]]);
    undo();
    expect([[...other.keptUnread.get()], unreadOf(other)]).to.deep.equal([['1/2'], [1, 0, 0]]);
    other.markAllRead(['1']);
    await isSaved(other);
    await dataClient.refresh();
    await waitForValue(dataClient.keptUnread, (keys) => keys.size === 0);
  });

  it('wait for the network, and appear offline in the list of unread posts', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    for (const id of ['1', '2', '3']) account.marks.set(id, 5);
    const before = openDataClient(server, account);
    await waitForFresh(before.directory);
    await waitUntilStored('changer-public', 'channels');
    await waitForLoaded(before.feed({}));
    await before.refresh();
    await waitUntilStored('changer-public', 'post/1/0000000000000002');
    server.reachability = 'down';
    before.context.userState.setKeptUnread('1/2', true);
    await waitUntilStored('changer-reader-1', 'kept-unread/1/2');
    await waitUntilStored('changer-reader-1', 'out/kept-unread/1/2');
    before.close();
    const dataClient = openDataClient(server, account);
    await waitForValue(dataClient.keptUnread, (keys) => keys.has('1/2'));
    expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'unread' }), ({ posts }) => posts.length > 0))).to.deep.equal([
      '1/2',
    ]);
    server.reachability = 'up';
    await dataClient.refresh();
    await isSaved(dataClient);
    expect([...account.keptUnread]).to.deep.equal(['1/2']);
  });

  it('of an anonymous device move to the account on sign-in', async () => {
    const server = makeServer();
    const anonymous = openDataClient(server);
    await lineupOf(anonymous);
    anonymous.context.userState.setKeptUnread('1/2', true);
    await waitUntilStored('changer-anonymous', 'kept-unread/1/2');
    anonymous.close();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await waitForValue(dataClient.keptUnread, (keys) => keys.has('1/2'));
    expect([...account.keptUnread]).to.deep.equal(['1/2']);
  });

  it('that are older than the search for unread posts appear in the unread list at once', async () => {
    const server = makeServer();
    server.channels = [makeChannel('1', { latest: { id: 300, date: 1 } })];
    server.posts = makePosts('1', 300);
    const account = makeAccount('1');
    account.marks.set('1', 300);
    for (const key of ['1/2', '1/4', '1/777', '1/290']) account.keptUnread.add(key);
    const dataClient = openDataClient(server, account);
    await dataClient.refresh();
    const list = dataClient.feed({ show: 'unread' });
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(['1/290']);
    await list.loadOlder();
    expect(keysOf(await waitForLoaded(list))).to.deep.equal(['1/290', '1/4', '1/2']);
    for (let page = 0; page < 4; page++) await list.loadOlder();
    expect(keysOf(await waitForLoaded(list, ({ older }) => older === 'end'))).to.deep.equal(['1/290', '1/4', '1/2']);
  });

  it('of channels outside the feed do not appear in the list of unread posts', async () => {
    const server = makeServer();
    server.channels = [makeChannel('1', { latest: { id: 300, date: 1 } }), makeChannel('2', { latest: { id: 5, date: 1 } })];
    server.posts = [...makePosts('1', 300), ...makePosts('2', 5)];
    const account = makeAccount('1');
    account.lineup = { entries: [{ channelId: '1' }, { channelId: '2', followed: false }] };
    for (const id of ['1', '2']) account.marks.set(id, 300);
    for (const key of ['1/2', '2/2']) account.keptUnread.add(key);
    const dataClient = openDataClient(server, account);
    await waitForFresh(dataClient.directory);
    await waitUntilStored('changer-public', 'channels');
    await dataClient.refresh();
    expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'unread' })))).to.deep.equal(['1/2']);
  });
});

describe('stars', () => {
  afterEach(closeDataClients);

  it('are limited to the named channels, with an account and for an anonymous user', async () => {
    for (const account of [null, makeAccount('1')]) {
      const server = makeServer();
      const dataClient = openDataClient(server, account);
      await lineupOf(dataClient);
      for (const [channelId, id] of [
        ['1', 2],
        ['2', 3],
        ['1', 4],
      ] as const)
        dataClient.star(makePost(channelId, id), true);
      await isSaved(dataClient);
      expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'starred', channelIds: ['2'] })))).to.deep.equal(['2/3']);
      expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'starred' })))).to.have.length(3);
      const requestCount = server.requestsTo('GET /api/stars').length;
      for (const channelIds of [['3'], []])
        expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'starred', channelIds })))).to.deep.equal([]);
      expect(server.requestsTo('GET /api/stars')).to.have.length(requestCount);
    }
  });

  it('of an anonymous user stay on the device, newest star first, also offline', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server);
    const [first, second] = [makePost('1', 5), makePost('2', 5)];
    dataClient.star(first, true);
    const at = Date.now();
    await eventually(() => Date.now() > at, 'the clock has gone on');
    dataClient.star(second, true);
    const starred = await waitForLoaded(dataClient.feed({ show: 'starred' }));
    expect(keysOf(starred)).to.deep.equal([second, first].map((post) => `${post.channelId}/${post.id}`));
    dataClient.star(first, false);
    expect([...dataClient.stars.get()]).to.deep.equal([`${second.channelId}/${second.id}`]);
    dataClient.undo();
    expect(dataClient.stars.get().size).to.equal(2);
    await waitUntilStored('changer-anonymous', `star/${first.channelId}/${first.id}`);
    dataClient.close();
    server.reachability = 'down';
    expect(keysOf(await waitForLoaded(openDataClient(server).feed({ show: 'starred' }), () => true))).to.have.length(2);
  });

  it('keep the name of a channel that is in no list', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server);
    dataClient.star(makePost('2', 5), true);
    await waitForLoaded(dataClient.feed({ show: 'starred' }));
    await waitUntilStored('changer-public', 'channel/2');
    await waitUntilStored('changer-anonymous', 'star/2/5');
    dataClient.close();
    server.channels = server.channels.filter(({ id }) => id !== '2');
    const reopened = openDataClient(server);
    expect((await waitForFresh(reopened.directory)).map(({ id }) => id)).to.deep.equal(['1', '3']);
    server.reachability = 'down';
    const { channels } = await waitForLoaded(reopened.feed({ show: 'starred' }), () => true);
    expect(channels.get('2')?.title).to.equal(makeChannel('2').title);
  });

  it('of a signed-in user are stored on the server', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    dataClient.star(makePost('1', 3), true);
    await isSaved(dataClient);
    expect([...account.stars.keys()]).to.deep.equal(['1/3']);
    expect(keysOf(await waitForLoaded(dataClient.feed({ show: 'starred' })))).to.deep.equal(['1/3']);
    expect(server.requestsTo('GET /api/stars')).not.to.deep.equal([]);
  });
});

describe('the outbox', () => {
  afterEach(closeDataClients);

  it('sends the last line-up of the sequence A, B, A', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    lineupActions(dataClient).follow('1', false);
    await isSaved(dataClient);
    lineupActions(dataClient).follow('1', true);
    await isSaved(dataClient);
    lineupActions(dataClient).follow('1', false);
    await isSaved(dataClient);
    expect(server.requestsTo('PUT /api/lineup')).to.have.length(3);
    expect(account.lineup.entries.find((entry) => entry.channelId === '1')?.followed).to.equal(false);
  });

  it('stores a change and its outbox entry in one transaction, so that neither exists without the other', async () => {
    await storeFirstSeen('1', '1', '2', '3');
    const server = makeServer();
    const dataClient = openDataClient(server, makeAccount('1'));
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = 'down';
    const written: string[][] = [];
    const { put } = IDBObjectStore.prototype;
    const ofTransaction = new Map<IDBTransaction, string[]>();
    IDBObjectStore.prototype.put = function (value, key) {
      const keys = ofTransaction.get(this.transaction) ?? [];
      if (keys.length === 0) written.push(keys);
      keys.push(String(key));
      ofTransaction.set(this.transaction, keys);
      return put.call(this, value, key);
    };
    try {
      dataClient.star(makePost('1', 1), true);
      lineupActions(dataClient).follow('2', false);
      dataClient.markRead('3', 2);
      const isWritten = (key: string) => written.some((keys) => keys.includes(key));
      await eventually(() => ['out/star/1/1', 'out/lineup', 'out/mark/3'].every(isWritten), 'all three are stored');
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    const pairs = written.filter((keys) => keys.some((key) => key.startsWith('out/'))).map((keys) => keys.toSorted());
    expect(pairs).to.deep.equal([
      ['out/star/1/1', 'star/1/1'],
      ['lineup', 'out/lineup'],
      ['mark/3', 'out/mark/3'],
    ]);
  });

  it('sends offline changes after a reload: in order, once, and only the last of each item', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const before = openDataClient(server, account);
    await lineupOf(before);
    await before.refresh();
    server.reachability = 'down';
    before.star(makePost('1', 1), true);
    lineupActions(before).follow('2', false);
    before.star(makePost('2', 2), true);
    before.star(makePost('1', 1), false);
    lineupActions(before).follow('2', true);
    expect(before.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 4 });
    await waitUntilStored('changer-reader-1', 'out/lineup', (json) => !json.includes('"followed":false'));
    await eventually(() => server.missed.some((line) => line.startsWith('PUT')), 'a change was tried');
    before.close();
    const meanwhile = openDataClient(server, account);
    await waitForValue(meanwhile.syncStatus, (saving) => saving.type === 'waiting' && saving.count === 4);
    meanwhile.close();
    server.reachability = 'up';
    server.log.length = 0;
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    await eventually(() => account.version === 1 && dataClient.syncStatus.get().type === 'saved', 'all is sent');
    await dataClient.refresh();
    expect(server.log.filter((line) => !line.startsWith('GET'))).to.deep.equal([
      'PUT /api/stars/2/2',
      'DELETE /api/stars/1/1',
      'PUT /api/lineup',
    ]);
  });

  it('sends again when the browser is back online', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = 'down';
    const { setTimeout } = window;
    // The automatic retry, two seconds later, never runs.
    Reflect.set(window, 'setTimeout', (callback: () => void, ms = 0) => (ms < 2000 ? setTimeout(callback, ms) : 0));
    try {
      lineupActions(dataClient).follow('3', false);
      await eventually(() => server.missed.includes('PUT /api/lineup'), 'the change was tried');
      expect(dataClient.connectivity.get()).to.equal('unreachable');
      server.reachability = 'up';
      window.dispatchEvent(new Event('online'));
      await isSaved(dataClient);
    } finally {
      Reflect.set(window, 'setTimeout', setTimeout);
    }
    expect(account.lineup.entries.find((entry) => entry.channelId === '3')?.followed).to.equal(false);
    expect(dataClient.connectivity.get()).to.equal('online');
  });

  it('reports that the server rejected a line-up, keeps the version of the user, and sends it again on request', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = { status: 422, detail: 'Too many channels.' };
    lineupActions(dataClient).follow('3', false);
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 -:3');
    const rejected = await waitForValue(dataClient.syncStatus, ({ type }) => type === 'rejected');
    expect(rejected).to.include({ type: 'rejected', changeType: 'lineup', status: 422 });
    await dataClient.refresh();
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 -:3');
    expect(dataClient.syncStatus.get().type).to.equal('rejected');
    server.reachability = 'up';
    await dataClient.refresh();
    await isSaved(dataClient);
    expect(account.lineup.entries.find((entry) => entry.channelId === '3')?.followed).to.equal(false);
  });

  it('shows the line-up of the server after the user discards a rejected one', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server, makeAccount('1'));
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = { status: 422, detail: 'Too many channels.' };
    lineupActions(dataClient).follow('3', false);
    const rejected = await waitForValue(dataClient.syncStatus, ({ type }) => type === 'rejected');
    if (rejected.type === 'rejected') rejected.discard();
    await isSaved(dataClient);
    await waitForValue(dataClient.lineup, (shown) => shown.type === 'loaded' && ids(shown.value) === '1:1 2:2 3:3');
  });

  it('reports that the server rejected a star until the user dismisses the message, and removes the star', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server, makeAccount('1'));
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = { status: 404, detail: 'Post 1 of Channel 1 was not found.' };
    dataClient.star(makePost('1', 1), true);
    await waitForValue(dataClient.stars, (stars) => !stars.has('1/1'));
    await dataClient.refresh();
    const rejected = dataClient.syncStatus.get();
    expect(rejected).to.include({ type: 'rejected', changeType: 'star', status: 404 });
    if (rejected.type === 'rejected') rejected.discard();
    await isSaved(dataClient);
  });

  it('applies pending changes on top of the server state while the server accepts no changes', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = { status: 503, detail: 'Busy.' };
    lineupActions(dataClient).follow('3', false);
    dataClient.star(makePost('1', 1), true);
    await dataClient.refresh();
    expect(dataClient.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 2 });
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 -:3');
    expect(dataClient.stars.get().has('1/1')).to.equal(true);
  });

  it('does not treat an error of a gateway as a response of the server', async () => {
    const server = makeServer();
    const dataClient = openDataClient(server, makeAccount('1'));
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = { status: 502, detail: 'Bad gateway' };
    lineupActions(dataClient).follow('3', false);
    await waitForValue(dataClient.connectivity, (connection) => connection === 'unreachable');
    expect(dataClient.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 1 });
  });

  it('keeps a restored read marker exact when it moves on', async () => {
    await storeFirstSeen('1', '1', '2', '3');
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    dataClient.markAllRead(['1', '2', '3']);
    await dataClient.refresh();
    expect(account.marks.get('1')).to.equal(5);
    dataClient.undo();
    dataClient.markRead('1', 2);
    await dataClient.refresh();
    expect(account.marks.get('1')).to.equal(2);
  });

  it('applies no change twice when its response is lost, even if another device changed the same item meanwhile', async () => {
    for (const reader of ['1', '2']) await storeFirstSeen(reader, '1', '2', '3');
    const server = makeServer();
    const account = makeAccount('1');
    const phone = openDataClient(server, account);
    await lineupOf(phone);
    phone.star(makePost('2', 2), true);
    phone.markAllRead(['1', '2', '3']);
    await phone.refresh();
    server.reachability = 'mute';
    phone.undo();
    phone.star(makePost('1', 1), true);
    phone.star(makePost('2', 2), false);
    lineupActions(phone).follow('3', false);
    await eventually(() => account.marks.get('1') === 0, 'the first of them is made');
    await phone.refresh();
    phone.close();
    // Changes are sent one at a time, so the server has not received the others.
    expect([[...account.marks.values()], [...account.stars.keys()], account.version]).to.deep.equal([[0, 5, 5], ['2/2'], 0]);
    account.marks.set('1', 4);
    server.reachability = 'up';
    const reopened = openDataClient(server, account);
    await lineupOf(reopened, '1:1 2:2 -:3');
    await isSaved(reopened);
    await reopened.refresh();
    expect([...account.marks.values()]).to.deep.equal([4, 0, 0]);
    expect([...account.stars.keys()]).to.deep.equal(['1/1']);
    expect([reopened.readMarkers.get().get('1'), account.version]).to.deep.equal([4, 1]);
  });

  it('distinguishes pending read markers from changes that the user made', async () => {
    await storeFirstSeen('1', '1', '2', '3');
    const server = makeServer();
    const dataClient = openDataClient(server, makeAccount('1'));
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.reachability = { status: 503, detail: 'Busy.' };
    dataClient.markRead('1', 3);
    expect(dataClient.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 1, onlyReadMarkers: true });
    dataClient.star(makePost('1', 1), true);
    expect(dataClient.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 2 });
    server.reachability = 'up';
    await storeFirstSeen(null, '1', '2', '3');
    const alone = openDataClient(server);
    await lineupOf(alone);
    alone.markRead('1', 3);
    expect(alone.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 1, onlyReadMarkers: true });
  });

  it('waits for the next sign-in after a 401', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient);
    await dataClient.refresh();
    server.account = null;
    lineupActions(dataClient).follow('3', false);
    await waitForValue(dataClient.session, ({ type }) => type === 'expected');
    expect(dataClient.syncStatus.get()).to.deep.equal({ type: 'waiting', count: 1 });
    await dataClient.refresh();
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 -:3');
    signIn(server, dataClient, account);
    await isSaved(dataClient);
    expect(account.version).to.equal(1);
  });

  it('ignores a response that comes after the response to a later request', async () => {
    const { server, account, dataClient, refreshing } = await startHeldRefresh();
    // Another device changes the line-up. Responses to later requests are not held.
    account.lineup = { entries: [{ channelId: '3' }, { channelId: '1' }, { channelId: '2' }] };
    server.hold('none');
    await dataClient.refresh();
    expect(ids(await lineupOf(dataClient))).to.equal('1:3 2:1 3:2');
    server.release();
    await refreshing;
    expect(ids(await lineupOf(dataClient))).to.equal('1:3 2:1 3:2');
  });

  it('ignores a response from before a change', async () => {
    const { server, dataClient, refreshing } = await startHeldRefresh();
    lineupActions(dataClient).follow('3', false);
    await isSaved(dataClient);
    server.release();
    await refreshing;
    expect(ids(await lineupOf(dataClient))).to.equal('1:1 2:2 -:3');
    await isSaved(dataClient);
  });
});

describe('sign-in', () => {
  afterEach(closeDataClients);

  it('moves the data of the anonymous user to the account once, and deletes it from the device', async () => {
    await storeFirstSeen(null, '1', '2', '3');
    const server = makeServer();
    const before = openDataClient(server);
    await lineupOf(before);
    lineupActions(before).follow('2', false);
    before.markRead('1', 4);
    before.star(makePost('3', 3), true);
    await waitUntilStored('changer-anonymous', 'star/3/3');
    await waitUntilStored('changer-anonymous', 'lineup');
    before.close();
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await lineupOf(dataClient, '1:1 2:3 -:2');
    await waitForValue(dataClient.stars, (stars) => stars.has('3/3'));
    expect(dataClient.readMarkers.get().get('1')).to.equal(4);
    await dataClient.refresh();
    dataClient.close();
    const reopened = openDataClient(server, account);
    await lineupOf(reopened, '1:1 2:3 -:2');
    await reopened.refresh();
    expect(server.requestsTo('POST /api/me/merge')).to.have.length(1);
    expect(ids(await lineupOf(openDataClient(server)))).to.equal('1:1 2:2 3:3');
  });

  it('moves the data later when it cannot be moved now', async () => {
    const server = makeServer();
    const before = openDataClient(server);
    before.star(makePost('3', 3), true);
    await waitUntilStored('changer-anonymous', 'star/3/3');
    before.close();
    server.reachability = 'down';
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await waitForValue(dataClient.connectivity, (connection) => connection === 'unreachable');
    server.reachability = 'up';
    await dataClient.refresh();
    expect([...account.stars.keys()]).to.deep.equal(['3/3']);
    expect(dataClient.stars.get().has('3/3')).to.equal(true);
  });

  it('holds the first requests until the user is known', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    account.lineup = { entries: [{ channelId: '3' }] };
    const dataClient = openDataClient(server, account, { expected: true });
    const list = dataClient.feed({});
    list.subscribe(() => {});
    dataClient.lineup.subscribe(() => {});
    await eventually(
      async () => (await indexedDB.databases()).some(({ name }) => name === 'changer-reader-1'),
      'the device is open',
    );
    expect(server.log).to.deep.equal([]);
    signIn(server, dataClient, account);
    expect(keysOf(await waitForLoaded(list))).to.have.length(5);
    await lineupOf(dataClient, '1:3 -:1 -:2');
    expect(server.requestsTo('GET /api/feed')).to.deep.equal(['GET /api/feed?limit=20']);
  });

  it('continues with public responses when sign-in fails or does not finish', async () => {
    const server = makeServer();
    const failed = openDataClient(server, makeAccount('1'), { expected: true });
    failed.signInFailed();
    expect(ids(await lineupOf(failed))).to.equal('1:1 2:2 3:3');
    const hanging = openDataClient(server, makeAccount('2'), { expected: true });
    const started = performance.now();
    expect(keysOf(await waitForLoaded(hanging.feed({})))).to.have.length(15);
    expect(performance.now() - started).to.be.at.least(1300);
  });

  it('asks the server which user owns a stored token, and does not confuse users', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    server.account = account;
    const dataClient = openDataClient(server, account, { expected: true });
    dataClient.resume();
    await waitForValue(dataClient.session, ({ type }) => type === 'signed-in');
    server.account = makeAccount('2');
    const other = openDataClient(server, account, { expected: true });
    other.resume();
    await lineupOf(other);
    expect(other.session.get()).to.deep.equal({ type: 'expected', id: '1' });
    expect(() => other.signedIn({ id: '2', name: 'B', operator: false })).to.throw('belongs to reader 1');
  });

  it('asks later which user owns a stored token when no server responded', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    server.account = account;
    server.reachability = 'down';
    const dataClient = openDataClient(server, account, { expected: true });
    dataClient.resume();
    await waitForValue(dataClient.lineup, ({ type }) => type === 'failed');
    server.reachability = 'up';
    await dataClient.refresh();
    expect(dataClient.session.get().type).to.equal('signed-in');
  });
});

describe('separation of users', () => {
  afterEach(closeDataClients);

  it('shows no data of one user to the next, and no late responses after closing', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    account.marks.set('1', 4);
    account.lineup = { entries: [{ channelId: '2' }] };
    account.stars.set('1/1', { channelId: '1', postId: 1, at: 1 });
    const first = openDataClient(server, account);
    await lineupOf(first, '1:2 -:1 -:3');
    await waitForLoaded(first.feed({}));
    await waitUntilStored('changer-reader-1', 'feed/all/');
    await waitUntilStored('changer-reader-1', 'star/1/1');
    server.hold();
    const late = first.feed({ channelIds: ['3'] });
    late.subscribe(() => {});
    await eventually(() => server.log.at(-1)?.includes('channels=3') === true, 'the late request is on its way');
    first.close();
    await eraseReaderDatabase('1');
    server.account = null;
    server.release();
    const second = openDataClient(server, makeAccount('2'), { expected: true });
    second.signInFailed();
    expect(ids(await lineupOf(second))).to.equal('1:1 2:2 3:3');
    // The second reader has their own marker: the last post that existed at the first visit.
    expect(second.readMarkers.get().get('1')).to.equal(5);
    expect(second.stars.get().size).to.equal(0);
    expect(keysOf(await waitForLoaded(second.feed({})))).to.have.length(15);
    expect(late.get().type).to.equal('loading');
    expect((await indexedDB.databases()).map(({ name }) => name)).not.to.include('changer-reader-1');
  });

  it('stores nothing and opens no database in memory mode', async () => {
    const server = makeServer();
    server.channels = [makeChannel('1')];
    const dataClient = openMemoryDataClient(server);
    await lineupOf(dataClient);
    await waitForLoaded(dataClient.feed({}));
    dataClient.markRead('1', 2);
    dataClient.star(makePost('1', 1), true);
    expect(dataClient.readMarkers.get().get('1')).to.equal(2);
    expect(await indexedDB.databases()).to.deep.equal([]);
  });
});

describe('two tabs of one user', () => {
  afterEach(closeDataClients);

  it('show the changes of each other, and do not undo them', async () => {
    await storeFirstSeen(null, '1', '2', '3');
    const server = makeServer();
    const [one, other] = [openDataClient(server), openDataClient(server)];
    for (const dataClient of [one, other]) {
      await lineupOf(dataClient);
      shareUserState(dataClient.context);
    }
    lineupActions(one).mute('2', 0);
    lineupActions(other).move('3', 1);
    one.star(makePost('1', 5), true);
    one.markRead('1', 3);
    for (const dataClient of [one, other]) {
      await lineupOf(dataClient, '1:3 2:1 3:2');
      await waitForValue(
        dataClient.lineup,
        (state) => state.type === 'loaded' && state.value.some((row) => row.muted),
        'the mute',
      );
      await waitForValue(dataClient.stars, (stars) => stars.has('1/5'), 'the star');
      await waitForValue(dataClient.readMarkers, (marks) => marks.get('1') === 3, 'the mark');
    }
    const later = openDataClient(server);
    expect((await lineupOf(later, '1:3 2:1 3:2')).map((row) => row.muted)).to.deep.equal([false, false, true]);
  });
});

describe('two devices of one user', () => {
  afterEach(closeDataClients);

  it('merge their changes per channel, report the merge, and undo it as one action', async () => {
    const server = makeServer();
    const account = makeAccount('1');
    const phone = openDataClient(server, account, { kept: createMemoryStorage() });
    const desktop = openDataClient(server, account, { kept: createMemoryStorage() });
    for (const dataClient of [phone, desktop]) await lineupOf(dataClient);
    server.reachability = 'down';
    lineupActions(phone).follow('1', false);
    lineupActions(phone).mute('2', 0);
    lineupActions(desktop).move('3', 1);
    lineupActions(desktop).mute('2', 999);
    server.reachability = 'up';
    await phone.refresh();
    await isSaved(phone);
    expect(phone.merged.get()).to.equal(null);
    await desktop.refresh();
    await isSaved(desktop);
    await phone.refresh();
    for (const dataClient of [phone, desktop]) await lineupOf(dataClient, '1:3 2:2 -:1');
    const muted = account.lineup.entries.find(({ channelId }) => channelId === '2')?.mutedUntil;
    expect(muted).to.equal(999);
    const merged = await waitForValue(desktop.merged, (notice) => notice !== null, 'the merge is told');
    merged?.undo();
    expect(desktop.merged.get()).to.equal(null);
    await lineupOf(desktop, '1:3 2:1 3:2');
    await isSaved(desktop);
    await phone.refresh();
    await lineupOf(phone, '1:3 2:1 3:2');
  });
});
