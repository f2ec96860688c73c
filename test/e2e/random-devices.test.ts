// Randomized synchronization test of two simulated devices in one process.

import { after, before, describe, it, mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataClientControl } from '../../src/data/clients/account-client.ts';
import * as deeds from '../support/random-actions.ts';
import { ACTIONS, createSerialQueue, type RandomTab, runRandomSynchronization } from '../support/random-synchronization.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { createDevice } from '../support/simulated-device.ts';

/** Number of runs, each with its own seed. See CONTRIBUTING.md. */
const SEEDS = Number(process.env.SEEDS ?? 8);
/** Timeout for sending all changes, ms. */
const SEND_TIMEOUT_MS = 60_000;

/** Creates a clock that never returns the same time twice, so that one of two actions is always the later one. */
function createClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Date.now());
    return last;
  };
}

/** Adds a replacement of the Web Locks API, by which tabs of a browser take turns. Node 20 does not have it. */
function addWebLocks(): void {
  const queues = new Map<string, ReturnType<typeof createSerialQueue>>();
  const request = (name: string, callback: () => Promise<void>) => {
    const runInTurn = queues.get(name) ?? createSerialQueue();
    queues.set(name, runInTurn);
    return runInTurn(callback);
  };
  Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
}

const tabOf = (dataClient: DataClientControl): RandomTab => ({
  act: (seed, posts) => deeds.performRandomAction(dataClient, seed, posts),
  refresh: () => dataClient.refresh(),
  sendAll: () => sendAll(dataClient),
  shown: () => deeds.shownIn(dataClient),
});

async function sendAll(dataClient: DataClientControl): Promise<void> {
  const end = Date.now() + SEND_TIMEOUT_MS;
  await dataClient.context.userState.loaded;
  do {
    await dataClient.refresh();
    await pause(5);
    if (Date.now() > end) throw new Error(`It was not all sent: ${JSON.stringify(dataClient.syncStatus.get())}`);
  } while (dataClient.syncStatus.get().type !== 'saved' || dataClient.connectivity.get() !== 'online');
}

describe(`two devices of a reader, ${ACTIONS} random actions, a network that fails and a server that is killed`, () => {
  let server: RunningServer;

  before(async () => {
    // The build defines these constants. The console is mocked, because the client is required to log each response.
    Object.assign(globalThis, { __APP__: true, __EMBEDDED__: false });
    mock.method(console, 'log', () => {});
    mock.method(console, 'error', () => {});
    addWebLocks();
    server = await startServer({ development: true, env: { BOT_TOKEN: '12345:TEST' } });
  });
  after(async () => {
    mock.restoreAll();
    await server.stop();
  });

  for (let seed = 1; seed <= SEEDS; seed++) {
    const now = createClock();
    it(`end in the state of the server, with no change lost or applied twice (seed ${seed})`, () =>
      runRandomSynchronization({
        seed,
        server,
        device: async (network, _, { user, 'Access-Token': token }) => {
          const device = createDevice({ wire: network, user, token, now });
          const { items }: { items: { id: string }[] } = await (await fetch(`${server.origin}/api/channels`)).json();
          await device.markAllPostsUnread(items.map(({ id }) => id));
          return {
            wire: network,
            get tabs() {
              return device.tabs.map(tabOf);
            },
            open: () => tabOf(device.open()),
            close: () => device.close(),
            reach(state) {
              network.state = state;
            },
            kept: async () => ({
              waiting: await device.reader.list('out/'),
              lineup: await device.reader.get('lineup'),
            }),
            named: () => [...device.named],
          };
        },
        close(device) {
          for (const _ of device.tabs) void device.close();
        },
      }));
  }
});
