// Maintenance of offline data: when its downloads start.

import { expect } from '@open-wc/testing';
import { startMaintenance } from '../../../src/data/background/maintenance.ts';
import { whenIdle } from '../../../src/lib/when-idle.ts';
import { closeDataClients, openDataClient, waitForFresh } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePosts } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

lockDevice();

describe('maintenance', () => {
  const { locks } = navigator;
  const { request } = locks;
  let server: FakeServer;
  let controller: AbortController;
  /** Runs that have begun, and those that are complete. Each run takes a lock. */
  let [begun, complete] = [0, 0];

  beforeEach(() => {
    server = new FakeServer();
    server.channels = [makeChannel('1', { latest: { id: 30, date: 1 } })];
    server.posts = makePosts('1', 30);
    controller = new AbortController();
    [begun, complete] = [0, 0];
    locks.request = async (name: string, ...options: unknown[]) => {
      if (name === 'changer-upkeep') begun += 1;
      const result = await Reflect.apply(request, locks, [name, ...options]);
      if (name === 'changer-upkeep') complete += 1;
      return result;
    };
  });
  afterEach(async () => {
    controller.abort();
    locks.request = request;
    Reflect.deleteProperty(document, 'readyState');
    Reflect.deleteProperty(navigator, 'connection');
    await closeDataClients();
  });

  async function start(): Promise<void> {
    const dataClient = openDataClient(server, makeAccount('1'));
    await waitForFresh(dataClient.lineup);
    startMaintenance(dataClient, controller.signal, 0);
  }
  const until = async (check: () => boolean): Promise<void> => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const prefetches = (): string[] => server.log.filter((line) => line.includes('/posts?limit=100'));

  it('prefetches posts', async () => {
    await start();
    await until(() => complete > 0);
    expect(prefetches()).to.have.length(1);
  });

  it('prefetches nothing for a reader who saves data', async () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    await start();
    await until(() => complete > 0);
    expect(prefetches()).to.deep.equal([]);
  });

  it('waits for the load event', async () => {
    Object.defineProperty(document, 'readyState', { value: 'interactive', configurable: true });
    await start();
    await whenIdle();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await whenIdle();
    expect(begun).to.equal(0);
    window.dispatchEvent(new Event('load'));
    await until(() => complete > 0);
    expect(prefetches()).to.have.length(1);
  });
});
