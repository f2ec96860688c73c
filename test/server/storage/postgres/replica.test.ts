// Read replica (DATABASE_REPLICA_URL): serves reads of anonymous readers, and never an older state than an event reported.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { buildApp } from '../../../../server/app.ts';
import { allowReplica } from '../../../../server/lib/replica-scope.ts';
import { openStore } from '../../../../server/storage/open.ts';
import type { Store } from '../../../../server/storage/ports/store.ts';
import { withRetries } from '../../../../server/storage/retry.ts';
import { until } from '../../../support/browser.ts';
import { noPostgres, openClient, type Postgres, type Standby, startPostgres } from '../../../support/postgres.ts';
import { startServer } from '../../../support/server.ts';
import { makeApp } from '../../support/make-app.ts';
import { channel } from '../conformance.ts';

const FULL_ACCESS = { privateChannels: 'all' } as const;

describe('a replica of the database', { skip: noPostgres() }, () => {
  let server: Postgres;
  let standby: Standby;
  let databaseUrl: string;
  let store: Store;
  let logLines: string[];

  before(async () => {
    server = await startPostgres({ durable: false });
    databaseUrl = await server.database();
    standby = await server.standby();
  });
  after(() => server.stop());

  const open = (databaseReplicaUrl: string | null): Promise<Store> =>
    openStore({ dataDir: '', databaseUrl, databaseReplicaUrl }, (line) => line.includes('REPLICA') && logLines.push(line));
  beforeEach(async () => {
    logLines = [];
    store = await open(standby.urlOf(databaseUrl));
    await store.putChannel(channel('1', { title: 'First' }));
  });
  afterEach(async () => {
    await standby.resume().catch(() => {});
    await store.close();
  });

  const titleOf = async (): Promise<string | undefined> => (await store.channel('1', FULL_ACCESS))?.title;
  const replicaTitleOf = (): Promise<string | undefined> => allowReplica(titleOf);
  /** Changes the title on the primary database without an event, as no process of the server does. */
  const changeSilently = async (title: string): Promise<void> => {
    const client = await openClient(databaseUrl);
    await client.query('UPDATE channels SET title = $1', [title]);
    await client.end();
  };
  /** Waits until `readTitle` reads from the standby, and stops the replay there. */
  const pauseInUse = (readTitle: () => Promise<string | undefined> = replicaTitleOf): Promise<void> =>
    until(async () => {
      await standby.resume();
      await standby.pause();
      await changeSilently(`Silent ${Math.random()}`);
      return (await readTitle()) !== (await titleOf());
    }, 'the store reads from the standby');
  /** Returns a function that reads the metric of the replica from /metrics of an app with this store. */
  const openGauge = async (t: TestContext): Promise<() => Promise<string | undefined>> => {
    const { context } = await makeApp(t, { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: standby.urlOf(databaseUrl) });
    const app = await buildApp({ ...context, store }, { level: 'error' });
    t.after(() => app.close());
    return async () => /^changer_replica_up (\S+)$/m.exec((await app.inject('/metrics')).body)?.[1];
  };

  it('serves only reads that may come from it', async () => {
    await pauseInUse();
    const before = await replicaTitleOf();
    await changeSilently('Second');
    assert.equal(await titleOf(), 'Second');
    assert.equal(await replicaTitleOf(), before);
  });

  it('is not used after a write until it has replayed it', async () => {
    await pauseInUse();
    await store.putChannel(channel('1', { title: 'Third' }));
    for (let read = 0; read < 20; read += 1) assert.equal(await replicaTitleOf(), 'Third');
    assert.equal(store.isReplicaCurrent(), false, 'it is behind');
    await standby.resume();
    await pauseInUse();
    assert.equal(store.isReplicaCurrent(), true);
  });

  it('is not used after an event of another process until it has replayed it', async () => {
    const titles: (string | undefined)[] = [];
    const unsubscribe = store.onChange(() => void replicaTitleOf().then((title) => titles.push(title)));
    const other = await open(null);
    await pauseInUse();
    titles.length = 0;
    await other.putChannel(channel('1', { title: 'Fourth' }));
    await until(async () => titles.length > 0, 'the event arrives');
    assert.deepEqual(new Set(titles), new Set(['Fourth']));
    unsubscribe();
    await other.close();
  });

  it('is replaced by the primary database while it is down, and used again afterwards', async (t) => {
    const readGauge = await openGauge(t);
    await pauseInUse();
    assert.equal(await readGauge(), '1');
    await standby.resume();
    await standby.kill();
    for (let read = 0; read < 20; read += 1) assert.equal(await replicaTitleOf(), await titleOf());
    assert.equal(await readGauge(), '0', 'the replica is down');
    await until(async () => logLines.length > 0, 'the outage is logged');
    await standby.start();
    await until(async () => logLines.length > 1, 'the end of the outage is logged');
    assert.equal(await readGauge(), '1', 'the replica is used again');
    await pauseInUse();
    assert.deepEqual(logLines, [
      'The replica of DATABASE_REPLICA_URL is not used: the primary database serves all reads.',
      'The replica of DATABASE_REPLICA_URL is used again.',
    ]);
  });

  it('is not used if it replicates another server', async () => {
    const other = await startPostgres({ durable: false });
    await store.close();
    store = await open(await other.database());
    await until(async () => logLines.length > 0, 'the fault is logged');
    assert.equal(await replicaTitleOf(), 'First');
    assert.equal(store.isReplicaCurrent(), false, 'no check has succeeded');
    await other.stop();
  });

  it('is reported by stores that wrap another one, and by none without a replica', async () => {
    await pauseInUse();
    for (const wrapped of [store.withAuditEntries([]), withRetries(store, () => {})])
      assert.equal(wrapped.isReplicaCurrent(), true);
    const other = await open(null);
    assert.equal(other.isReplicaCurrent(), null);
    await other.close();
  });

  it('has no metric without DATABASE_REPLICA_URL', async (t) => {
    const { app } = await makeApp(t, { DATABASE_URL: databaseUrl });
    assert.doesNotMatch((await app.inject('/metrics')).body, /changer_replica_up/);
  });

  it('leaves writes to the primary database', async () => {
    await pauseInUse();
    await allowReplica(() => store.putChannel(channel('1', { title: 'Fifth' })));
    assert.equal(await titleOf(), 'Fifth');
  });

  it('serves anonymous requests, but not those of readers', async () => {
    const app = await startServer({
      demo: false,
      env: { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URL: standby.urlOf(databaseUrl) },
    });
    const requestTitle = async (headers: Record<string, string> = {}): Promise<string> =>
      ((await (await fetch(`${app.origin}/api/channels/1`, { headers })).json()) as { title: string }).title;
    await pauseInUse(() => requestTitle());
    assert.equal(await requestTitle({ authorization: 'Bearer of anything' }), await titleOf());
    await app.stop();
  });
});
