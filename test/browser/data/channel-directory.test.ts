// Directory of the data layer: pages of channels, channels of the line-up, search by name, and the number of requests.

import { expect, waitUntil } from '@open-wc/testing';
import { replaceLineup } from '../../../src/data/lineup/operations.ts';
import { findChannels, loadMoreChannels } from '../../../src/data/queries/more-channels.ts';
import { closeDataClients, lineupActions, openDataClient, openMemoryDataClient, waitForFresh } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

lockDevice();

const MANY = Array.from({ length: 250 }, (_, index) => makeChannel(String(index + 1)));

describe('directory', () => {
  let server: FakeServer;
  const requests = () => server.requestsTo('GET /api/channels');
  const idsOf = (channels: readonly { id: string }[]) => channels.map(({ id }) => id);

  beforeEach(() => {
    server = new FakeServer();
    server.channels = [...MANY];
  });
  afterEach(closeDataClients);
  const loaded = async (dataClient: ReturnType<typeof openDataClient>, count: number) =>
    (await waitForFresh(dataClient.directory, (channels) => channels.length >= count)).map(({ id }) => id);

  it('requests one page for a first visit, and the next pages only when they are asked for', async () => {
    const dataClient = openMemoryDataClient(server);
    expect(await loaded(dataClient, 1)).to.deep.equal(idsOf(MANY.slice(0, 100)));
    expect(requests()).to.deep.equal(['GET /api/channels']);
    await Promise.all([loadMoreChannels(dataClient.context), loadMoreChannels(dataClient.context)]);
    expect(await loaded(dataClient, 101)).to.deep.equal(idsOf(MANY.slice(0, 200)));
    await loadMoreChannels(dataClient.context);
    await loadMoreChannels(dataClient.context);
    expect(await loaded(dataClient, 201)).to.deep.equal(idsOf(MANY));
    expect(requests().length).to.equal(3);
  });

  it('requests the channels of the line-up that no page contained in one request', async () => {
    const account = makeAccount('1');
    account.lineup = { entries: ['240', '5', '230'].map((channelId) => ({ channelId, followed: true })) };
    const dataClient = openDataClient(server, account);
    const rows = await waitForFresh(dataClient.lineup, (all) => all.filter(({ followed }) => followed).length === 3);
    expect(rows.slice(0, 3).map(({ channel }) => channel.id)).to.deep.equal(['240', '5', '230']);
    expect(requests().filter((request) => request.includes('ids='))).to.deep.equal(['GET /api/channels?ids=240,230']);
  });

  it('requests no more than 200 ids at a time', async () => {
    const account = makeAccount('1');
    server.channels = Array.from({ length: 450 }, (_, index) => makeChannel(`f-${index}`, { elsewhere: true }));
    account.lineup = { entries: server.channels.map(({ id }) => ({ channelId: id, followed: true })) };
    const dataClient = openDataClient(server, account);
    await waitForFresh(dataClient.lineup, (rows) => rows.length === 450);
    const counts = requests().flatMap(
      (request) => new URLSearchParams(request.split('?')[1]).get('ids')?.split(',').length ?? [],
    );
    expect(counts).to.deep.equal([200, 200, 50]);
  });

  it('finds channels on the server unless all are loaded, and keeps them after a refetch', async () => {
    const dataClient = openMemoryDataClient(server);
    await loaded(dataClient, 1);
    await findChannels(dataClient.context, ' channel 249 ');
    expect(await loaded(dataClient, 101)).to.include('249');
    await dataClient.refresh();
    expect(await loaded(dataClient, 101)).to.include('249');

    server.channels = MANY.slice(0, 5);
    const small = openMemoryDataClient(server);
    await loaded(small, 1);
    const before = requests().length;
    await findChannels(small.context, 'channel');
    await loadMoreChannels(small.context);
    expect(requests().length).to.equal(before);
  });

  it('follows the channels that are not loaded too when a default line-up changes for the first time', async () => {
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await loaded(dataClient, 1);
    lineupActions(dataClient).follow('5', false);
    await waitForFresh(dataClient.lineup, (rows) => rows.filter(({ followed }) => followed).length === 249);
    await waitUntil(() => account.lineup.entries.length === 250);
    expect(account.lineup.entries.filter(({ followed }) => followed === false).map(({ channelId }) => channelId)).to.deep.equal([
      '5',
    ]);
  });

  it('applies a change that replaces the line-up to the channels that are not loaded', async () => {
    const account = makeAccount('1');
    const dataClient = openDataClient(server, account);
    await loaded(dataClient, 1);
    dataClient.applyLineupOperation({ action: 'take', channelId: null }, replaceLineup(['7', '3']));
    await waitUntil(() => account.lineup.entries.length === 250);
    const followed = account.lineup.entries.filter((entry) => entry.followed !== false);
    expect(followed.map(({ channelId }) => channelId)).to.deep.equal(['7', '3']);
  });

  it('drops a shown channel that the reader may no longer read', async () => {
    const dataClient = openMemoryDataClient(server);
    await loaded(dataClient, 1);
    await findChannels(dataClient.context, 'channel 249');
    server.channels = MANY.filter(({ id }) => id !== '249');
    await dataClient.refresh();
    expect(await loaded(dataClient, 1)).not.to.include('249');
  });
});
