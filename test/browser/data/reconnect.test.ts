// Recovery of the connection: servers that do not respond, slow servers, and retries.

import { expect } from '@open-wc/testing';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { watchReconnect } from '../../../src/data/sync/reconnect.ts';
import {
  closeDataClients,
  eventually,
  openDataClient,
  waitForFresh,
  waitForLoaded,
  waitForValue,
} from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePosts } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

const { setTimeout } = window;
let server: FakeServer;
let dataClient: DataClientControl;

lockDevice();

beforeEach(async () => {
  server = new FakeServer();
  server.channels = [makeChannel('1', { latest: { id: 5, date: 1 } })];
  server.posts = makePosts('1', 5);
  dataClient = openDataClient(server, makeAccount('1'));
  await waitForFresh(dataClient.lineup);
});
afterEach(async () => {
  Reflect.set(window, 'setTimeout', setTimeout);
  await closeDataClients();
});

const posts = () => server.requestsTo('GET /api/posts').length + server.requestsTo('GET /api/channels/1/posts').length;

describe('a server that accepts requests and sends no response', () => {
  it('counts as unreachable until it responds', async () => {
    Reflect.set(window, 'setTimeout', (callback: () => void, ms = 0) => setTimeout(callback, ms === 10_000 ? 50 : ms));
    server.hold();
    void dataClient.refresh();
    await waitForValue(dataClient.connectivity, (connection) => connection === 'unreachable');
    server.release();
    await waitForValue(dataClient.connectivity, (connection) => connection === 'online');
  });
});

describe('a server that answers some requests and leaves one open', () => {
  it('counts as online while it answers any, and as unreachable when it answers none', async () => {
    Reflect.set(window, 'setTimeout', (callback: () => void, ms = 0) => setTimeout(callback, ms === 10_000 ? 50 : ms));
    const { connection: gateway } = dataClient.context;
    const states = new Set<string>();
    const stop = gateway.connectivity.subscribe(() => states.add(gateway.connectivity.get()));
    let resolveRequest = (): void => {};
    const request = gateway.request(() => new Promise<void>((resolve) => (resolveRequest = resolve)));
    const begun = performance.now();
    while (performance.now() - begun < 300) {
      await gateway.request(async () => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect([...states]).to.deep.equal([]);
    await waitForValue(dataClient.connectivity, (connection) => connection === 'unreachable');
    resolveRequest();
    await request;
    expect(gateway.connectivity.get()).to.equal('online');
    stop();
  });
});

describe('reconnection to the server', () => {
  it('happens without user action, and loads the requested list', async () => {
    server.reachability = 'down';
    const list = dataClient.posts('1', {});
    await waitForValue(list, ({ type }) => type === 'failed', 'no data of the channel is stored');
    watchReconnect(dataClient, 20);
    const tries = server.missed.length;
    await eventually(() => server.missed.length > tries + 2, 'the server is asked again and again');
    server.reachability = 'up';
    await waitForLoaded(list);
    expect(dataClient.connectivity.get()).to.equal('online');
  });

  it('refetches the page once, whichever request notices it', async () => {
    const list = dataClient.posts('1', {});
    await waitForLoaded(list);
    watchReconnect(dataClient);
    server.reachability = 'down';
    await dataClient.refresh();
    expect(dataClient.connectivity.get()).to.equal('unreachable');
    server.reachability = 'up';
    const before = posts();
    await dataClient.context.connection.request(async () => 'the stream of events is open', true);
    await eventually(() => posts() > before, 'the posts are fetched again');
    await waitForLoaded(list);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(posts()).to.equal(before + 1);
  });
});
