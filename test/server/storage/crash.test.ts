// Crash tests of the store: SQLite and PostgreSQL are killed during writes and during migrations.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { classifyFailure } from '../../../server/lib/infrastructure-errors.ts';
import { openStore } from '../../../server/storage/open.ts';
import { POSTGRES_MIGRATIONS } from '../../../server/storage/postgres/migrations.ts';
import { openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { SQLITE_MIGRATIONS } from '../../../server/storage/sqlite/migrations.ts';
import { until } from '../../support/browser.ts';
import { noPostgres, openClient, type Postgres, startPostgres } from '../../support/postgres.ts';
import { makeFolder } from '../support/make-app.ts';
import { ALL, channel, message } from './conformance.ts';
import { runKillTest, runWriterAndKill } from './crash-test.ts';

const KILLS = Number(process.env.KILLS ?? 3);
const PREVIOUS_POSTS = 2000;

const fileIn = (dataDir: string): string => join(dataDir, 'changer.sqlite');

/** Runs the integrity check of SQLite on a file. Returns its schema version. */
async function soundVersion(dataDir: string): Promise<number> {
  const database = await openSqliteDatabase(fileIn(dataDir));
  const found = database.sql('PRAGMA integrity_check').all();
  const version = Number(database.sql('PRAGMA user_version').get()?.user_version);
  const broken = database.sql('PRAGMA foreign_key_check').all();
  database.close();
  assert.deepEqual(
    found.map((row) => Object.values(row)),
    [['ok']],
  );
  assert.deepEqual(broken, []);
  return version;
}

/**
 * Creates a database of each previous schema, as a server of that time left it. Each starts with posts of the first schema,
 * which are then migrated.
 */
async function previousDatabases(folder: string): Promise<string[]> {
  const path = fileIn(folder);
  const database = await openSqliteDatabase(path);
  database.exec(`${SQLITE_MIGRATIONS[0]}; PRAGMA user_version = 1`);
  database.exec("INSERT INTO channels (id, title, source, state, private, demo) VALUES ('1', 'One', 'export', 'live', 0, 0)");
  const insert = database.sql(
    `INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
     VALUES (?, '1', ?, ?, 7, 0, 0, 1, 0, 0, ?)`,
  );
  database.transaction(() => {
    for (let id = 1; id <= PREVIOUS_POSTS; id += 1)
      insert.run(id, id, id, JSON.stringify({ text: `former words ${id}`, entities: [], reactions: [], media: [] }));
  });
  const copies: string[] = [];
  for (let version = 1; version < SQLITE_MIGRATIONS.length; version += 1) {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const copy = join(folder, `schema-${version}.sqlite`);
    copyFileSync(path, copy);
    copies.push(copy);
    database.exec(`${SQLITE_MIGRATIONS[version]}; PRAGMA user_version = ${version + 1}`);
  }
  database.close();
  return copies;
}

describe('a SQLite store whose process is killed', () => {
  it('contains every acknowledged write, and no incomplete import', async (t) => {
    const dataDir = makeFolder(t);
    const { lost, acknowledged } = await runKillTest(
      'SQLite',
      KILLS,
      { dataDir },
      async () => void (await soundVersion(dataDir)),
    );
    assert.deepEqual(lost, []);
    assert.ok(acknowledged >= KILLS, `only ${acknowledged} writes were acknowledged`);
  });

  it('opens with all data after a kill during the migration from every previous schema', async (t) => {
    const folder = makeFolder(t);
    const previous = await previousDatabases(folder);
    let midway = 0;
    for (let kill = 0; kill < Math.max(KILLS, previous.length); kill += 1) {
      const dataDir = join(folder, `kill-${kill}`);
      mkdirSync(dataDir);
      copyFileSync(previous[kill % previous.length] ?? '', fileIn(dataDir));
      await runWriterAndKill({ dataDir }, 1, /^opening$/, Math.random() * 60);
      const before = await soundVersion(dataDir);
      if (before < SQLITE_MIGRATIONS.length) midway += 1;
      const store = await openStore({ dataDir });
      const found = await store.posts({ match: 'former', channelIds: ['1'], limit: PREVIOUS_POSTS + 1 }, ALL);
      assert.equal(
        found.filter(({ text }) => text.startsWith('former')).length,
        PREVIOUS_POSTS,
        `of schema ${(kill % previous.length) + 1}`,
      );
      assert.equal(await store.setting('words-to-remake'), null);
      await store.close();
      assert.equal(await soundVersion(dataDir), SQLITE_MIGRATIONS.length);
    }
    console.log(`SQLite: ${Math.max(KILLS, previous.length)} kills at migrations, ${midway} of them before the last schema`);
  });
});

/** Migrates an empty PostgreSQL database to a previous schema, with posts as a server of that time left them. */
async function makeFormer(client: pg.Client, version: number): Promise<void> {
  if (version === 0) return;
  await client.query(POSTGRES_MIGRATIONS.slice(0, version).join(';'));
  await client.query(`
    CREATE TABLE schema_version (version BIGINT NOT NULL);
    INSERT INTO schema_version VALUES (${version});
    INSERT INTO channels (id, title, source, state, private, demo) VALUES ('1', 'One', 'export', 'live', 0, 0);
    INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
    SELECT n, '1', n, n, 7, 0, 0, 1, 0, 0, '{"text":"former words ' || n || '","entities":[],"reactions":[],"media":[]}'
    FROM generate_series(1, ${PREVIOUS_POSTS}) AS n`);
}

/**
 * Returns the version that the schema reports, and every existing column. Waits for a process that changes the schema, even one
 * that has died.
 */
async function schemaOf(client: pg.Client): Promise<{ version: number; columns: string }> {
  await client.query('SELECT pg_advisory_lock(3, 0)');
  const { rows } = await client.query<{ name: string }>(`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> 'schema_version' ORDER BY 1`);
  const isNew = (await client.query("SELECT to_regclass('schema_version') AS found")).rows[0]?.found === null;
  const [row] = isNew ? [] : (await client.query<{ version: string }>('SELECT version FROM schema_version')).rows;
  return { version: Number(row?.version ?? 0), columns: rows.map(({ name }) => name).join() };
}

describe('a PostgreSQL store', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: true });
  });
  after(() => server.stop());

  const checkKills = async (
    t: Parameters<typeof makeFolder>[0],
    label: string,
    isSound: () => Promise<void>,
    crash?: () => Promise<void>,
  ) => {
    const opening = { dataDir: makeFolder(t), databaseUrl: await server.database() };
    const { lost, acknowledged } = await runKillTest(label, KILLS, opening, isSound, crash);
    assert.deepEqual(lost, []);
    assert.ok(acknowledged >= KILLS, `only ${acknowledged} writes were acknowledged`);
  };

  const inDatabase = async <T>(url: string, action: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = await openClient(url);
    return await action(client).finally(() => client.end());
  };

  it('has exactly one schema version after a kill during the migrations, and opens', async (t) => {
    const kills = Math.max(KILLS, 2 * POSTGRES_MIGRATIONS.length);
    const expected: string[] = [];
    for (let version = 0; version <= POSTGRES_MIGRATIONS.length; version += 1)
      await inDatabase(await server.database(), async (sql) => {
        await makeFormer(sql, version);
        expected.push((await schemaOf(sql)).columns);
      });
    let midway = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const from = kill % POSTGRES_MIGRATIONS.length;
      const opening = { dataDir: makeFolder(t), databaseUrl: await server.database() };
      await inDatabase(opening.databaseUrl, (sql) => makeFormer(sql, from));
      // In every second round over the schema versions, PostgreSQL is killed, too.
      const isCrash = kill % (2 * POSTGRES_MIGRATIONS.length) >= POSTGRES_MIGRATIONS.length;
      await runWriterAndKill(opening, 1, /^opening$/, Math.random() * 120, isCrash ? server.kill : undefined);
      if (isCrash) await server.start();
      const { version, columns } = await inDatabase(opening.databaseUrl, schemaOf);
      assert.ok(version === from || version === POSTGRES_MIGRATIONS.length, `schema ${version}, from ${from}`);
      assert.equal(columns, expected[version], `the columns are exactly those of schema ${version}`);
      if (version === from) midway += 1;
      const store = await openStore(opening);
      if (from > 0)
        assert.equal((await store.posts({ channelIds: ['1'], limit: PREVIOUS_POSTS + 1 }, ALL)).length >= PREVIOUS_POSTS, true);
      await store.close();
      assert.equal((await inDatabase(opening.databaseUrl, schemaOf)).version, POSTGRES_MIGRATIONS.length);
    }
    console.log(`PostgreSQL: ${kills} kills at migrations, ${midway} of them before the last schema`);
  });

  it('continues in the same process after PostgreSQL is killed during a transaction', async (t) => {
    const store = await openStore({ dataDir: makeFolder(t), databaseUrl: await server.database() });
    t.after(() => store.close());
    await store.putChannel(channel('1'));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // The writes are batches of two hundred, so a transaction is in progress at any time.
      const many = Array.from({ length: 20_000 }, (_, at) => message('1', at + 1, { text: `${kill}`, edited: 1e6 + kill }));
      const written = assert.rejects(store.putMessages(many), (error: Error) => classifyFailure(error) !== null);
      await until(async () => (await store.post('1', 1, ALL))?.text === `${kill}`, 'the first message is written');
      await server.kill();
      await written;
      await server.start();
      await until(
        () =>
          store.assertHealthy().then(
            () => true,
            () => false,
          ),
        'the store responds again',
      );
      await store.putMessages([message('1', 30_000 + kill)]);
    }
  });

  it('contains every acknowledged write after the writing process is killed', (t) => checkKills(t, 'PostgreSQL', async () => {}));

  it('contains every acknowledged write after PostgreSQL itself is killed', (t) =>
    checkKills(t, 'PostgreSQL killed too', server.start, server.kill));
});
