// Silent PostgreSQL connection: a connection whose packets are dropped is closed after a timeout.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { openPool } from '../../../../server/storage/postgres/connection-pool.ts';
import { until } from '../../../support/browser.ts';
import { noPostgres, startPostgres } from '../../../support/postgres.ts';

/** Starts a proxy between a pool and its database, on an IPv6 address. It can drop all packets of the current connections. */
async function startNetwork(to: number) {
  const pairs: (readonly [Socket, Socket])[] = [];
  const server = createServer((downstream) => {
    const upstream = connect(to, '127.0.0.1');
    pairs.push([downstream, upstream]);
    downstream.pipe(upstream).pipe(downstream);
    for (const each of [downstream, upstream]) each.on('error', () => {});
  }).listen(0, '::1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? address?.port : 0,
    connections: () => pairs.length,
    close() {
      for (const each of pairs.flat()) each.destroy();
      server.close();
    },
    drop() {
      for (const [downstream, upstream] of pairs) {
        downstream.unpipe(upstream);
        upstream.unpipe(downstream);
        for (const each of [downstream, upstream]) each.pause();
      }
    },
  };
}

describe('a database connection whose packets are dropped', { skip: noPostgres() }, () => {
  it('is closed, and another one is opened', async (t) => {
    const database = await startPostgres({ durable: false });
    const { port, pathname } = new URL(await database.database());
    const network = await startNetwork(Number(port));
    const pool = openPool(`postgres://changer@[::1]:${network.port}${pathname}?max=1`, {
      maxMs: 1200,
      hasOverdueStatement: () => true,
    });
    t.after(async () => {
      await pool.end(1000);
      network.close();
      await database.stop();
    });
    const query = async () => (await pool.query<{ one: number }>('SELECT 1 AS one')).rows[0]?.one;
    assert.equal(await query(), 1);
    // The server ends a statement before the connection counts as silent.
    await assert.rejects(pool.query('SELECT pg_sleep(30)'), { code: '57014' });
    network.drop();
    await assert.rejects(query(), { code: 'CONNECTION_CLOSED' });
    await until(async () => (await query()) === 1, 'the database responds again');
    assert.equal(network.connections(), 2);
  });

  it('stays open during a long statement if the pool has no time limit', async (t) => {
    const database = await startPostgres({ durable: false });
    const pool = openPool(await database.database());
    t.after(async () => {
      await pool.end(1000);
      await database.stop();
    });
    assert.deepEqual((await pool.query('SHOW statement_timeout')).rows, [{ statement_timeout: '0' }]);
    assert.deepEqual((await pool.query('SELECT 1 AS one FROM pg_sleep(2)')).rows, [{ one: 1 }]);
  });
});
