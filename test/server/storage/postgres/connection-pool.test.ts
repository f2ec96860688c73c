// PostgreSQL connection pool: types of values, errors, transactions, hosts and the end of the pool.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { openPool, type Pool } from '../../../../server/storage/postgres/connection-pool.ts';
import { prepareStatement } from '../../../../server/storage/postgres/prepared-statements.ts';
import { runInTransaction } from '../../../../server/storage/postgres/transaction.ts';
import { until } from '../../../support/browser.ts';
import { noPostgres, openClient, type Postgres, startPostgres } from '../../../support/postgres.ts';

describe('a PostgreSQL pool', { skip: noPostgres() }, () => {
  let server: Postgres;
  let url: string;
  before(async () => {
    server = await startPostgres({ durable: false });
    url = await server.database();
    const client = await openClient(url);
    await client.query('CREATE TABLE numbers (n BIGINT PRIMARY KEY)');
    await client.end();
  });
  after(() => server.stop());

  const openFor = (t: TestContext, address = url): Pool => {
    const pool = openPool(address);
    t.after(() => pool.end(1000));
    return pool;
  };
  const connect = async (t: TestContext, address = url) => {
    const client = await openClient(address);
    t.after(() => client.end());
    return client;
  };
  const numbersIn = async (pool: Pool): Promise<number[]> =>
    (await pool.query<{ n: number }>('SELECT n FROM numbers ORDER BY n')).rows.map(({ n }) => n);

  it('returns integers and decimals as numbers, true as 1, and text and JSON as they are', async (t) => {
    const pool = openFor(t);
    const types = `SELECT 9007199254740991::int8 AS int8, -7::int4 AS int4, 1.5::numeric AS decimal, 0.25::float8 AS float8,
      true AS yes, false AS no, NULL::bool AS none, 'a'::text AS text, '[1]'::json AS json, '\\x01'::bytea AS bytes`;
    const expected = {
      ...{ int8: 9007199254740991, int4: -7, decimal: 1.5, float8: 0.25, yes: 1, no: 0, none: null },
      ...{ text: 'a', json: [1], bytes: Buffer.from([1]) },
    };
    for (const name of [undefined, 'types']) assert.deepEqual((await pool.query(types, [], name)).rows, [expected]);
    const { rows } = await pool.query('SELECT $1::int8 AS number, $2::text AS text, $3::text AS none', [2 ** 40, 'é', null]);
    assert.deepEqual(rows, [{ number: 2 ** 40, text: 'é', none: null }]);
    // Parsers belong to the pool, and other users of the driver keep theirs.
    assert.deepEqual((await (await connect(t)).query('SELECT 1::int8 AS n')).rows, [{ n: '1' }]);
  });

  it('returns the number of changed rows, and the result of the last of several statements', async (t) => {
    const pool = openFor(t);
    assert.equal((await pool.query('INSERT INTO numbers VALUES (1), (2)')).count, 2);
    assert.equal((await pool.query('DELETE FROM numbers WHERE n > $1', [1])).count, 1);
    assert.deepEqual((await pool.query('DELETE FROM numbers; SELECT 7 AS n')).rows, [{ n: 7 }]);
  });

  it('keeps a connection after a rejected statement, and replaces a lost one', async (t) => {
    const pool = openFor(t, `${url}?max=1`);
    const backend = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
    const first = await backend();
    await assert.rejects(pool.query('SELECT 1 / 0'), { code: '22012' });
    assert.equal(await backend(), first);
    await assert.rejects(pool.query('SELECT pg_terminate_backend(pg_backend_pid())'), { code: '57P01' });
    assert.notEqual(await backend(), first);
  });

  it('executes a prepared statement again if the schema has changed meanwhile', async (t) => {
    const [pool, client] = [openFor(t, `${url}?max=2`), await connect(t)];
    await client.query('CREATE TABLE changing (a BIGINT); INSERT INTO changing VALUES (1)');
    const read = async () => (await pool.query('SELECT * FROM changing', [], 'changing')).rows;
    assert.deepEqual(await Promise.all([read(), read()]), [[{ a: 1 }], [{ a: 1 }]]);
    await client.query('ALTER TABLE changing ADD COLUMN b BIGINT');
    for (let attempt = 0; attempt < 4; attempt += 1) assert.deepEqual(await read(), [{ a: 1, b: null }]);
  });

  it('names each statement of the store by its text, up to a limit', () => {
    const one = prepareStatement('SELECT 1 FROM t WHERE a = ?');
    assert.equal(one.text, 'SELECT 1 FROM t WHERE a = $1');
    assert.match(one.name ?? '', /^[\w-]{16}$/);
    assert.deepEqual(prepareStatement('SELECT 1 FROM t WHERE a = ?'), one);
    assert.equal(prepareStatement('SELECT 1 WHERE a @@ ?').name, undefined, 'a search is planned each time');
    const names = Array.from({ length: 2000 }, (_, count) => prepareStatement(`SELECT ${count}`).name);
    assert.notEqual(names[0], names[1]);
    assert.ok(new Set(names).size < 1000, `${new Set(names).size} names`);
    assert.equal(prepareStatement('SELECT 1 FROM t WHERE a = ?').name, one.name);
  });

  it('contains no password in its errors', async (t) => {
    const { host, pathname } = new URL(url);
    for (const address of [`changer:hunter2@${host}/nowhere`, `changer:hunter2@127.0.0.1:1${pathname}`]) {
      const pool = openFor(t, `postgres://${address}`);
      const error = await pool.query('SELECT 1').catch((reason: unknown) => reason);
      assert.ok(error instanceof Error);
      assert.doesNotMatch(inspect({ error, pool }, { depth: Number.POSITIVE_INFINITY, showHidden: true }), /hunter2/);
    }
  });

  it('uses the next host if one does not respond or may not be written', async (t) => {
    const standby = await startPostgres({ durable: false });
    t.after(() => standby.stop());
    const standbyUrl = new URL(await standby.database());
    const admin = await connect(t, String(standbyUrl));
    await admin.query(`ALTER DATABASE ${standbyUrl.pathname.slice(1)} SET default_transaction_read_only = on`);
    const [{ host, pathname }, name] = [new URL(url), standbyUrl.pathname];
    assert.equal(name, pathname, 'both servers have a database of this name');
    const portOf = async (query: string) => {
      const pool = openFor(t, `postgres://changer@127.0.0.1:1,${standbyUrl.host},${host}${pathname}${query}`);
      return (await pool.query<{ port: string }>("SELECT current_setting('port') AS port")).rows[0]?.port;
    };
    assert.equal(await portOf(''), standbyUrl.port);
    assert.equal(await portOf('?target_session_attrs=read-write'), new URL(url).port);
  });

  it('sends settings of its address to the server', async (t) => {
    const pool = openFor(t, `${url}?search_path=%22a%20b%22,public&statement_timeout=1234&application_name=x`);
    const { rows } = await pool.query(`SELECT current_setting('search_path') AS path,
      current_setting('statement_timeout') AS timeout, current_setting('application_name') AS name`);
    assert.deepEqual(rows, [{ path: '"a b",public', timeout: '1234ms', name: 'x' }]);
  });

  it('completes running and waiting statements when it ends, and rejects later ones', async () => {
    const pool = openPool(`${url}?max=1`);
    const statements = [1, 2, 3].map((n) => pool.query(`SELECT ${n} AS n FROM pg_sleep(0.05)`));
    const ended = pool.end();
    await assert.rejects(pool.query('SELECT 1'), { code: 'CONNECTION_ENDED' });
    assert.deepEqual(
      (await Promise.all(statements)).map(({ rows }) => rows),
      [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]],
    );
    await ended;
  });

  it('rejects statements that do not complete before its time limit when it ends', async () => {
    const pool = openPool(`${url}?max=1`);
    const statements = Promise.allSettled([1, 2].map(() => pool.query('SELECT pg_sleep(30)')));
    await pool.end(200);
    for (const result of await statements) assert.equal(result.status === 'rejected' && result.reason.code, 'CONNECTION_CLOSED');
  });

  describe('transaction', () => {
    it('is rolled back if its task fails, even if statements are still running, and its connection can be used', async (t) => {
      const pool = openFor(t, `${url}?max=1`);
      const transaction = runInTransaction(pool, async (connection) => {
        void connection.query('INSERT INTO numbers VALUES (10)');
        void connection.query('SELECT pg_sleep(0.1)');
        void connection.query('INSERT INTO numbers VALUES (11)');
        throw new Error('The task fails.');
      });
      await assert.rejects(transaction, /The task fails/);
      assert.deepEqual(await numbersIn(pool), []);
    });

    it('rejects if a statement failed and its task ignored that', async (t) => {
      const pool = openFor(t);
      const transaction = runInTransaction(pool, async (connection) => {
        await connection.query('INSERT INTO numbers VALUES (20)');
        await connection.query('SELECT 1 / 0').catch(() => {});
      });
      await assert.rejects(transaction, { code: '25P02' });
      assert.deepEqual(await numbersIn(pool), []);
    });

    it('rejects statements that its task sends after its end', async (t) => {
      const pool = openFor(t, `${url}?max=1`);
      let late = async () => {};
      await runInTransaction(pool, async (connection) => {
        late = async () => void (await connection.query('INSERT INTO numbers VALUES (30)'));
      });
      await assert.rejects(late(), /transaction has ended/);
      assert.deepEqual(await numbersIn(pool), []);
    });

    it('does not begin if the server cancels its first statement', async (t) => {
      const [pool, client] = [openFor(t, `${url}?max=1&statement_timeout=100`), await connect(t)];
      await client.query('SELECT pg_advisory_lock(7)');
      let isBegun = false;
      const begin = async () => {
        isBegun = true;
      };
      const first = { text: 'SELECT pg_advisory_xact_lock(7)', values: [] };
      await assert.rejects(runInTransaction(pool, begin, { first }), { code: '57014' });
      assert.equal(isBegun, false);
      assert.deepEqual(await numbersIn(pool), []);
    });
  });

  it('receives notifications again after the listening connection was terminated', async (t) => {
    const [pool, client] = [openFor(t), await connect(t)];
    const received: string[] = [];
    let openings = 0;
    pool.listen(
      'things',
      (payload) => void received.push(payload),
      () => {
        openings += 1;
      },
    );
    const notify = (payload: string) => client.query("SELECT pg_notify('things', $1)", [payload]);
    await until(async () => openings === 1, 'it listens');
    await notify('one');
    await until(async () => received.includes('one'), 'the first notification is received');
    await client.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
    await until(async () => openings === 2, 'it listens again');
    await notify('two');
    await until(async () => received.includes('two'), 'the second notification is received');
    assert.deepEqual(received, ['one', 'two']);
  });
});
