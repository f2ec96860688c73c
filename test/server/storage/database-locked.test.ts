// Locked database: another program holds the write lock of SQLite for a while. Reads do not wait for it, and writes are done
// afterwards.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { StorageError } from '../../../server/lib/infrastructure-errors.ts';
import { openStore } from '../../../server/storage/open.ts';
import { openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { createWriteQueue } from '../../../server/storage/sqlite/write-queue.ts';
import { makeKillableServer } from '../sources/telegram/server-process.ts';
import { BOT_TOKEN, channel, fill, signInAt } from '../support/make-app.ts';

describe('a server whose database another program locks for a while', () => {
  it('responds to reads during the lock, and makes the writes in order after it', async (t) => {
    const server = await makeKillableServer({ BOT_TOKEN });
    t.after(server.remove);
    const store = await openStore({ dataDir: server.dataDir });
    await fill(store, channel('1'), 50);
    await store.close();
    await server.start();
    const headers = { ...(await signInAt(server.origin, 7)), 'content-type': 'application/json' };
    const requestStatus = async (path: string, init: RequestInit = {}) =>
      (await fetch(server.origin + path, { headers, ...init })).status;
    const other = await openSqliteDatabase(join(server.dataDir, 'changer.sqlite'));
    t.after(other.close);
    // Moves the session into the past, so that each request would extend it.
    other.exec('UPDATE sessions SET expires = expires - 300');

    other.exec('BEGIN IMMEDIATE');
    const completed: string[] = [];
    const sendChange = (method: string) =>
      requestStatus('/api/stars/1/5', { method, body: JSON.stringify({ at: 5 }) }).then((status) =>
        completed.push(`${method} ${status}`),
      );
    const changes = [];
    for (const method of ['PUT', 'DELETE', 'PUT']) {
      changes.push(sendChange(method));
      for (const path of ['/healthz', '/api/feed', '/api/stars']) assert.equal(await requestStatus(path), 200, path);
    }
    assert.deepEqual(completed, [], 'nothing is acknowledged before it is written');
    other.exec('ROLLBACK');
    await Promise.all(changes);
    assert.deepEqual(completed, ['PUT 204', 'DELETE 204', 'PUT 204']);
  });
});

describe('the write queue', () => {
  const locked = () => {
    throw new StorageError('busy', 'SQLITE_BUSY', 'database is locked');
  };

  it('rejects writes if the lock is held for too long, those that waited longest first', async () => {
    const [write, ended]: [ReturnType<typeof createWriteQueue>, string[]] = [createWriteQueue(100), []];
    const one = (name: string) => write(locked).catch((error: Error) => ended.push(`${name}: ${error.message}`));
    await Promise.all([one('first'), one('second')]);
    assert.deepEqual(ended, ['first: database is locked', 'second: database is locked']);
    assert.equal(await write(() => 'written'), 'written');
  });

  it('does not repeat a write that had begun', async () => {
    let times = 0;
    const begun = createWriteQueue()((begin) => {
      begin();
      times += 1;
      locked();
    });
    await assert.rejects(begun, /database is locked/);
    assert.equal(times, 1);
  });
});
