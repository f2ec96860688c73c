// Deferred statements: a transaction sends statements without a result together with the next statement that has one.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { POSTGRES_DIALECT } from '../../../../server/storage/postgres/dialect.ts';
import { createStore } from '../../../../server/storage/sql/create-store.ts';
import type { Engine } from '../../../../server/storage/sql/engine.ts';
import { execute, integer, type Operation, queryFirst } from '../../../../server/storage/sql/statements.ts';
import { noPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts';
import { channel, message } from '../conformance.ts';
import { openObservedEngine } from './observed-engine.ts';

describe('deferred statements', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: false });
  });
  after(() => server.stop());

  const countFacts = async (engine: Engine): Promise<number> =>
    integer((await engine.read(queryFirst('SELECT count(*) AS n FROM facts'))) ?? {}, 'n');

  const insertFact = (name: string) => execute('INSERT INTO facts (name, value) VALUES (?, ?)', name, '1');

  it('stores a new post in five round trips', async (t) => {
    const { engine, transactions } = await openObservedEngine(server, t);
    const store = createStore(engine, POSTGRES_DIALECT);
    await store.putChannel(channel('1'));
    await store.putMessages([message('1', 1, { source: 'bot' })]);
    transactions.length = 0;
    await store.putMessages([message('1', 2, { source: 'bot' })]);
    const sizes = transactions.flat();
    assert.equal(sizes.length, 5, `statements of each round trip: ${sizes}`);
    assert.deepEqual((await store.channelAndPost('1', 2, { privateChannels: [] })).post?.id, 2);
  });

  it('shows an operation the effects of its own statements', async (t) => {
    const { engine } = await openObservedEngine(server, t);
    const before = await countFacts(engine);
    function* insertAndCount(): Operation<number> {
      yield* insertFact('one');
      yield* insertFact('two');
      return integer((yield* queryFirst('SELECT count(*) AS n FROM facts')) ?? {}, 'n');
    }
    assert.equal(await engine.write(insertAndCount()), before + 2);
  });

  it('rolls back if a deferred statement fails, and can be used afterwards', async (t) => {
    const { engine } = await openObservedEngine(server, t);
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
    const { engine, transactions } = await openObservedEngine(server, t);
    const before = await countFacts(engine);
    function* insertMany(): Operation<void> {
      for (let number = 0; number < 1000; number += 1) yield* insertFact(`fact ${number}`);
    }
    await engine.write(insertMany());
    assert.equal(await countFacts(engine), before + 1000);
    const sizes = transactions.flat();
    assert.ok(Math.max(...sizes) <= 257, `statements of each round trip: ${sizes}`);
    assert.ok(sizes.length < 6, `statements of each round trip: ${sizes}`);
  });
});
