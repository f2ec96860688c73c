// Line-up: merging of versions of several devices, and idempotent changes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LineupContents, LineupEntry } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import { seeded } from '../../support/seeded-random.ts';
import { signIn, withChannels } from '../support/make-app.ts';

const entry = (channelId: string, changed: number, more: Partial<LineupEntry> = {}): LineupEntry => ({
  channelId,
  followed: true,
  changed,
  ...more,
});

/** Returns a random line-up that a device might have. No two entries were changed at the same time. */
function randomLineup(random: (below: number) => number, clock: () => number): LineupContents {
  const ids = ['1', '2', '3', '4', '5', '6'].filter(() => random(4) > 0).sort(() => random(3) - 1);
  return {
    entries: ids.map((id) => entry(id, clock(), { followed: random(2) > 0 })),
    presets: [{ id: 'p', name: `Morning ${random(9)}`, channelIds: ids.slice(0, 2), changed: clock() }],
    ordered: clock(),
  };
}

describe('mergeLineups', () => {
  it('keeps the later change of each channel, in the order of the side that was sorted last', () => {
    const phone = { entries: [entry('1', 10), entry('2', 50, { followed: false }), entry('3', 10)], ordered: 40 };
    const desktop = { entries: [entry('3', 30, { mutedUntil: 0 }), entry('2', 20), entry('1', 10)], ordered: 30 };
    const merged = { entries: [phone.entries[0], phone.entries[1], desktop.entries[0]], ordered: 40 };
    assert.deepEqual(mergeLineups(phone, desktop), merged);
    assert.deepEqual(mergeLineups(desktop, phone), merged);
  });

  it('keeps every channel and preset that only one side has, after its previous neighbour', () => {
    const stored = { entries: [entry('1', 1), entry('9', 1), entry('2', 1)], ordered: 1 };
    const sent = {
      entries: [entry('2', 2), entry('1', 2)],
      presets: [{ id: 'm', name: 'Morning', channelIds: ['1'], changed: 2 }],
      ordered: 2,
    };
    const merged = mergeLineups(stored, sent);
    assert.deepEqual(
      merged.entries.map(({ channelId }) => channelId),
      ['2', '1', '9'],
    );
    assert.deepEqual(merged.presets, sent.presets);
  });

  it('stays within the limits of a line-up, however much both sides contain', () => {
    const many = (name: string) => Array.from({ length: 800 }, (_, at) => entry(`${name}${at}`, 1));
    assert.equal(mergeLineups({ entries: many('a'), ordered: 1 }, { entries: many('b'), ordered: 2 }).entries.length, 1000);
  });

  it('does not restore a removed preset', () => {
    const preset = { id: 'm', name: 'Morning', channelIds: ['1'], changed: 1 };
    const removed = { entries: [], presets: [{ ...preset, removed: true, changed: 5 }] };
    assert.deepEqual(mergeLineups(removed, { entries: [], presets: [preset] }).presets, removed.presets);
  });

  it('returns the same result whichever side is sent, and when it is repeated', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seeded(seed);
      let now = 0;
      const clock = (): number => (now += 1 + random(5));
      const [one, other] = [randomLineup(random, clock), randomLineup(random, clock)];
      const merged = mergeLineups(one, other);
      assert.deepEqual(mergeLineups(other, one), merged, `seed ${seed}`);
      assert.deepEqual(mergeLineups(merged, other), merged, `seed ${seed}`);
      const known = new Set([...one.entries, ...other.entries].map(({ channelId }) => channelId));
      assert.equal(merged.entries.length, known.size, `seed ${seed}`);
    }
  });
});

describe('PUT /api/lineup', () => {
  async function withReader(t: Parameters<typeof withChannels>[0]) {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const put = async (payload: object) =>
      (await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload })).json();
    return { testApp, headers, put };
  }

  it('merges changes to a previous version, and otherwise replaces the line-up', async (t) => {
    const { put } = await withReader(t);
    const both = [entry('1', 1), entry('2', 1)];
    assert.deepEqual(await put({ entries: both, version: 0 }), { entries: both, version: 1 });
    const desktop = [entry('1', 1), entry('2', 9, { followed: false })];
    assert.equal((await put({ entries: desktop, version: 1 })).version, 2);
    const phone = [entry('2', 1), entry('1', 8, { mutedUntil: 0 })];
    const merged = { entries: [desktop[1], phone[1]], ordered: 7, version: 3 };
    assert.deepEqual(await put({ entries: phone, ordered: 7, version: 1 }), merged);
    assert.deepEqual(await put({ entries: both, version: 3 }), { entries: both, version: 4 });
  });

  it('returns the same result when a device sends the same body again', async (t) => {
    const { put } = await withReader(t);
    const sent = { entries: [entry('1', 5)], presets: [{ id: 'm', name: 'Work', channelIds: ['1'], changed: 5 }], version: 0 };
    const { version: _, ...first } = await put(sent);
    const { version, ...again } = await put(sent);
    assert.deepEqual([again, version], [first, 2]);
  });

  it('limits the times of a clock that runs ahead, so that they do not always win', async (t) => {
    const { testApp, put } = await withReader(t);
    const future = testApp.clock.now + 10 ** 12;
    const { entries, ordered } = await put({ entries: [entry('1', future)], ordered: future });
    assert.deepEqual([entries[0].changed, ordered], [testApp.clock.now + 60_000, testApp.clock.now + 60_000]);
  });

  it('rejects a channel or a preset that is named twice', async (t) => {
    const { put } = await withReader(t);
    assert.match((await put({ entries: [entry('1', 1), entry('1', 2)] })).detail, /contains the channel 1 twice/);
    const preset = { id: 'm', name: 'Work', channelIds: [] };
    assert.match((await put({ entries: [], presets: [preset, preset] })).detail, /contains the preset m twice/);
  });

  it('leaves muted channels out of the feed until their mute ends', async (t) => {
    const { testApp, headers, put } = await withReader(t);
    const channelsOf = async () => {
      const { items } = (await testApp.app.inject({ url: '/api/feed?limit=100', headers })).json();
      return [...new Set(items.map((post: { channelId: string }) => post.channelId))].toSorted().join();
    };
    const until = Math.floor(testApp.clock.now / 1000) + 3600;
    await put({ entries: [entry('1', 1), entry('2', 1, { mutedUntil: until })] });
    assert.equal(await channelsOf(), '1');
    testApp.clock.now += 3_601_000;
    assert.equal(await channelsOf(), '1,2');
  });
});

describe('a change that is sent again because its response was lost', () => {
  it('is applied once, even if another device changed the same item meanwhile', async (t) => {
    const testApp = await withChannels(t);
    const [phone, desktop] = [await signIn(testApp, 1), await signIn(testApp, 1)];
    type Method = 'GET' | 'PUT' | 'DELETE' | 'POST';
    const send = async (headers: object, method: Method, url: string, payload?: object) =>
      testApp.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
    const starred = async () => (await send(desktop, 'GET', '/api/stars')).json().items.length;
    const star = { ...phone, 'idempotency-key': 'star' };
    await send(star, 'PUT', '/api/stars/1/3');
    await send(desktop, 'DELETE', '/api/stars/1/3');
    assert.equal((await send(star, 'PUT', '/api/stars/1/3')).statusCode, 204);
    assert.equal(await starred(), 0);
    const back = { ...phone, 'idempotency-key': 'back' };
    await send(back, 'PUT', '/api/channels/1/read', { messageId: 1, exact: true });
    await send(desktop, 'PUT', '/api/channels/1/read', { messageId: 4 });
    const again = await send(back, 'PUT', '/api/channels/1/read', { messageId: 1, exact: true });
    assert.deepEqual(again.json(), { channelId: '1', messageId: 4 });
    const lineup = { ...phone, 'idempotency-key': 'lineup' };
    const entries = [entry('1', 5)];
    await send(lineup, 'PUT', '/api/lineup', { entries });
    await send(desktop, 'PUT', '/api/lineup', { entries: [entry('1', 5, { followed: false })] });
    const stored = (await send(lineup, 'PUT', '/api/lineup', { entries })).json();
    assert.deepEqual([stored.version, stored.entries[0].followed], [2, false]);
    const left = { entries: [], marks: [], stars: [{ channelId: '1', postId: 3, at: 5 }] };
    await send(phone, 'POST', '/api/me/merge', left);
    await send(desktop, 'DELETE', '/api/stars/1/3');
    await send(phone, 'POST', '/api/me/merge', left);
    assert.equal(await starred(), 0);
    assert.equal((await send({ ...phone, 'idempotency-key': 'k'.repeat(65) }, 'PUT', '/api/stars/1/3')).statusCode, 400);
  });
});
