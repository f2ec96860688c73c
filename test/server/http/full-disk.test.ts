import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../../server/storage/open.ts';
import { openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { fillUp, smallDisk } from '../../support/small-disk.ts';
import { makeKillableServer } from '../sources/telegram/server-process.ts';
import { BOT_TOKEN, channel, fill, signInAt } from '../support/make-app.ts';

describe('a server with a full disk', () => {
  it('serves reads, returns an error for writes, and resumes when there is free space', async (t) => {
    const disk = smallDisk(40);
    if (disk === null) return t.skip('only root may mount a small disk');
    const dataDir = disk.folder;
    const store = await openStore({ dataDir });
    await fill(store, channel('1'), 50);
    await store.close();
    const server = await makeKillableServer({ DATA_DIR: dataDir, BOT_TOKEN });
    t.after(() => server.remove().finally(disk.umount));
    await server.start();
    const signIn = async () => ({ ...(await signInAt(server.origin, 7)), 'content-type': 'application/json' });
    const [headers, otherHeaders] = [await signIn(), await signIn()];
    const star = (postId: number) =>
      fetch(`${server.origin}/api/stars/1/${postId}`, { method: 'PUT', headers, body: JSON.stringify({ at: postId }) });
    const get = async (path: string) => {
      const response = await fetch(server.origin + path, { headers: path === '/api/stars' ? otherHeaders : {} });
      return [response.status, await response.json()] as const;
    };
    assert.equal((await star(1)).ok, true);

    // Moves the session into the past, so that the next request would extend it.
    const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
    database.exec('UPDATE sessions SET expires = expires - 300');
    database.close();
    fillUp(join(dataDir, 'filler'));
    let rejected = await star(2);
    // The log of the database (WAL) has some free space of its own.
    for (let id = 3; rejected.ok && id < 2000; id += 1) rejected = await star(id);
    assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '30']);
    assert.match((await rejected.json()).detail, /disk is full/);
    const [read, page] = await get('/api/feed');
    assert.deepEqual([read, page.items.length], [200, 20]);
    assert.equal((await get('/api/stars'))[0], 200);
    const [status, { live, ready, failed }] = await get('/healthz');
    assert.deepEqual({ status, live, ready, failed }, { status: 200, live: true, ready: true, failed: ['disk'] });

    rmSync(join(dataDir, 'filler'));
    const retried = await star(49);
    assert.equal(retried.ok, true, await retried.text());
    assert.deepEqual((await get('/healthz'))[1].failed, []);
  });
});
