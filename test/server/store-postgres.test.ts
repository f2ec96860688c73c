import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../server/store/open.ts';
import { openPool } from '../../server/store/postgres/database.ts';
import { atOneMoment } from '../../server/store/postgres/engine.ts';
import { get } from '../../server/store/sql/work.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { channel, message, storeConformance } from './store-conformance.ts';
import { feedConformance } from './store-conformance-feeds.ts';
import { liveConformance } from './store-conformance-live.ts';
import { retentionConformance } from './store-conformance-retention.ts';

describe('PostgreSQL', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: false });
  });
  after(() => server.stop());

  let databaseUrl: string | null = null;
  const openEmpty = async () => {
    if (databaseUrl === null) databaseUrl = await server.database();
    else await server.empty(databaseUrl);
    const store = await openStore({ dataDir: '', databaseUrl: `${databaseUrl}?max=2` });
    return { store, close: () => store.close() };
  };
  storeConformance('PostgreSQL', openEmpty);
  liveConformance('PostgreSQL', openEmpty);
  retentionConformance('PostgreSQL', openEmpty);
  feedConformance('PostgreSQL', openEmpty);

  it('lives on where the database fails whatever it is asked as a connection is made', async () => {
    const databaseUrl = await server.database();
    const name = new URL(databaseUrl).pathname.slice(1);
    const admin = postgres(databaseUrl, { max: 1 });
    await admin.unsafe(`ALTER DATABASE ${name} SET statement_timeout = '1ms'`);
    await admin.end();
    let failed = 0;
    for (let tries = 0; tries < 30; tries += 1) {
      const pool = openPool(databaseUrl);
      await pool.unsafe('SELECT count(*) FROM pg_attribute a, pg_attribute b').catch(() => {
        failed += 1;
      });
      await pool.end({ timeout: 1 });
    }
    // That nothing was thrown at the process beside, the runner sees.
    assert.equal(failed, 30);
  });

  it('is made once by processes that start together', async () => {
    const databaseUrl = await server.database();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore({ dataDir: '', databaseUrl })));
    const [one, other] = stores;
    await one?.putChannel(channel('1'));
    await one?.putMessages([message('1', 1)]);
    assert.equal((await other?.posts({ limit: 5 }, { privateChannels: [] }))?.length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('ends what reads one moment, and only then fails, when the connection is lost while nothing is asked', async (t) => {
    const databaseUrl = await server.database();
    const pool = openPool(databaseUrl);
    t.after(() => pool.end({ timeout: 1 }));
    let isOver = false;
    const reading = atOneMoment(pool, async ({ read }) => {
      try {
        await read(get('SELECT 1 AS n'));
        await server.cut(databaseUrl);
        await read(get('SELECT 2 AS n'));
      } finally {
        isOver = true;
      }
    });
    await assert.rejects(reading, { code: 'CONNECTION_CLOSED' });
    assert.ok(isOver);
  });
});
