import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore } from '../../server/store/open.ts';
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

  it('is made once by processes that start together', async () => {
    const databaseUrl = await server.database();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore({ dataDir: '', databaseUrl })));
    const [one, other] = stores;
    await one?.putChannel(channel('1'));
    await one?.putMessages([message('1', 1)]);
    assert.equal((await other?.posts({ limit: 5 }, { privateChannels: [] }))?.length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });
});
