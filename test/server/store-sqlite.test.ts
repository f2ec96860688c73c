import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openStore } from '../../server/store/open.ts';
import { openDatabase } from '../../server/store/sqlite/database.ts';
import { storeConformance } from './store-conformance.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'changer-store-'));

storeConformance('SQLite', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir });
  const close = async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  };
  return { store, close };
});

const folderOf = (t: TestContext): string => {
  const dataDir = folder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};

describe('openStore', () => {
  it('keeps what was written over a restart, in files that only grow by it', async (t) => {
    const dataDir = join(folderOf(t), 'made', 'as', 'needed');
    const first = await openStore({ dataDir });
    await first.putFact('a', '1');
    await first.close();
    const second = await openStore({ dataDir });
    assert.equal(await second.fact('a'), '1');
    await second.close();
  });

  it('says in one sentence that the database is damaged', async (t) => {
    const dataDir = folderOf(t);
    writeFileSync(join(dataDir, 'changer.sqlite'), 'no database at all'.repeat(1000));
    await assert.rejects(
      openStore({ dataDir }),
      /^Error: DATA_DIR: the database .*changer\.sqlite cannot be opened: the file is damaged.*\.$/,
    );
  });

  it('says in one sentence that a newer program wrote it', async (t) => {
    const dataDir = folderOf(t);
    await (await openStore({ dataDir })).close();
    const database = await openDatabase(join(dataDir, 'changer.sqlite'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    await assert.rejects(openStore({ dataDir }), /newer version of this program \(schema 999/);
  });

  it('says in one sentence that a file stands where the directory should be', async (t) => {
    const dataDir = join(folderOf(t), 'file');
    writeFileSync(dataDir, '');
    await assert.rejects(openStore({ dataDir }), /cannot be opened: there is a file where a directory should be\.$/);
  });

  it('says in one sentence that nothing can be written', {
    skip: process.getuid?.() === 0 ? 'root may write anywhere' : false,
  }, async (t) => {
    const dataDir = join(folderOf(t), 'closed');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o500);
    await assert.rejects(openStore({ dataDir }), /cannot be written/);
  });

  it('brings one new database up to date from several openers at once', async (t) => {
    const dataDir = folderOf(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ dataDir })));
    for (const [at, store] of stores.entries()) await store.putFact(`by ${at}`, 'here');
    for (const at of stores.keys()) assert.equal(await stores[0]?.fact(`by ${at}`), 'here');
    for (const store of stores) await store.close();
  });

  it('waits for another writer rather than fails', async (t) => {
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
    await store.putFact('mine', 'after');
    assert.equal(await store.fact('held'), 'by another');
    await store.close();
    await holder.terminate();
  });
});
