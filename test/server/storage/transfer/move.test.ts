// Migration of a store from one database engine to the other.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { createFolderMediaStore } from '../../../../server/media/folder-media-store.ts';
import { seedDemo } from '../../../../server/sources/demo.ts';
import { openEngine, openStore, type StoreLocation } from '../../../../server/storage/open.ts';
import type { Store } from '../../../../server/storage/ports/store.ts';
import type { Engine } from '../../../../server/storage/sql/engine.ts';
import { moveStore } from '../../../../server/storage/transfer/move-store.ts';
import { noPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts';
import { ALL, channel, message, photo } from '../conformance.ts';

const QUERIES = ['новости', 'the', 'city', 'bridge', 'مدينة', '#news', 'tr', 'photo', 'album'];

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'changer-move-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Stores the posts of the demo, and some data of every kind that a reader, an operator and a bot create. */
const fill = async (store: Store, dataDir: string): Promise<void> => {
  await seedDemo(store, createFolderMediaStore(dataDir), resolve(import.meta.dirname, '../../../../demo'));
  await store.putChannel(channel('1', { username: 'one', private: true }));
  await store.putMessages([
    message('1', 1, {
      text: 'an album of the city',
      albumId: 'e1',
      media: [photo(1)],
      source: 'bot',
      sequence: 3,
      raw: '{"a":"\u0000"}',
    }),
    message('1', 2, { albumId: 'e1', media: [photo(2)] }),
    message('1', 9, { text: 'a gap before it\u0000, and a NUL', reply: { id: 1 } }),
  ]);
  await store.hidePost('1', 9, 77);
  await store.putNewestPin('1', 1, 5);
  await store.appendAuditEntry({ at: 5, actorId: '7', act: 'hide', channelId: '1' });
  await store.putReader({ id: '7', name: 'Reader', language: 'ar' });
  await store.putSession({ tokenHash: 'ab', readerId: '7', expires: 4_000_000_000 });
  await store.putLineup('7', { entries: [{ channelId: '1' }] }, 'k1');
  await store.putReadMarker('7', { channelId: '1', messageId: 2 }, false, 'k2');
  await store.putStar('7', { channelId: '1', postId: 1, at: 9 }, 'k3');
  await store.putKeptUnread('7', '1', 2, ALL, 'k4');
  await store.recordMembership(
    { channelId: '5', title: 'Five', username: null, at: 3, sequence: 4, by: '7', rights: ['post'] },
    true,
  );
  await store.recordBotRights('5', null);
};

/** Returns everything that readers see in a store, and their search results. */
const seen = async (location: StoreLocation): Promise<object> => {
  const store = await openStore(location);
  try {
    return {
      channels: await store.channels(ALL),
      posts: await store.posts({ limit: 1000 }, ALL),
      hidden: await store.hiddenPosts('1', 10),
      found: await Promise.all(
        QUERIES.map(async (match) =>
          (await store.posts({ limit: 1000, match }, ALL)).map(({ channelId, id }) => [channelId, id]),
        ),
      ),
      reader: [
        await store.reader('7'),
        await store.lineup('7'),
        await store.readMarkers('7'),
        await store.stars('7', null, 10),
        await store.keptUnread('7'),
      ],
      acts: await store.auditEntries({ limit: 10 }),
      connections: await store.connections(),
      last: await store.lastEventId(),
      bytes: await store.storedBytes(),
    };
  } finally {
    await store.close();
  }
};

type Change = (engine: Engine) => Engine;
const unchanged: Change = (engine) => engine;

/** Causes an engine to fail after this many writes. */
const breaksAfter =
  (writes: number): Change =>
  (engine) => ({
    ...engine,
    write: (work, readerId) => (writes-- > 0 ? engine.write(work, readerId) : Promise.reject(new Error('The power is cut.'))),
  });

const move = async (from: StoreLocation, to: StoreLocation, { source = unchanged, target = unchanged } = {}) => {
  const [fromEngine, toEngine] = [source((await openEngine(from)).engine), target((await openEngine(to)).engine)];
  try {
    return await moveStore({ from: fromEngine, to: toEngine, postgres: from.databaseUrl ? fromEngine : toEngine });
  } finally {
    await Promise.all([fromEngine.close(), toEngine.close()]);
  }
};

describe('the move of a store', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: false });
  });
  after(() => server.stop());

  it('copies all data and search results to PostgreSQL and back to SQLite, and resumes after an interruption', async (t) => {
    const [from, to, back] = [
      { dataDir: folderOf(t) },
      { dataDir: '', databaseUrl: await server.database() },
      { dataDir: folderOf(t) },
    ];
    const store = await openStore(from);
    await fill(store, from.dataDir);
    await store.close();
    const expected = await seen(from);

    for (const writes of [2, 5, 3]) {
      await assert.rejects(move(from, to, { target: breaksAfter(writes) }), /The power is cut/);
      await assert.rejects(openStore(to), /store is incomplete/);
    }
    const moved = await move(from, to);
    assert.ok(
      moved.some(({ writtenCount, equalCount }) => writtenCount < equalCount),
      'rows that were written before are not written again',
    );
    assert.deepEqual(await seen(to), expected);

    const target = await openStore(to);
    await target.putChannel(channel('2'));
    await target.putMessages([message('2', 1, { text: 'written after', source: 'bot' })]);
    assert.equal((await target.channels(ALL)).at(-1)?.id, '2', 'an added channel comes last');
    await target.close();
    const changed = await seen(to);
    await move(to, back);
    assert.deepEqual(await seen(back), changed);
  });

  it('is rejected if the target is not empty or has an unfinished move of another store', async (t) => {
    const [one, other] = [{ dataDir: folderOf(t) }, { dataDir: folderOf(t) }];
    const to = { dataDir: '', databaseUrl: await server.database() };
    for (const location of [one, other]) {
      const store = await openStore(location);
      await store.putChannel(channel('1'));
      await store.close();
    }
    await assert.rejects(move(one, to, { target: breaksAfter(2) }), /The power is cut/);
    await assert.rejects(move(other, to), /unfinished move of another store/);
    await move(one, to);
    await assert.rejects(move(other, to), /target is not empty/);
  });

  it('blocks all writes to the source until it ends, but no reads', async (t) => {
    const location = { dataDir: '', databaseUrl: await server.database() };
    const { engine } = await openEngine(location);
    const store = await openStore(location);
    const unblock = await engine.blockWrites();
    const order: string[] = [];
    const writing = store.putChannel(channel('1')).then(() => order.push('written'));
    assert.deepEqual(await store.channels(ALL), [], 'reads are not blocked');
    order.push('let go');
    await unblock();
    await writing;
    assert.deepEqual(order, ['let go', 'written']);
    t.after(() => Promise.all([engine.close(), store.close()]));
  });

  it('fails if the connection that blocks writes was lost, because others could write since then', async (t) => {
    const location = { dataDir: '', databaseUrl: await server.database() };
    const [{ engine }, store] = [await openEngine(location), await openStore(location)];
    t.after(() => Promise.all([engine.close(), store.close()]));
    const unblock = await engine.blockWrites();
    await server.terminateIdleTransactions(location.databaseUrl);
    await store.putChannel(channel('1'));
    await assert.rejects(unblock(), { code: 'CONNECTION_CLOSED' });
  });

  it('leaves the target incomplete if others could have written to the source', async (t) => {
    const [from, to] = [{ dataDir: '', databaseUrl: await server.database() }, { dataDir: folderOf(t) }];
    const store = await openStore(from);
    await store.putChannel(channel('1'));
    await store.close();
    const losesConnection = (engine: Engine): Engine => ({
      ...engine,
      blockWrites: async () => {
        const unblock = await engine.blockWrites();
        await server.terminateIdleTransactions(from.databaseUrl);
        return unblock;
      },
    });
    await assert.rejects(move(from, to, { source: losesConnection }), /was lost, .* run the move again\.$/);
    await assert.rejects(openStore(to), /store is incomplete/);
    await move(from, to);
    assert.equal((await openStore(to).then((opened) => opened.channels(ALL).finally(() => opened.close()))).length, 1);
  });

  it('must start again if the source changed after an interruption', async (t) => {
    const changes: ((store: Store) => Promise<unknown>)[] = [
      (store) => store.putMessages([message('1', 1, { text: 'edited', modifiedAt: 9999 })]),
      async (store) => {
        await store.putChannel(channel('0'));
        await store.putMessages([message('0', 1)]);
      },
    ];
    for (const change of changes) {
      const [from, to] = [{ dataDir: folderOf(t) }, { dataDir: '', databaseUrl: await server.database() }];
      const store = await openStore(from);
      await store.putChannel(channel('1'));
      await store.putMessages([message('1', 1, { text: 'as it was' })]);
      await assert.rejects(move(from, to, { target: breaksAfter(5) }), /The power is cut/);
      await change(store);
      await store.close();
      await assert.rejects(move(from, to), /changed after .*: empty .* and start again\.$/);
    }
  });
});
