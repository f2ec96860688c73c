// Randomized synchronization test of two simulated devices in one process.

import { after, before, describe, it, mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataClientControl } from '../../src/data/clients/account-client.ts';
import * as deeds from '../support/random-actions.ts';
import { ACTIONS, createTurns, type RandomTab, runAtRandom } from '../support/random-synchronization.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { createDevice } from '../support/simulated-device.ts';

/** Number of runs, each with its own seed. See CONTRIBUTING.md. */
const SEEDS = Number(process.env.SEEDS ?? 8);
/** Timeout for sending all changes, ms. */
const PATIENCE = 60_000;

/** Creates a clock that never returns the same time twice, so that one of two actions is always the later one. */
function createClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Date.now());
    return last;
  };
}

/** Adds a replacement of the Web Locks API, by which tabs of a browser take turns. Node 20 does not have it. */
function bringLocks(): void {
  const turns = new Map<string, ReturnType<typeof createTurns>>();
  const request = (name: string, work: () => Promise<void>) => {
    const turn = turns.get(name) ?? createTurns();
    turns.set(name, turn);
    return turn(work);
  };
  Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
}

const tabOf = (area: DataClientControl): RandomTab => ({
  act: (seed, posts) => deeds.act(area, seed, posts),
  refresh: () => area.refresh(),
  sendAll: () => sendAll(area),
  shown: () => deeds.shownIn(area),
});

async function sendAll(area: DataClientControl): Promise<void> {
  const end = Date.now() + PATIENCE;
  await area.context.userState.loaded;
  do {
    await area.refresh();
    await pause(5);
    if (Date.now() > end) throw new Error(`It was not all sent: ${JSON.stringify(area.syncStatus.get())}`);
  } while (area.syncStatus.get().type !== 'saved' || area.connectivity.get() !== 'online');
}

describe(`two devices of a reader, ${ACTIONS} random actions, a network that fails and a server that is killed`, () => {
  let server: RunningServer;

  before(async () => {
    // The build defines this constant. The console is mocked, because the client is required to log each response.
    Reflect.set(globalThis, '__EMBEDDED__', false);
    mock.method(console, 'log', () => {});
    mock.method(console, 'error', () => {});
    bringLocks();
    server = await startServer({ development: true, env: { BOT_TOKEN: '12345:TEST' } });
  });
  after(async () => {
    mock.restoreAll();
    await server.stop();
  });

  for (let seed = 1; seed <= SEEDS; seed++) {
    const now = createClock();
    it(`end in the state of the server, with no change lost or applied twice (seed ${seed})`, () =>
      runAtRandom({
        seed,
        server,
        device: async (wire, _, { user, 'Access-Token': token }) => {
          const device = createDevice({ wire, user, token, now });
          const { items }: { items: { id: string }[] } = await (await fetch(`${server.origin}/api/channels`)).json();
          await device.knowFromTheStart(items.map(({ id }) => id));
          return {
            wire,
            get tabs() {
              return device.tabs.map(tabOf);
            },
            open: () => tabOf(device.open()),
            close: () => device.close(),
            reach(state) {
              wire.state = state;
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
