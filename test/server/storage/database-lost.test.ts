// Lost database: the files of SQLite are deleted or damaged while the server runs. No acknowledged write is lost silently.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../../server/storage/open.ts';
import { freeze } from '../../support/small-disk.ts';
import { type KillableServer, makeKillableServer } from '../sources/telegram/server-process.ts';
import { BOT_TOKEN, channel, fill, signInAt } from '../support/make-app.ts';

const FILE = 'changer.sqlite';
/** Size of a page of SQLite, in bytes. */
const PAGE = 4096;
const HEALTHY = [204, 200, [200]];
const UNAVAILABLE = [503, 503, [503, 'database']];

/** Creates a server with a channel of some posts, and a reader who stars them. */
async function makeSite(t: TestContext) {
  const server = await makeKillableServer({ BOT_TOKEN });
  t.after(server.remove);
  const store = await openStore({ dataDir: server.dataDir });
  await fill(store, channel('1'), 50);
  await store.close();
  await server.start();
  const headers = { ...(await signInAt(server.origin, 7)), 'content-type': 'application/json' };
  const get = (path: string) => fetch(server.origin + path, { headers });
  return {
    server,
    headers,
    database: join(server.dataDir, FILE),
    star: async (postId: number) => {
      const body = JSON.stringify({ at: postId });
      return (await fetch(`${server.origin}/api/stars/1/${postId}`, { method: 'PUT', headers, body })).status;
    },
    read: async () => (await get('/api/feed')).status,
    stars: async (): Promise<number[]> => {
      const page: { items: { postId: number }[] } = await (await get('/api/stars')).json();
      return page.items.map(({ postId }) => postId).sort((one, other) => one - other);
    },
    health: async () => {
      const response = await fetch(`${server.origin}/healthz`);
      const { failed }: { failed: string[] } = await response.json();
      return [response.status, ...failed];
    },
  };
}

const startError = (server: KillableServer): Promise<string> =>
  server.start().then(
    () => 'started',
    (error: Error) => error.message,
  );

describe('a server whose database files are removed', () => {
  it('acknowledges no write while a file is missing, reports it, and continues when the files are back', async (t) => {
    const { server, database, star, read, stars, health } = await makeSite(t);
    assert.deepEqual([await star(1), await read(), await health()], HEALTHY);

    for (const end of ['', '-wal', '-shm']) {
      renameSync(database + end, `${database}.away`);
      assert.deepEqual([await star(2), await read(), await health()], UNAVAILABLE, `without ${FILE}${end}`);
      renameSync(`${database}.away`, database + end);
      assert.deepEqual([await star(3), await read(), await health()], HEALTHY, `with ${FILE}${end} again`);
    }
    assert.equal(
      server.output().match(/was deleted or replaced, .* put the same files back/g)?.length,
      3,
      'reported once each time',
    );
    await server.kill();
    await server.start();
    assert.deepEqual(await stars(), [1, 3]);
  });

  it('does not use another file in the place of its database', async (t) => {
    const { database, star, read, health } = await makeSite(t);
    copyFileSync(database, `${database}.other`);
    renameSync(`${database}.other`, database);
    assert.deepEqual([await star(1), await read(), await health()], UNAVAILABLE);
  });

  it('does not create a new database next to stored files, and reports what to do', async (t) => {
    const { server, database, star } = await makeSite(t);
    const media = join(server.dataDir, 'media/ab');
    mkdirSync(media, { recursive: true });
    writeFileSync(join(media, 'abc.webp'), 'a picture');
    rmSync(database);
    assert.equal(await star(1), 503);
    await server.kill();
    assert.match(await startError(server), /did not start\. DATA_DIR: .* no changer\.sqlite: put the database of a backup there/);
    rmSync(join(server.dataDir, 'media'), { recursive: true });
    await server.start();
  });
});

/** Overwrites every page that contains the marker. */
function damagePages(file: string, marker: string): void {
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf(marker); at !== -1; at = bytes.indexOf(marker, at + 1)) {
    const page = at - (at % PAGE);
    bytes.fill(0xa5, page, page + PAGE);
  }
  writeFileSync(file, bytes);
}

describe('a server whose database is damaged', () => {
  it('reports the damage when it reads it, keeps running, and reads and writes the undamaged data', async (t) => {
    const { server, database, read, health, headers } = await makeSite(t);
    await server.kill();
    damagePages(database, 'Post 20');
    await server.start();
    assert.deepEqual([await read(), await health()], [503, [503, 'database']]);
    const body = JSON.stringify({ entries: [] });
    assert.equal((await fetch(`${server.origin}/api/lineup`, { method: 'PUT', headers, body })).status, 200);
    assert.equal((await fetch(`${server.origin}/api/channels`)).status, 200);
    assert.deepEqual(await health(), [503, 'database'], 'damage does not disappear by itself');
    assert.equal(server.output().match(/is damaged, .* put a backup in its place/g)?.length, 1);
  });

  it('does not start with a damaged or empty database file, and starts with the backup of it', async (t) => {
    const { server, database, read } = await makeSite(t);
    await server.kill();
    const [content, log] = [readFileSync(database), readFileSync(`${database}-wal`)];
    const damages: Record<string, Buffer> = {
      'an overwritten header': Buffer.concat([Buffer.alloc(100, 0x5a), content.subarray(100)]),
      'a file cut in half': content.subarray(0, content.length / 2),
    };
    for (const [damage, bytes] of Object.entries(damages)) {
      writeFileSync(database, bytes);
      // The log could contain the damaged pages, and then nothing is lost.
      rmSync(`${database}-wal`);
      assert.match(await startError(server), /did not start\. DATA_DIR: .* put a backup in its place/, damage);
      writeFileSync(database, content);
      writeFileSync(`${database}-wal`, log);
      rmSync(`${database}-shm`, { force: true });
      await server.start();
      assert.equal(await read(), 200, damage);
      await server.kill();
    }
    mkdirSync(join(server.dataDir, 'media/ab'), { recursive: true });
    writeFileSync(database, '');
    assert.match(await startError(server), /an empty changer\.sqlite: put the database of a backup there/);
  });
});

describe('a server whose disk is read-only', () => {
  it('serves reads, reports the disk, does not restart, and continues by itself when the disk is writable again', async (t) => {
    const { server, star, read, stars, health } = await makeSite(t);
    const thaw = freeze(server.dataDir);
    if (thaw === null) return t.skip('only root may freeze files, and not on every disk');
    try {
      assert.deepEqual([await star(1), await read(), await health()], [503, 200, [200, 'disk']]);
    } finally {
      thaw();
    }
    assert.deepEqual([await star(2), await health(), await stars()], [204, [200], [2]]);
    await server.kill();
    const again = freeze(server.dataDir);
    try {
      assert.match(await startError(server), /did not start\. .*(may not be|cannot be) (read or )?written/);
    } finally {
      again?.();
    }
    await server.start();
  });
});
