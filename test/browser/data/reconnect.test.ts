// Recovery of the connection: servers that do not respond, slow servers, and retries.

import { expect } from '@open-wc/testing';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { watchReconnect } from '../../../src/data/sync/reconnect.ts';
import { endAreas, eventually, fresh, loaded, openArea, until } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePosts } from './fake-server.ts';
import { ownDevice } from './own-device.ts';

const { setTimeout } = window;
let server: FakeServer;
let area: DataClientControl;

ownDevice();

beforeEach(async () => {
  server = new FakeServer();
  server.channels = [makeChannel('1', { latest: { id: 5, date: 1 } })];
  server.posts = makePosts('1', 5);
  area = openArea(server, makeAccount('1'));
  await fresh(area.lineup);
});
afterEach(async () => {
  Reflect.set(window, 'setTimeout', setTimeout);
  await endAreas();
});

const posts = () => server.asked('GET /api/posts').length + server.asked('GET /api/channels/1/posts').length;

describe('a server that accepts requests and sends no response', () => {
  it('counts as unreachable until it responds', async () => {
    Reflect.set(window, 'setTimeout', (run: () => void, ms = 0) => setTimeout(run, ms === 10_000 ? 50 : ms));
    server.hold();
    void area.refresh();
    await until(area.connectivity, (connection) => connection === 'unreachable');
    server.release();
    await until(area.connectivity, (connection) => connection === 'online');
  });
});

describe('a server that answers some requests and leaves one open', () => {
  it('counts as online while it answers any, and as unreachable when it answers none', async () => {
    Reflect.set(window, 'setTimeout', (run: () => void, ms = 0) => setTimeout(run, ms === 10_000 ? 50 : ms));
    const { connection: link } = area.context;
    const seen = new Set<string>();
    const stop = link.connectivity.subscribe(() => seen.add(link.connectivity.get()));
    let answer = (): void => {};
    const waiting = link.request(() => new Promise<void>((resolve) => (answer = resolve)));
    const begun = performance.now();
    while (performance.now() - begun < 300) {
      await link.request(async () => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect([...seen]).to.deep.equal([]);
    await until(area.connectivity, (connection) => connection === 'unreachable');
    answer();
    await waiting;
    expect(link.connectivity.get()).to.equal('online');
    stop();
  });
});

describe('reconnection to the server', () => {
  it('happens without user action, and loads the requested list', async () => {
    server.reach = 'down';
    const list = area.posts('1', {});
    await until(list, ({ type }) => type === 'failed', 'no data of the channel is stored');
    watchReconnect(area, 20);
    const tries = server.missed.length;
    await eventually(() => server.missed.length > tries + 2, 'the server is asked again and again');
    server.reach = 'up';
    await loaded(list);
    expect(area.connectivity.get()).to.equal('online');
  });

  it('refetches the page once, whichever request notices it', async () => {
    const list = area.posts('1', {});
    await loaded(list);
    watchReconnect(area);
    server.reach = 'down';
    await area.refresh();
    expect(area.connectivity.get()).to.equal('unreachable');
    server.reach = 'up';
    const before = posts();
    await area.context.connection.request(async () => 'the stream of events is open', true);
    await eventually(() => posts() > before, 'the posts are fetched again');
    await loaded(list);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(posts()).to.equal(before + 1);
  });
});
