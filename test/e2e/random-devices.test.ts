import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { SignIn } from '../../contract/api.ts';
import type { LineupContents } from '../../contract/lineup.ts';
import type { Post } from '../../contract/post.ts';
import * as arrange from '../../src/channels/arrange.ts';
import type { ChannelsArea } from '../../src/channels/create.ts';
import { createDevice, type LastingDevice } from '../support/lasting-device.ts';
import { openWire } from '../support/lossy-wire.ts';
import { type Account, createMadeOnce } from '../support/made-once.ts';
import { seeded } from '../support/seeded.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** How many runs, each of its own seed; see CONTRIBUTING.md. */
const SEEDS = Number(process.env.SEEDS ?? 8);
const ACTIONS = 200;
/** How long it may take until all is sent, ms. */
const PATIENCE = 60_000;

type Random = (below: number) => number;
const one = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[random(items.length)];

/** Times that no two calls share, so that of two acts one is the later. */
function createClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Date.now());
    return last;
  };
}

/** Runs one after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** Tabs of browsers take turns by locks, which Node 20 does not have. */
function bringLocks(): void {
  const turns = new Map<string, ReturnType<typeof createTurns>>();
  const request = (name: string, work: () => Promise<void>) => {
    const turn = turns.get(name) ?? createTurns();
    turns.set(name, turn);
    return turn(work);
  };
  Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
}

const lineupOf = (tab: ChannelsArea): LineupContents => tab.inside.state.lineup.get() ?? { entries: [] };
const starsOf = (tab: ChannelsArea): string[] => [...tab.stars.get()].toSorted();
const marksOf = (tab: ChannelsArea): Record<string, number> => Object.fromEntries([...tab.marks.get()].toSorted());

/** What the devices' reader did: what must have come of it. */
function createDeeds() {
  const touched = new Map<string, { readonly changed: number; readonly json: string }>();
  const starred = new Map<string, Map<LastingDevice, boolean>>();
  return {
    /** Does something in a tab and notes what it changed. */
    act(device: LastingDevice, tab: ChannelsArea, deed: () => void): void {
      const before = new Set(starsOf(tab));
      deed();
      const now = new Set(starsOf(tab));
      for (const key of new Set([...before, ...now]))
        if (before.has(key) !== now.has(key)) starred.set(key, (starred.get(key) ?? new Map()).set(device, now.has(key)));
      const { entries, presets = [] } = lineupOf(tab);
      for (const item of [...entries, ...presets]) {
        const name = 'id' in item ? `preset ${item.id}` : `channel ${item.channelId}`;
        const { changed = 0 } = item;
        if (changed > (touched.get(name)?.changed ?? 0)) touched.set(name, { changed, json: sorted(item) });
      }
    },
    /** Each entry and preset is as it was touched last; a star is as a device left it last. */
    check({ lineup, stars }: Account): void {
      const held = [...lineup.entries, ...(lineup.presets ?? [])].map(sorted);
      for (const [name, { json }] of touched) assert.ok(held.includes(json), `${name} should be ${json} in ${held.join(' ')}`);
      for (const [key, lasts] of starred) {
        const wanted = [...lasts.values()];
        assert.ok(
          wanted.includes(stars.includes(key)),
          `${key} should be ${wanted.map((is) => (is ? 'starred' : 'bare')).join(' or ')}`,
        );
      }
    },
  };
}

const sorted = (item: object): string => JSON.stringify(Object.fromEntries(Object.entries(item).toSorted()));

/** Something that a reader may do in a tab. */
function deedOf(random: Random, tab: ChannelsArea, posts: readonly Post[]): () => void {
  const rows = tab.lineup.get();
  const ids = rows.type === 'loaded' ? rows.value.map(({ channel }) => channel.id) : [];
  const shown = rows.type === 'loaded' ? rows.value.flatMap((row) => (row.followed ? row.channel.id : [])) : [];
  const [id = '', other = ''] = [one(random, ids), one(random, ids)];
  const [post, preset, number] = [one(random, posts), `p${random(3)}`, 1 + random(6)];
  if (id === '' || post === undefined) return () => {};
  const change =
    (done: Parameters<ChannelsArea['arrange']>[0]['act'], arrangement: Parameters<ChannelsArea['arrange']>[1]) => () => {
      tab.arrange({ act: done, channelId: id }, arrangement);
    };
  const deeds: (() => void)[] = [
    change('follow', arrange.follow([id], true)),
    change('unfollow', arrange.follow([id], false)),
    change('mute', arrange.mute([id, other], 0)),
    change('unmute', arrange.mute([id], null)),
    change('mute-words', arrange.muteWords(id, ['news', 'cup'].slice(random(3)))),
    change('move', arrange.move(shown, [id], number)),
    change('move', arrange.move(shown, [other, id], number)),
    change('preset', arrange.keepPreset({ id: preset, name: `Name ${number}`, channelIds: [id] })),
    change('preset', arrange.removePreset(preset)),
    change('take', arrange.take([other, id].slice(id === other ? 1 : 0))),
    () => tab.star(post, true),
    () => tab.star(post, true),
    () => tab.star(post, false),
    () => tab.star(post, false),
    () => tab.markRead(post.channelId, post.id),
    () => tab.markRead(post.channelId, post.id - 3),
    () => void tab.markAllRead([id, other]),
    () => tab.undo(),
    () => tab.merged.get()?.undo(),
  ];
  return one(random, deeds) ?? (() => {});
}

describe(`two devices of a reader, ${ACTIONS} random actions, a network that is cut and a server that is killed`, () => {
  let server: RunningServer;
  let posts: Post[] = [];

  before(async () => {
    // What the build puts in place of it; and the client logs each response, as the specification has it.
    Reflect.set(globalThis, '__EMBEDDED__', false);
    mock.method(console, 'log', () => {});
    mock.method(console, 'error', () => {});
    bringLocks();
    server = await startServer({ development: true, env: { BOT_TOKEN: '12345:TEST' } });
    posts = await ask('/api/feed?limit=40').then(({ items }) => items);
  });
  after(async () => {
    mock.restoreAll();
    await server.stop();
  });

  async function ask(path: string, token?: string) {
    return (await fetch(server.origin + path, { headers: token === undefined ? {} : { 'Access-Token': token } })).json();
  }
  async function signIn(id: number): Promise<SignIn> {
    const initData = await (await fetch(`${server.origin}/dev/launch-data?user=${id}`)).text();
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ initData });
    return (await fetch(`${server.origin}/api/telegram/auth/webapp`, { method: 'POST', headers, body })).json();
  }
  async function held(token: string): Promise<Account> {
    const [lineup, marks, stars] = await Promise.all(
      ['lineup', 'marks', 'stars?limit=100'].map((of) => ask(`/api/${of}`, token)),
    );
    return {
      lineup,
      marks: Object.fromEntries(
        marks.items.map((mark: { channelId: string; messageId: number }) => [mark.channelId, mark.messageId]),
      ),
      stars: stars.items.map((star: { channelId: string; postId: number }) => `${star.channelId}/${star.postId}`).toSorted(),
    };
  }

  async function run(seed: number, devices: LastingDevice[]): Promise<void> {
    const random = seeded(seed);
    const [now, alone, madeOnce, deeds] = [createClock(), createTurns(), createMadeOnce(), createDeeds()];
    const reader = 1000 + seed;
    let toKill = 0;
    let restarting: Promise<void> = Promise.resolve();
    /** Kills the server while a write is on its way: before, after or amid it. */
    function onWrite(): void {
      if (toKill === 0) return;
      toKill = 0;
      const later = pause(random(4));
      restarting = restarting.then(async () => {
        await later;
        await server.halt('SIGKILL');
        await server.resume();
      });
    }
    for (const index of [1, 2]) {
      const { user, 'Access-Token': token } = await signIn(reader);
      const wire = await openWire({
        origin: server.origin,
        random: seeded(seed * 10 + index),
        alone,
        onWrite,
        onSent: madeOnce.sent,
      });
      devices.push(createDevice({ wire, user, token, now }));
    }
    const { 'Access-Token': token } = await signIn(reader);

    for (let action = 0; action < ACTIONS; action++) {
      const device = one(random, devices);
      if (device === undefined) return;
      const [choice, tab] = [random(40), one(random, device.tabs) ?? device.open()];
      if (choice < 2) device.wire.state = device.wire.state === 'cut' ? 'lossy' : 'cut';
      else if (choice === 2) device.close();
      else if (choice === 3 && device.tabs.length < 2) device.open();
      else if (choice === 4) void tab.refresh();
      else if (choice === 5 && action % 4 === 0) toKill = 1;
      else deeds.act(device, tab, deedOf(random, tab, posts));
      // As long as a hand takes from one act to the next is long for a computer; sometimes answers come in between.
      await (random(3) === 0 ? pause(random(12)) : breathe());
    }

    await restarting;
    toKill = 0;
    for (const { wire } of devices) wire.state = 'sound';
    for (const device of devices) {
      while (device.tabs.length > 0) device.close();
      await sendAll(device.open());
    }
    for (const { tabs } of devices) await tabs[0]?.refresh();
    const account = await held(token);
    for (const { tabs, reader: kept } of devices) {
      const [tab] = tabs;
      assert.ok(tab);
      assert.deepEqual({ ...lineupOf(tab), version: account.lineup.version }, account.lineup);
      assert.deepEqual([marksOf(tab), starsOf(tab)], [account.marks, account.stars]);
      assert.deepEqual(await kept.list('out/'), []);
      assert.deepEqual(await kept.get('lineup'), account.lineup);
    }
    const waited = devices.flatMap(({ named }) => [...named]);
    assert.deepEqual(
      [...madeOnce.named].filter((name) => !waited.includes(name)),
      [],
      'each change is sent under its one name',
    );
    deeds.check(account);
    const reckoned = madeOnce.accounts();
    assert.ok(
      reckoned.some((wanted) => same(wanted, account)),
      `the server holds ${JSON.stringify(account)}, and should hold ${JSON.stringify(reckoned[0])}`,
    );
  }

  for (let seed = 1; seed <= SEEDS; seed++)
    it(`agree with the server in the end, nothing lost and nothing made twice (seed ${seed})`, async () => {
      const devices: LastingDevice[] = [];
      try {
        await run(seed, devices);
      } finally {
        for (const { tabs, wire } of devices) {
          for (const tab of tabs) tab.close();
          await wire.close();
        }
      }
    });
});

async function sendAll(tab: ChannelsArea): Promise<void> {
  const end = Date.now() + PATIENCE;
  await tab.inside.state.loaded;
  do {
    await tab.refresh();
    await pause(5);
    if (Date.now() > end) throw new Error(`It was not all sent: ${JSON.stringify(tab.saving.get())}`);
  } while (tab.saving.get().type !== 'saved' || tab.connection.get() !== 'online');
}

function same(one: Account, other: Account): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
