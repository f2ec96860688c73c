// PostgreSQL engine of the store.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore } from '../../../server/storage/open.ts';
import type { BusMessage } from '../../../server/storage/ports/bus-message.ts';
import { openPool } from '../../../server/storage/postgres/connection-pool.ts';
import { withReadSnapshot } from '../../../server/storage/postgres/engine.ts';
import { queryFirst } from '../../../server/storage/sql/statements.ts';
import { until } from '../../support/browser.ts';
import { noPostgres, openClient, type Postgres, startPostgres } from '../../support/postgres.ts';
import { channel, message, storeConformance } from './conformance.ts';
import { channelPageConformance } from './conformance-channels.ts';
import { feedConformance } from './conformance-feeds.ts';
import { liveConformance } from './conformance-live.ts';
import { notificationConformance } from './conformance-notifications.ts';
import { retentionConformance } from './conformance-retention.ts';

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
  channelPageConformance('PostgreSQL', openEmpty);
  liveConformance('PostgreSQL', openEmpty);
  retentionConformance('PostgreSQL', openEmpty);
  notificationConformance('PostgreSQL', openEmpty);
  feedConformance('PostgreSQL', openEmpty);

  it('keeps running if the database rejects every statement while a connection is opened', async () => {
    const databaseUrl = await server.database();
    const name = new URL(databaseUrl).pathname.slice(1);
    const client = await openClient(databaseUrl);
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = '1ms'`);
    await client.end();
    let failed = 0;
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const pool = openPool(databaseUrl);
      await pool.query('SELECT count(*) FROM pg_attribute a, pg_attribute b').catch(() => {
        failed += 1;
      });
      await pool.end(1000);
    }
    // The test runner reports an uncaught exception in the process.
    assert.equal(failed, 30);
  });

  it('is migrated once by processes that start together', async () => {
    const databaseUrl = await server.database();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore({ dataDir: '', databaseUrl })));
    const [one, other] = stores;
    await one?.putChannel(channel('1'));
    await one?.putMessages([message('1', 1)]);
    assert.equal((await other?.posts({ limit: 5 }, { privateChannels: [] }))?.length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('ends the function that reads a snapshot before it fails, if the connection is lost between two statements', async (t) => {
    const databaseUrl = await server.database();
    const pool = openPool(databaseUrl);
    t.after(() => pool.end(1000));
    let isOver = false;
    const snapshot = withReadSnapshot(pool, async ({ read }) => {
      try {
        await read(queryFirst('SELECT 1 AS n'));
        await server.terminateIdleTransactions(databaseUrl);
        await read(queryFirst('SELECT 2 AS n'));
      } finally {
        isOver = true;
      }
    });
    await assert.rejects(snapshot, { code: 'CONNECTION_CLOSED' });
    assert.ok(isOver);
  });

  it('sends messages and the notification of appended events to the other processes, and ignores malformed payloads', async (t) => {
    const databaseUrl = await server.database();
    const [sender, receiver] = [await openStore({ dataDir: '', databaseUrl }), await openStore({ dataDir: '', databaseUrl })];
    const client = await openClient(databaseUrl);
    t.after(() => Promise.all([sender.close(), receiver.close(), client.end()]));
    const payloads: string[] = [];
    client.on('notification', ({ payload = '' }) => void payloads.push(payload));
    await client.query('LISTEN changer_events');
    const received: BusMessage[] = [];
    receiver.subscribe((message) => void received.push(message));
    const last: BusMessage = { type: 'reader-left', readerId: 'last' };
    const isListening = async () => {
      await sender.publish(last);
      return received.length > 0;
    };
    await until(isListening, 'the receiver listens');
    received.length = 0;
    payloads.length = 0;

    const changed: BusMessage = { type: 'reader-changed', readerId: '17', sessionHash: 'ab12' };
    await sender.publish(changed);
    for (const payload of ['left 17', '{"type":"reader-left"}', 'neither'])
      await client.query("SELECT pg_notify('changer_events', $1)", [payload]);
    await sender.appendEvent('refresh', '1');
    await sender.publish(last);
    await until(
      async () => received.some((message) => message.readerId === 'last' && received.length > 2),
      'all messages are received',
    );
    assert.deepEqual(
      received.filter(({ readerId }) => readerId !== 'last'),
      [changed, { type: 'reader-left', readerId: '17' }],
    );
    await until(async () => payloads.includes(''), 'the appended event is reported');
    assert.ok(payloads.includes(JSON.stringify(changed)));
  });

  const openError = (databaseUrl: string): Promise<string> =>
    openStore({ dataDir: '', databaseUrl }).then(
      () => 'opened',
      (error: Error) => error.message,
    );

  it('is rejected if its URL is invalid, with an error message that contains no password', async () => {
    for (const address of ['user:hunter2%zz@host/db', 'user:hunter2@host:99999/db', 'user:12#hunter2@host/db'])
      assert.match(
        await openError(`postgres://${address}`),
        /^DATABASE_URL: the database cannot be opened: its address should be postgres:\/\/name:password@host:5432\/database, [^\n]+\.$/,
      );
  });

  it('is opened through a socket in a folder', async () => {
    const { port, pathname } = new URL(await server.database());
    for (const address of [`changer@:${port}`, `changer@nowhere.invalid:${port}`]) {
      const store = await openStore({ dataDir: '', databaseUrl: `postgres://${address}${pathname}?max=2&host=${server.folder}` });
      await store.close();
    }
    assert.match(
      await openError(`postgres://changer@${pathname}?host=/nowhere`),
      /: there is no socket in the directory of its address\.$/,
    );
  });

  it('is rejected if the URL requires TLS and the server has none', async () => {
    assert.match(
      await openError(`${await server.database()}?sslmode=require`),
      /: its server has no TLS, [^\n]+ sslmode[^\n]+\.$/,
    );
  });

  it('is rejected if its encoding cannot store every post', async (t) => {
    const databaseUrl = await server.database();
    const client = await openClient(databaseUrl);
    t.after(() => client.end());
    await client.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    assert.match(
      await openError(databaseUrl.replace(/\/\w+$/, '/latin')),
      /: its encoding is LATIN1, and it should be UTF8: [^\n]+\.$/,
    );
  });
});
