// Randomized synchronization test: two devices of one reader, a network that is cut, and a server that is killed.

import assert from 'node:assert/strict';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { SignIn } from '../../contract/api.ts';
import type { Post } from '../../contract/post.ts';
import { type Account, createIdempotencyModel } from './idempotency-model.ts';
import { type LossyNetwork, openLossyNetwork } from './lossy-network.ts';
import { type ActionResult, randomItem, sorted, type TabState } from './random-actions.ts';
import { seeded } from './seeded-random.ts';
import type { RunningServer } from './server.ts';

export const ACTIONS = 200;

/** A tab of a device of the reader. */
export interface RandomTab {
  /** Performs the action that the seed selects. */
  act(seed: number, posts: readonly Post[]): ActionResult | Promise<ActionResult>;
  refresh(): void | Promise<void>;
  /** Resolves when the outbox is empty and the state of the server is loaded. */
  sendAll(): Promise<void>;
  shown(): TabState | Promise<TabState>;
}

/** A device of a reader. Its tabs share a store, which remains when they are closed. */
export interface RandomDevice {
  readonly wire: LossyNetwork;
  readonly tabs: readonly RandomTab[];
  open(): RandomTab | Promise<RandomTab>;
  /** Closes the last tab. */
  close(): void | Promise<void>;
  /** Cuts or restores the network. */
  reach(state: LossyNetwork['state']): void | Promise<void>;
  /** Returns the stored data of the device: the changes in the outbox, and the line-up. */
  kept(): Promise<{ readonly waiting: readonly unknown[]; readonly lineup: unknown }>;
  /** Returns the ids of all changes that were ever in the outbox of this device. */
  named(): readonly string[] | Promise<readonly string[]>;
}

export interface RunOptions {
  readonly seed: number;
  readonly server: RunningServer;
  /** Opens a device of the reader behind a wire. */
  device(wire: LossyNetwork, reader: number, signIn: SignIn): RandomDevice | Promise<RandomDevice>;
  /** Called at the end, also after a failure. */
  close(device: RandomDevice): void | Promise<void>;
}

/** Signs a reader in. */
async function signIn(origin: string, id: number): Promise<SignIn> {
  const initData = await (await fetch(`${origin}/dev/launch-data?user=${id}`)).text();
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ initData });
  return (await fetch(`${origin}/api/telegram/auth/webapp`, { method: 'POST', headers, body })).json();
}

/** Requests the data of a reader from the server. */
async function readAccount(origin: string, token: string): Promise<Account> {
  const [lineup, marks, stars] = await Promise.all(
    ['lineup', 'marks', 'stars?limit=100'].map(async (of) =>
      (await fetch(`${origin}/api/${of}`, { headers: { 'Access-Token': token } })).json(),
    ),
  );
  return {
    lineup,
    marks: Object.fromEntries(
      marks.items.map((mark: { channelId: string; messageId: number }) => [mark.channelId, mark.messageId]),
    ),
    stars: stars.items.map((star: { channelId: string; postId: number }) => `${star.channelId}/${star.postId}`).toSorted(),
  };
}

/**
 * Lets two devices of one reader perform random actions while the network is cut and the server is killed. Then checks the
 * resulting state.
 */
export async function runRandomSynchronization({ seed, server, device: open, close }: RunOptions): Promise<void> {
  const random = seeded(seed);
  const [alone, model, actionLog] = [createSerialQueue(), createIdempotencyModel(), createActionLog()];
  const devices: RandomDevice[] = [];
  const { items: posts }: { items: Post[] } = await (await fetch(`${server.origin}/api/feed?limit=40`)).json();
  let killOnWrite = false;
  let restarting: Promise<void> = Promise.resolve();
  /** Kills the server while a write is in progress: before, during or after it. */
  function onWrite(): void {
    if (!killOnWrite) return;
    killOnWrite = false;
    const later = pause(random(4));
    restarting = restarting.then(async () => {
      await later;
      await server.halt('SIGKILL');
      await server.resume();
    });
  }
  try {
    for (const index of [1, 2]) {
      const signedIn = await signIn(server.origin, 1000 + seed);
      const deviceRandom = seeded(seed * 10 + index);
      const wire = await openLossyNetwork({ origin: server.origin, random: deviceRandom, alone, onWrite, onSent: model.sent });
      devices.push(await open(wire, 1000 + seed, signedIn));
    }
    const { 'Access-Token': token } = await signIn(server.origin, 1000 + seed);

    for (let action = 0; action < ACTIONS; action++) {
      const device = randomItem(random, devices);
      assert.ok(device);
      const [choice, tab] = [random(40), randomItem(random, device.tabs) ?? (await device.open())];
      if (choice < 2) await device.reach(device.wire.state === 'cut' ? 'lossy' : 'cut');
      else if (choice === 2) await device.close();
      else if (choice === 3 && device.tabs.length < 2) await device.open();
      else if (choice === 4) void tab.refresh();
      else if (choice === 5 && action % 4 === 0) killOnWrite = true;
      else actionLog.note(device, await tab.act(random(2 ** 31), posts));
      // The pause between two actions of a person is long for a computer. Sometimes responses arrive in between.
      await (random(3) === 0 ? pause(random(12)) : breathe());
    }

    killOnWrite = false;
    await restarting;
    for (const device of devices) {
      await device.reach('sound');
      while (device.tabs.length > 0) await device.close();
      await (await device.open()).sendAll();
    }
    for (const { tabs } of devices) await tabs[0]?.sendAll();
    const account = await readAccount(server.origin, token);
    for (const device of devices) {
      const shown = await device.tabs[0]?.shown();
      assert.ok(shown);
      assert.deepEqual({ ...shown.lineup, version: account.lineup.version }, account.lineup);
      assert.deepEqual([shown.marks, shown.stars], [account.marks, account.stars]);
      assert.deepEqual(await device.kept(), { waiting: [], lineup: account.lineup });
    }
    const outboxIds = (await Promise.all(devices.map((device) => device.named()))).flat();
    assert.deepEqual(
      [...model.changeIds].filter((name) => !outboxIds.includes(name)),
      [],
      'each change is sent under its one name',
    );
    actionLog.check(account);
    const possibleAccounts = model.accounts();
    assert.ok(
      possibleAccounts.some((candidate) => isEqual(candidate, account)),
      `the server holds ${JSON.stringify(account)}, and should hold ${JSON.stringify(possibleAccounts[0])}`,
    );
  } finally {
    await restarting;
    for (const device of devices) {
      await close(device);
      await device.wire.close();
    }
  }
}

/** Returns a function that runs tasks one after the other. */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** Records the actions of the reader on all devices, with their expected result. */
function createActionLog() {
  const lastChanges = new Map<string, { readonly changed: number; readonly json: string }>();
  const starred = new Map<string, Map<RandomDevice, boolean>>();
  return {
    /** Records the changes of an action on a device. */
    note(device: RandomDevice, { items, stars }: ActionResult): void {
      for (const [key, isStarred] of stars) starred.set(key, (starred.get(key) ?? new Map()).set(device, isStarred));
      for (const { name, changed, json } of items)
        if (changed > (lastChanges.get(name)?.changed ?? 0)) lastChanges.set(name, { changed, json });
    },
    /**
     * Checks that each entry and preset has the value of its last change, and that a star has the last value of one of the
     * devices.
     */
    check({ lineup, stars }: Account): void {
      const actual = [...lineup.entries, ...(lineup.presets ?? [])].map(sorted);
      for (const [name, { json }] of lastChanges)
        assert.ok(actual.includes(json), `${name} should be ${json} in ${actual.join(' ')}`);
      for (const [key, lasts] of starred) {
        const expected = [...lasts.values()];
        assert.ok(
          expected.includes(stars.includes(key)),
          `${key} should be ${expected.map((is) => (is ? 'starred' : 'bare')).join(' or ')}`,
        );
      }
    },
  };
}

function isEqual(one: Account, other: Account): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
