// Recovery of the connection: servers that do not respond, slow servers, and retries.

import { expect } from '@open-wc/testing';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { watchReconnect } from '../../../src/data/sync/reconnect.ts';
import { endAreas, eventually, fresh, loaded, openArea, until } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePosts } from './fake-server.ts';
import { ownDevice } from './own-device.ts';

const { setTimeout } = window;
let server: FakeServer;
let dataClient: DataClientControl;

ownDevice();

beforeEach(async () => {
  server = new FakeServer();
  server.channels = [makeChannel('1', { latest: { id: 5, date: 1 } })];
  server.posts = makePosts('1', 5);
  dataClient = openArea(server, makeAccount('1'));
  await fresh(dataClient.lineup);
});
afterEach(async () => {
  Reflect.set(window, 'setTimeout', setTimeout);
  await endAreas();
});

const posts = () => server.asked('GET /api/posts').length + server.asked('GET /api/channels/1/posts').length;

describe('a server that accepts requests and sends no response', () => {
  it('counts as unreachable until it responds', async () => {
    Reflect.set(window, 'setTimeout', (callback: () => void, ms = 0) => setTimeout(callback, ms === 10_000 ? 50 : ms));
    server.hold();
    void dataClient.refresh();
    await until(dataClient.connectivity, (connection) => connection === 'unreachable');
    server.release();
    await until(dataClient.connectivity, (connection) => connection === 'online');
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
    await until(dataClient.connectivity, (connection) => connection === 'unreachable');
    resolveRequest();
    await request;
    expect(gateway.connectivity.get()).to.equal('online');
    stop();
  });
});

describe('reconnection to the server', () => {
  it('happens without user action, and loads the requested list', async () => {
    server.reach = 'down';
    const list = dataClient.posts('1', {});
    await until(list, ({ type }) => type === 'failed', 'no data of the channel is stored');
    watchReconnect(dataClient, 20);
    const tries = server.missed.length;
    await eventually(() => server.missed.length > tries + 2, 'the server is asked again and again');
    server.reach = 'up';
    await loaded(list);
    expect(dataClient.connectivity.get()).to.equal('online');
  });

  it('refetches the page once, whichever request notices it', async () => {
    const list = dataClient.posts('1', {});
    await loaded(list);
    watchReconnect(dataClient);
    server.reach = 'down';
    await dataClient.refresh();
    expect(dataClient.connectivity.get()).to.equal('unreachable');
    server.reach = 'up';
    const before = posts();
    await dataClient.context.connection.request(async () => 'the stream of events is open', true);
    await eventually(() => posts() > before, 'the posts are fetched again');
    await loaded(list);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(posts()).to.equal(before + 1);
  });
});
