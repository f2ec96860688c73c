// Import without a database: the database becomes unavailable in the middle of an import, as in a restart.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createFolderMediaStore } from '../../../../server/media/folder-media-store.ts';
import { importExport } from '../../../../server/sources/telegram-export/import.ts';
import { openStore } from '../../../../server/storage/open.ts';
import type { Store } from '../../../../server/storage/ports/store.ts';
import { withRetries } from '../../../../server/storage/retry.ts';
import { noPostgres, startPostgres } from '../../../support/postgres.ts';
import { makeApp } from '../../support/make-app.ts';
import { channelExport, exportedMessage, folderOf, writeExport } from './export-files.ts';

const MESSAGES = 2000;

/**
 * Creates a store whose database is killed at its second batch of messages. With `back`, the database starts again after a
 * while.
 */
async function makeFailingStore(t: TestContext, back: boolean) {
  const database = await startPostgres({ durable: true });
  const store = await openStore({ dataDir: '', databaseUrl: await database.database() });
  t.after(async () => {
    await store.close();
    await database.stop();
  });
  let batches = 0;
  const failingStore: Store = {
    ...store,
    async putMessages(messages) {
      batches += 1;
      if (batches === 2) {
        await database.kill();
        if (back) setTimeout(() => void database.start(), 1500);
      }
      return store.putMessages(messages);
    },
  };
  const folder = folderOf(t);
  const path = writeExport(folder, channelExport(Array.from({ length: MESSAGES }, (_, at) => exportedMessage(at + 1))));
  return { failingStore, store, path, mediaStore: createFolderMediaStore(folder) };
}

describe('an import during a database outage', { skip: noPostgres() }, () => {
  it('reports the outage once, continues when the database is back, and is complete', async (t) => {
    const { failingStore, store, path, mediaStore } = await makeFailingStore(t, true);
    const lines: string[] = [];
    const { channels } = await importExport(path, { store: withRetries(failingStore, (line) => lines.push(line)), mediaStore });
    assert.equal(channels[0]?.messages, MESSAGES);
    assert.deepEqual(lines, ['The database cannot be reached: trying again for a minute.']);
    const id = channels[0]?.id ?? '';
    assert.equal((await store.channelCounts([id])).get(id)?.messages, MESSAGES);
    assert.deepEqual(await store.incompleteImports(), []);
    assert.deepEqual(
      (await store.auditEntries({ limit: 9 })).map(({ act }) => act),
      ['import'],
    );
  });

  it('fails with the connection error if the database does not come back in time', async (t) => {
    const { failingStore, path, mediaStore } = await makeFailingStore(t, false);
    const importing = importExport(path, { store: withRetries(failingStore, () => {}, 1000), mediaStore });
    await assert.rejects(importing, (error: Error & { code?: string }) => /^(ECONN|CONNECTION_)/.test(error.code ?? ''));
  });
});

describe('a store with retries', () => {
  it('reports each outage once, however many parallel calls it retries', async (t) => {
    const { store } = await makeApp(t);
    const { setting } = store;
    t.mock.method(store, 'withAuditEntries', () => store);
    let failures = 0;
    t.mock.method(store, 'setting', (name: string) => {
      if (failures === 0) return setting(name);
      failures -= 1;
      throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    });
    const lines: string[] = [];
    const retrying = withRetries(store, (line) => lines.push(line));
    for (const outages of [1, 2]) {
      failures = 3;
      const audited = retrying.withAuditEntries([]);
      assert.deepEqual(await Promise.all([retrying.setting('a'), retrying.setting('b'), audited.setting('c')]), [
        null,
        null,
        null,
      ]);
      assert.deepEqual(lines, Array(outages).fill('The database cannot be reached: trying again for a minute.'));
    }
  });
});
