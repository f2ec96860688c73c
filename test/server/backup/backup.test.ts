// Backup and restore of SQLite and PostgreSQL, also while the server writes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { mediaPath } from '../../../server/media/files.ts';
import { openEngine, openStore, type StoreLocation } from '../../../server/storage/open.ts';
import { until } from '../../support/browser.ts';
import { noPostgres, openClient, type Postgres, startPostgres } from '../../support/postgres.ts';
import { makeKillableServer } from '../sources/telegram/server-process.ts';
import { ALL, channel, message } from '../storage/conformance.ts';
import { finishImports, runWriterAndKill } from '../storage/crash-test.ts';
import { crashTargetOf, KINDS, type WriteKind } from '../storage/crash-writes.ts';
import { makeFolder } from '../support/make-app.ts';
import { modesIn, runProgram, startProgram } from './backup-commands.ts';

const backUp = async (location: StoreLocation, to: string): Promise<void> => {
  const { code, output } = await runProgram('backup', location, to);
  assert.equal(code, 0, output);
};
const restore = async (from: string, location: StoreLocation): Promise<void> => {
  const { code, output } = await runProgram('restore', location, from);
  assert.equal(code, 0, output);
};

/** Returns the acknowledged writes, as `kind number`, that are missing in a store. */
const lostWritesOf = async (acknowledged: readonly string[], location: StoreLocation): Promise<string[]> => {
  const store = await openStore(location);
  const lostWrites: string[] = [];
  for (const [name, kind] of Object.entries<WriteKind>(KINDS)) {
    const numbers = acknowledged.filter((line) => line.startsWith(`${name} `)).map((line) => Number(line.split(' ')[1]));
    assert.ok(numbers.length > 0, `${name} was written before the backup`);
    lostWrites.push(...(await kind.findMissing(crashTargetOf(store, location.dataDir), numbers)).map((n) => `${name} ${n}`));
  }
  // An import consists of many transactions. If the backup contains a part of one, the store reports it as incomplete, and a
  // second import completes it.
  await finishImports(crashTargetOf(store, location.dataDir));
  for (let first = 0; first < 256; first += 1)
    for (const key of (await store.fileKeysWithPrefix(first.toString(16).padStart(2, '0'))).known)
      if (!existsSync(mediaPath(location.dataDir, key))) lostWrites.push(key);
  await store.close();
  return lostWrites;
};

/** Requests everything that readers see from a server, including every file. */
const responsesOf = async (origin: string): Promise<object> => {
  const fetchText = async (path: string): Promise<string> => {
    const response = await fetch(origin + path);
    assert.equal(response.status, 200, path);
    return Buffer.from(await response.arrayBuffer()).toString('latin1');
  };
  const pages = await Promise.all(['/api/channels', '/api/feed?limit=50', '/api/search?q=city&limit=50'].map(fetchText));
  const files = [...new Set(pages.join().match(/\/media\/[0-9a-f]{64}\.\w+/g))];
  assert.ok(files.length > 5, 'the posts show files');
  return { pages, files: await Promise.all(files.map(async (path) => [path, await fetchText(path)])) };
};

/** Describes the tests that are the same for both engines. `emptyStore` returns an empty store of the engine. */
const engineTests = (emptyStore: (t: TestContext) => Promise<StoreLocation>) => {
  it('contains all writes acknowledged before it began, despite concurrent writes, and only its owner can read it', async (t) => {
    const [from, to, folder] = [await emptyStore(t), await emptyStore(t), join(makeFolder(t), 'of', 'today')];
    let before: readonly string[] = [];
    const isEvery = (lines: readonly string[]) => Object.keys(KINDS).every((kind) => lines.some((line) => line.startsWith(kind)));
    const all = await runWriterAndKill(from, 1, /^import /, 200, async (acknowledged) => {
      before = acknowledged;
      await backUp(from, folder);
    });
    assert.ok(isEvery(before) && all.length > before.length, 'there were writes before and during the backup');
    const wrongModes = Object.entries(modesIn(folder)).filter(([, mode]) => mode !== 'd700' && mode !== '-600');
    assert.deepEqual(wrongModes, []);
    await restore(folder, to);
    assert.deepEqual(await lostWritesOf(before, to), []);
  });

  it('is restored to a server that returns the same responses and files', async (t) => {
    const [from, to, folder] = [await emptyStore(t), await emptyStore(t), join(makeFolder(t), 'backup')];
    const settings = ({ dataDir, databaseUrl }: StoreLocation) => ({
      ...{ DEMO: 'on', DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' },
    });
    const [sourceServer, restoredServer] = [await makeKillableServer(settings(from)), await makeKillableServer(settings(to))];
    t.after(() => Promise.all([sourceServer.remove(), restoredServer.remove()]));
    await sourceServer.start();
    await backUp(from, folder);
    const [expected, last] = [await responsesOf(sourceServer.origin), await lastEvent(from)];
    const rejected = await runProgram('restore', from, folder);
    assert.equal(rejected.code, 2, 'a server is running on the store');
    assert.match(rejected.output, /^There is a store in [^\n]+ already: stop its server and [^\n]+\.$/);
    assert.deepEqual(await responsesOf(sourceServer.origin), expected);
    await sourceServer.kill();
    await restore(folder, to);
    assert.equal(await eventsAfter(last + 5, to), null, 'a client that received events which are lost must reload everything');
    await restoredServer.start();
    assert.deepEqual(await responsesOf(restoredServer.origin), expected);
  });
};

const lastEvent = async (location: StoreLocation): Promise<number> => {
  const store = await openStore(location);
  return store.lastEventId().finally(() => store.close());
};

/** Returns the events that a device receives if `event` was its last one, after ten more have occurred. */
const eventsAfter = async (event: number, location: StoreLocation): Promise<readonly object[] | null> => {
  const store = await openStore(location);
  for (let n = 0; n < 10; n += 1) await store.appendEvent('refresh', '1');
  return store.eventsAfter(event, 100).finally(() => store.close());
};

/** Creates a store with this many small files. */
const storeWithFiles = async (location: StoreLocation, files: number): Promise<void> => {
  const store = await openStore(location);
  await store.putChannel(channel('1'));
  await store.putMessages([message('1', 1, { text: 'the only one' })]);
  for (let n = 0; n < files; n += 1) await KINDS.file.write(crashTargetOf(store, location.dataDir), n);
  await store.putReader({ id: '7', name: 'Reader' });
  await store.putStar('7', { channelId: '1', postId: 1, at: 9 }, 'k');
  await store.close();
};

/** Returns the text of the only post, as search finds it. */
const textIn = async (location: StoreLocation): Promise<string | undefined> => {
  const store = await openStore(location);
  const found = await store.posts({ limit: 2, match: 'only' }, ALL).finally(() => store.close());
  return found[0]?.text;
};

describe('a backup of SQLite', () => {
  engineTests(async (t) => ({ dataDir: join(makeFolder(t), 'data') }));

  it('leaves nothing usable if it is killed, and succeeds the next time, as does a restore', async (t) => {
    const [from, to, folder] = [{ dataDir: makeFolder(t) }, { dataDir: makeFolder(t) }, makeFolder(t)];
    await storeWithFiles(from, 500);
    const { child, ended } = await startProgram('backup', from, join(folder, 'b'));
    await until(async () => readdirSync(folder).some((name) => existsSync(join(folder, name, 'media'))), 'files are copied');
    child.kill('SIGKILL');
    assert.equal((await ended()).signal, 'SIGKILL', 'the backup had not finished');
    assert.deepEqual(readdirSync(folder), [`.b.partial-${child.pid}`]);
    await backUp(from, join(folder, 'b'));
    assert.deepEqual(readdirSync(folder), ['b'], 'the remains of the killed backup were deleted');

    const restoreProcess = await startProgram('restore', to, join(folder, 'b'));
    await until(async () => existsSync(join(to.dataDir, 'media')), 'files are restored');
    restoreProcess.child.kill('SIGKILL');
    assert.equal((await restoreProcess.ended()).signal, 'SIGKILL', 'the restore had not finished');
    assert.ok(!existsSync(join(to.dataDir, 'changer.sqlite')), 'a restore that was killed leaves no store');
    await restore(join(folder, 'b'), to);
    assert.deepEqual(readdirSync(to.dataDir).sort(), ['changer.sqlite', 'media']);
    assert.equal(await textIn(to), 'the only one');
  });

  it('lists the files of one moment, whatever files are added or deleted during the copy', async (t) => {
    const [from, folder] = [{ dataDir: makeFolder(t) }, join(makeFolder(t), 'b')];
    await storeWithFiles(from, 3);
    const store = await openStore(from);
    const keys = [...Array(256).keys()].map((first) => store.fileKeysWithPrefix(first.toString(16).padStart(2, '0')));
    const [first = '', , last = ''] = (await Promise.all(keys)).flatMap(({ known }) => known).sort();
    const [filePath, content] = [mediaPath(from.dataDir, first), readFileSync(mediaPath(from.dataDir, first))];
    rmSync(filePath);
    // A process that opens a pipe for reading blocks until another process writes to it. So the backup waits at this file.
    execFileSync('mkfifo', [filePath]);
    const { ended } = await startProgram('backup', from, folder);
    const pipe = await open(filePath, 'w');
    assert.ok(await store.deleteFileIfUnused(last, () => rmSync(mediaPath(from.dataDir, last))));
    await KINDS.file.write(crashTargetOf(store, from.dataDir), 77);
    const addedKey = (await store.setting('file 77')) ?? '';
    await store.close();
    await pipe.writeFile(content);
    await pipe.close();
    const { code, output } = await ended();
    assert.equal(code, 0, output);
    const { files, missing } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const paths = files.map(({ path }: { path: string }) => path);
    assert.deepEqual(missing, []);
    assert.deepEqual(
      [first, last, addedKey].map((key) =>
        [paths, readdirSync(folder, { recursive: true })].map((all) => all.includes(`media/${key.slice(0, 2)}/${key}`)),
      ),
      [
        [true, true],
        [false, false],
        [true, true],
      ],
    );
  });

  it('reports missing files, and continues', async (t) => {
    const [from, to, folder] = [{ dataDir: makeFolder(t) }, { dataDir: makeFolder(t) }, join(makeFolder(t), 'b')];
    await storeWithFiles(from, 2);
    const store = await openStore(from);
    const key = (await store.setting('file 1')) ?? '';
    await store.close();
    rmSync(mediaPath(from.dataDir, key));
    const { code, output } = await runProgram('backup', from, folder);
    assert.deepEqual([code, output.includes(`The stored file ${key} is not in the backup`)], [0, true]);
    await restore(folder, to);
    assert.equal(await textIn(to), 'the only one');
  });
});

describe('a backup of PostgreSQL', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: false });
  });
  after(() => server.stop());

  const empty = async (t: TestContext) => ({ dataDir: join(makeFolder(t), 'data'), databaseUrl: await server.database() });
  engineTests(empty);

  it('reports a lost connection in one sentence, and leaves no backup', async (t) => {
    const [from, folder] = [await empty(t), makeFolder(t)];
    await storeWithFiles(from, 3);
    const client = await openClient(from.databaseUrl);
    t.after(() => client.end());
    await client.query('BEGIN; LOCK TABLE stars IN ACCESS EXCLUSIVE MODE');
    const { ended } = await startProgram('backup', from, join(folder, 'b'));
    const terminateBackend = async () =>
      (await client.query('SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted')).rows.length > 0;
    await until(terminateBackend, 'the backup waits for the table');
    const { code, output } = await ended();
    assert.deepEqual(
      [code, output],
      [1, 'The connection to the database of DATABASE_URL was lost: try again when the database is reachable.'],
    );
    await client.query('COMMIT');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('can be restored to SQLite and back, and a killed restore can be repeated', async (t) => {
    const [from, sqliteLocation, to] = [await empty(t), { dataDir: makeFolder(t) }, await empty(t)];
    const folder = makeFolder(t);
    await storeWithFiles(from, 3);
    await backUp(from, join(folder, 'one'));
    await restore(join(folder, 'one'), sqliteLocation);
    assert.equal(await textIn(sqliteLocation), 'the only one');
    await backUp(sqliteLocation, join(folder, 'other'));

    await (await openEngine(to)).engine.close();
    const client = await openClient(to.databaseUrl);
    t.after(() => client.end());
    await client.query('BEGIN; LOCK TABLE stars IN EXCLUSIVE MODE');
    const { child, ended } = await startProgram('restore', to, join(folder, 'other'));
    const isWaiting = async () => (await client.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length > 0;
    await until(isWaiting, 'the restore waits for the table');
    child.kill('SIGKILL');
    assert.equal((await ended()).signal, 'SIGKILL');
    await client.query('COMMIT');
    await assert.rejects(openStore(to), /store is incomplete.*npm run restore again/);
    assert.equal((await runProgram('backup', to, join(folder, 'half'))).code, 2, 'an incomplete store is not backed up');
    await restore(join(folder, 'other'), to);
    assert.equal(await textIn(to), 'the only one');
  });
});
