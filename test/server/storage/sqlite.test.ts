// SQLite engine of the store: opening, migrations and idempotency keys.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { PostsQuery } from '../../../server/domain/model.ts';
import { openStore } from '../../../server/storage/open.ts';
import { runOnce } from '../../../server/storage/sql/idempotency.ts';
import { execute } from '../../../server/storage/sql/statements.ts';
import { openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { createOperationRunner } from '../../../server/storage/sqlite/engine.ts';
import { migrateSqlite, SQLITE_MIGRATIONS } from '../../../server/storage/sqlite/migrations.ts';
import { channel, message, photo, storeConformance } from './conformance.ts';
import { channelPageConformance } from './conformance-channels.ts';
import { feedConformance } from './conformance-feeds.ts';
import { liveConformance } from './conformance-live.ts';
import { notificationConformance } from './conformance-notifications.ts';
import { retentionConformance } from './conformance-retention.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'changer-store-'));

const openEmpty = async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir });
  const close = async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  };
  return { store, close };
};

storeConformance('SQLite', openEmpty);
channelPageConformance('SQLite', openEmpty);
liveConformance('SQLite', openEmpty);
retentionConformance('SQLite', openEmpty);
notificationConformance('SQLite', openEmpty);
feedConformance('SQLite', openEmpty);

const folderOf = (t: TestContext): string => {
  const dataDir = folder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};

describe('openStore', () => {
  it('keeps the data after a restart, and creates missing folders', async (t) => {
    const dataDir = join(folderOf(t), 'made', 'as', 'needed');
    const first = await openStore({ dataDir });
    await first.putSetting('a', '1');
    await first.close();
    const second = await openStore({ dataDir });
    assert.equal(await second.setting('a'), '1');
    await second.close();
  });

  it('reports in one sentence that the database is damaged', async (t) => {
    const dataDir = folderOf(t);
    writeFileSync(join(dataDir, 'changer.sqlite'), 'no database at all'.repeat(1000));
    await assert.rejects(
      openStore({ dataDir }),
      /^StoreOpenError: DATA_DIR: the database .*changer\.sqlite cannot be opened: the file is damaged.*\.$/,
    );
  });

  it('reports in one sentence that a newer version wrote the database', async (t) => {
    const dataDir = folderOf(t);
    await (await openStore({ dataDir })).close();
    const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    await assert.rejects(openStore({ dataDir }), /newer version of this program \(schema 999/);
  });

  it('reports in one sentence that a file is in the place of the directory', async (t) => {
    const dataDir = join(folderOf(t), 'file');
    writeFileSync(dataDir, '');
    await assert.rejects(openStore({ dataDir }), /cannot be created: there is a file where a directory should be\.$/);
  });

  it('reports in one sentence that the directory is not writable', {
    skip: process.getuid?.() === 0 ? 'root may write anywhere' : false,
  }, async (t) => {
    const dataDir = join(folderOf(t), 'closed');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o500);
    await assert.rejects(openStore({ dataDir }), /cannot be written/);
  });

  it('migrates a new database once if several callers open it at the same time', async (t) => {
    const dataDir = folderOf(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ dataDir })));
    for (const [at, store] of stores.entries()) await store.putSetting(`by ${at}`, 'here');
    for (const at of stores.keys()) assert.equal(await stores[0]?.setting(`by ${at}`), 'here');
    for (const store of stores) await store.close();
  });

  it('migrates the files of a database of the first schema', async (t) => {
    const dataDir = folderOf(t);
    const old = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
    old.exec(`${SQLITE_MIGRATIONS[0]}; PRAGMA user_version = 1`);
    old.exec(`INSERT INTO channels (id, title, source, state, private, demo, picture)
      VALUES ('1', 'One', 'export', 'live', 0, 0, '{"src":"/media/c.jpg","width":1,"height":1}')`);
    const media = [{ type: 'video', messageId: 7, src: '/media/v.mp4', poster: { src: '/media/p.jpg', width: 1, height: 1 } }];
    old
      .sql(
        `INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
         VALUES (7, '1', 7, 7, 7, 0, 0, 1, 1, 0, ?)`,
      )
      .run(JSON.stringify({ text: 'old', entities: [], reactions: [], media }));
    for (const key of ['c.jpg', 'v.mp4', 'p.jpg', 'unused.jpg'])
      old.sql("INSERT INTO media_files (key, mime, size) VALUES (?, 'image/jpeg', 1)").run(key);
    old.close();
    const store = await openStore({ dataDir });
    for (const key of ['c.jpg', 'v.mp4', 'p.jpg']) assert.equal((await store.mediaFile(key))?.private, false, key);
    assert.equal((await store.mediaFile('unused.jpg'))?.private, true);
    assert.equal((await store.post('1', 7, { privateChannels: [] }))?.text, 'old');
    await store.close();
  });

  it('finds the posts of an older version by the current index terms', async (t) => {
    const dataDir = folderOf(t);
    const path = join(dataDir, 'changer.sqlite');
    const all = { privateChannels: 'all' } as const;
    const written = await openStore({ dataDir });
    await written.putChannel(channel('1'));
    const album = [1, 2].map((id) => message('1', id, { date: 50, albumId: 'a', text: `part ${id}`, media: [photo(id)] }));
    await written.putMessages([...album, message('1', 3, { text: 'Шалом: שלום' }), message('1', 4, { text: 'hidden' })]);
    await written.hidePost('1', 4, 60);
    await written.close();
    const old = await openSqliteDatabase(path);
    const migrationIndex = SQLITE_MIGRATIONS.findIndex((migration) => migration.includes('CREATE TABLE spellings'));
    // The state before this migration: none of the later tables, and other index terms.
    old.exec(`DROP TABLE spellings; INSERT INTO words (words) VALUES ('delete-all'); INSERT INTO words (rowid, stems) SELECT id, 'old'
      FROM messages; DELETE FROM facts`);
    old.exec(SQLITE_MIGRATIONS[migrationIndex] ?? '');
    old.close();
    const store = await openStore({ dataDir });
    const found = async (query: Partial<PostsQuery>) => (await store.posts({ limit: 9, ...query }, all)).map(({ id }) => id);
    assert.deepEqual(await found({ match: 'old' }), []);
    assert.deepEqual(await found({ match: 'hidden' }), []);
    assert.deepEqual(await found({ match: 'לום' }), [3]);
    assert.deepEqual(await found({ match: 'parts 2' }), [1]);
    assert.deepEqual(await found({ kinds: ['photo'] }), [1]);
    assert.equal(await store.setting('words-to-remake'), null);
    await store.putMessages([message('1', 3, { text: 'edited', edited: 5000 })]);
    assert.deepEqual(await found({ match: 'שלום' }), []);
    await store.close();
  });

  it('removes posts without any file to show from the media of an older version', async (t) => {
    const dataDir = folderOf(t);
    const written = await openStore({ dataDir });
    await written.putChannel(channel('1'));
    const withoutFile = (id: number, albumId?: string) =>
      message('1', id, { date: 50, media: [photo(id, { missing: 'not-included' })], ...(albumId ? { albumId } : {}) });
    const withFile = message('1', 4, { date: 50, albumId: 'b', media: [photo(4, { src: '/media/a.jpg' })] });
    await written.putMessages([withoutFile(1), withoutFile(2, 'a'), withoutFile(3, 'a'), withFile, withoutFile(5, 'b')]);
    await written.close();
    const old = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
    const recount = SQLITE_MIGRATIONS.findIndex((migration) => migration.includes('media-to-recount'));
    old.exec(`UPDATE messages SET media = 1; ${SQLITE_MIGRATIONS[recount]}`);
    old.close();
    const store = await openStore({ dataDir });
    const posts = await store.posts({ limit: 9, media: true }, { privateChannels: [] });
    assert.deepEqual(
      posts.map(({ id }) => id),
      [4],
    );
    assert.equal(await store.setting('media-to-recount'), null);
    await store.close();
  });

  it('folds the names of the channels of an older version', async (t) => {
    const dataDir = folderOf(t);
    const written = await openStore({ dataDir });
    await written.putChannel(channel('1', { title: 'Новости' }));
    await written.close();
    const old = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
    old.exec("UPDATE channels SET folded = ''; INSERT INTO facts (name, value) VALUES ('channels-to-fold', '')");
    old.close();
    const store = await openStore({ dataDir });
    assert.equal((await store.channelPage({ match: 'НОВО', limit: 9 }, { privateChannels: [] })).channels.length, 1);
    assert.equal(await store.setting('channels-to-fold'), null);
    await store.close();
  });

  it('notifies a listener of the writes of another connection', async (t) => {
    const dataDir = folderOf(t);
    const [one, other] = [await openStore({ dataDir }), await openStore({ dataDir })];
    // The timer that checks for writes of another process does not keep this process alive.
    const keepAlive = setInterval(() => {}, 1000);
    const notified = new Promise<void>((resolve) => one.onChange(resolve));
    await other.appendEvent('refresh', '1');
    await notified;
    clearInterval(keepAlive);
    await one.close();
    await other.close();
  });

  it('waits for another writer instead of failing', async (t) => {
    const dataDir = folderOf(t);
    const store = await openStore({ dataDir });
    const holder = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads');
       const open = (path) => { try { return new (require('node:sqlite').DatabaseSync)(path); } catch { return new (require('better-sqlite3'))(path); } };
       const database = open(workerData);
       database.exec("BEGIN IMMEDIATE; INSERT INTO facts VALUES ('held', 'by another')");
       parentPort.postMessage('held');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
       database.exec('COMMIT'); database.close();`,
      { eval: true, workerData: join(dataDir, 'changer.sqlite') },
    );
    await once(holder, 'message');
    await store.putSetting('mine', 'after');
    assert.equal(await store.setting('held'), 'by another');
    await store.close();
    await holder.terminate();
  });
});

describe('runOnce', () => {
  it('deletes the oldest idempotency keys of a reader beyond 10,000, and every key after a month', async (t) => {
    const database = await openSqliteDatabase(':memory:');
    t.after(() => database.close());
    migrateSqlite(database);
    const now = createOperationRunner(database);
    const executed: string[] = [];
    const make = (reader: string, key: string) =>
      now(
        runOnce(reader, key, function* () {
          executed.push(key);
          yield* execute('SELECT 1');
        }),
      );
    database.transaction(() => {
      for (let at = 0; at < 10_001; at++) make('5', `k${String(at).padStart(5, '0')}`);
    });
    database.sql("UPDATE heard SET at = at - 1 WHERE key < 'k10000'").run();
    make('6', 'other');
    executed.length = 0;
    for (const key of ['k00001', 'k10000', 'k00000']) make('5', key);
    make('6', 'other');
    assert.deepEqual(executed, ['k00000']);
    database.sql("UPDATE heard SET at = at - 31 * 86400 WHERE key = 'k10000'").run();
    for (const key of ['later', 'k10000']) make('5', key);
    assert.deepEqual(executed, ['k00000', 'later', 'k10000']);
  });
});
