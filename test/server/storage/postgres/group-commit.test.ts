// Group commit: writes of the content that wait share a transaction, and fail separately.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openStore } from '../../../../server/storage/open.ts';
import { POSTGRES_DIALECT } from '../../../../server/storage/postgres/dialect.ts';
import { createStore } from '../../../../server/storage/sql/create-store.ts';
import { execute, type Operation, queryAll, queryFirst, text } from '../../../../server/storage/sql/statements.ts';
import { until } from '../../../support/browser.ts';
import { noPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts';
import { channel, message } from '../conformance.ts';
import { openObservedEngine } from './observed-engine.ts';

const WRITES = 25;

/** Thrown by an operation in order to roll back. */
class RollBack extends Error {}

function* insertFact(number: number): Operation<number> {
  yield* execute('INSERT INTO facts (name, value) VALUES (?, ?)', `fact ${number}`, '1');
  yield* queryFirst('SELECT 1 AS n');
  return number;
}

function* insertAndRollBack(number: number): Operation<number> {
  yield* insertFact(number);
  throw new RollBack();
}

describe('group commit', { skip: noPostgres() }, () => {
  let server: Postgres;
  before(async () => {
    server = await startPostgres({ durable: false });
  });
  after(() => server.stop());

  const openWithNames = async (t: TestContext) => {
    const observed = await openObservedEngine(server, t);
    const names = async () =>
      (await observed.engine.read(queryAll("SELECT name FROM facts WHERE name LIKE 'fact %'"))).map((row) => text(row, 'name'));
    return { ...observed, names };
  };

  it('commits waiting writes together, and returns the result of each', async (t) => {
    const { engine, transactions, names } = await openWithNames(t);
    const results = await Promise.all(Array.from({ length: WRITES }, (_, number) => engine.write(insertFact(number))));
    assert.deepEqual(
      results,
      Array.from({ length: WRITES }, (_, number) => number),
    );
    assert.equal((await names()).length, WRITES);
    // The first write does not wait for others.
    assert.equal(transactions.length, 4);
  });

  it('rolls back only the writes that fail', async (t) => {
    const { engine, names } = await openWithNames(t);
    await engine.write(insertFact(7));
    const results = await Promise.allSettled([
      engine.write(insertFact(0)),
      engine.write(insertFact(1)),
      // Its only statement with this effect is deferred to the end of the write.
      engine.write(execute("INSERT INTO facts (name, value) VALUES ('fact 7', '2')")),
      engine.write(insertFact(2)),
      engine.write(insertAndRollBack(3)),
      engine.write(insertFact(7)),
      engine.write(insertFact(4)),
    ]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason.code ?? result.reason.constructor))),
      [0, 1, '23505', 2, RollBack, '23505', 4],
    );
    assert.deepEqual((await names()).toSorted(), ['fact 0', 'fact 1', 'fact 2', 'fact 4', 'fact 7']);
  });

  it('keeps the other writes if one fails before any of its statements was sent', async (t) => {
    const { engine, names } = await openWithNames(t);
    const failing = (function* (): Operation<void> {
      yield* execute("INSERT INTO facts (name, value) VALUES ('fact 3', '1')");
      throw new RollBack();
    })();
    const results = await Promise.allSettled([
      engine.write(insertFact(0)),
      engine.write(insertFact(1)),
      engine.write(failing),
      engine.write(insertFact(2)),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual((await names()).toSorted(), ['fact 0', 'fact 1', 'fact 2']);
  });

  it('notifies the other processes of an event if an earlier write with an event fails', async (t) => {
    const { databaseUrl, engine } = await openWithNames(t);
    const other = await openStore({ dataDir: '', databaseUrl });
    t.after(() => other.close());
    const store = createStore(engine, POSTGRES_DIALECT);
    await store.putChannel(channel('1'));
    let changes = 0;
    other.onChange(() => {
      changes += 1;
    });
    await until(async () => changes > 0, 'the other process listens');
    changes = 0;
    const failing = (function* (): Operation<void> {
      yield [
        { text: "INSERT INTO events (kind, channel) VALUES ('new', '1')", values: [], returns: 'nothing', appendsEvent: true },
      ];
      yield* insertAndRollBack(1);
    })();
    const [, failed] = await Promise.allSettled([
      engine.write(insertFact(0)),
      engine.write(failing),
      store.putMessages([message('1', 1, { source: 'bot' })]),
    ]);
    assert.equal(failed.status, 'rejected');
    await until(async () => changes > 0, 'the other process is notified');
    assert.equal((await other.posts({ limit: 5 }, { privateChannels: [] })).length, 1);
  });
});
