// Deferred statements: a transaction sends statements without a result together with the next statement that has one.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openStore } from '../../../../server/storage/open.ts';
import { openPool, type Pool } from '../../../../server/storage/postgres/connection-pool.ts';
import { POSTGRES_DIALECT } from '../../../../server/storage/postgres/dialect.ts';
import { createPostgresEngine } from '../../../../server/storage/postgres/engine.ts';
import { createStore } from '../../../../server/storage/sql/create-store.ts';
import type { Engine } from '../../../../server/storage/sql/engine.ts';
import { execute, integer, type Operation, queryFirst } from '../../../../server/storage/sql/statements.ts';
import { noPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts';
import { channel, message } from '../conformance.ts';

/** Counts the packets of a transaction's steps, without `BEGIN` and `COMMIT`. */
const countSteps = (pool: Pool): { readonly pool: Pool; readonly sizes: number[] } => {
  const sizes: number[] = [];
  const acquire = async () => {
    const connection = await pool.acquire();
    const queryAll: typeof connection.queryAll = (statements, onResponse) => {
      sizes.push(statements.length);
      return connection.queryAll(statements, onResponse);
    };
    return { ...connection, queryAll };
  };
  return { pool: { ...pool, acquire }, sizes };
};

describe('deferred statements', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: false });
  });
  after(() => server.stop());

  const openCounted = async (t: TestContext) => {
    const databaseUrl = await server.database();
    await (await openStore({ dataDir: '', databaseUrl })).close();
    const { pool, sizes } = countSteps(openPool(databaseUrl));
    const engine = createPostgresEngine(pool);
    t.after(() => engine.close());
    return { engine, sizes };
  };

  const countFacts = async (engine: Engine): Promise<number> =>
    integer((await engine.read(queryFirst('SELECT count(*) AS n FROM facts'))) ?? {}, 'n');

  const insertFact = (name: string) => execute('INSERT INTO facts (name, value) VALUES (?, ?)', name, '1');

  it('stores a new post in five round trips', async (t) => {
    const { engine, sizes } = await openCounted(t);
    const store = createStore(engine, POSTGRES_DIALECT);
    await store.putChannel(channel('1'));
    await store.putMessages([message('1', 1, { source: 'bot' })]);
    sizes.length = 0;
    await store.putMessages([message('1', 2, { source: 'bot' })]);
    assert.equal(sizes.length, 5, `statements of each round trip: ${sizes}`);
    assert.deepEqual((await store.channelAndPost('1', 2, { privateChannels: [] })).post?.id, 2);
  });

  it('shows an operation the effects of its own statements', async (t) => {
    const { engine } = await openCounted(t);
    const before = await countFacts(engine);
    function* insertAndCount(): Operation<number> {
      yield* insertFact('one');
      yield* insertFact('two');
      return integer((yield* queryFirst('SELECT count(*) AS n FROM facts')) ?? {}, 'n');
    }
    assert.equal(await engine.write(insertAndCount()), before + 2);
  });

  it('rolls back if a deferred statement fails, and can be used afterwards', async (t) => {
    const { engine } = await openCounted(t);
    const before = await countFacts(engine);
    function* insertTwice(): Operation<void> {
      yield* insertFact('one');
      yield* insertFact('two');
      yield* insertFact('one');
    }
    await assert.rejects(engine.write(insertTwice()), { code: '23505' });
    assert.equal(await countFacts(engine), before);
    await engine.write(insertFact('one'));
    assert.equal(await countFacts(engine), before + 1);
  });

  it('sends a long operation in packets of limited size', async (t) => {
    const { engine, sizes } = await openCounted(t);
    const before = await countFacts(engine);
    function* insertMany(): Operation<void> {
      for (let number = 0; number < 1000; number += 1) yield* insertFact(`fact ${number}`);
    }
    await engine.write(insertMany());
    assert.equal(await countFacts(engine), before + 1000);
    assert.ok(Math.max(...sizes) <= 257, `statements of each round trip: ${sizes}`);
    assert.ok(sizes.length < 6, `statements of each round trip: ${sizes}`);
  });
});
