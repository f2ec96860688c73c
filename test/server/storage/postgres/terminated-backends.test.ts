// Terminated backends: connections are terminated in the middle of transactions while other transactions write. The rows
// show on which connection and in which transaction each statement ran.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openPool } from '../../../../server/storage/postgres/connection-pool.ts';
import { createPostgresEngine } from '../../../../server/storage/postgres/engine.ts';
import type { Engine } from '../../../../server/storage/sql/engine.ts';
import { executeEach, type Operation, queryFirst } from '../../../../server/storage/sql/statements.ts';
import { until } from '../../../support/browser.ts';
import { noPostgres, openClient, startPostgres } from '../../../support/postgres.ts';

const ROUNDS = 200;
const WRITERS = 12;
/** Rows of each transaction. */
const PARTS = 6;

/** Number of writers that write content, and not the rows of one reader. */
const CONTENT_WRITERS = WRITERS / 4;
const isContentWriter = (writer: number): boolean => writer % 4 === 0;

const INSERT_SQL = 'INSERT INTO parts (write_id, part) VALUES (?, ?)';

/** Outcome of a write, as its caller knows it. */
type Outcome = 'acknowledged' | 'rolled back' | 'unknown';

interface Write {
  readonly kind: 'transaction' | 'statement';
  outcome: Outcome;
}

/** Thrown by an operation in order to roll back. */
class RollBack extends Error {}

/** Inserts the rows of one transaction, one or two in a step. Rolls back before the last one with `fails`. */
function* insertParts(writeId: number, fails: boolean): Operation<void> {
  for (let part = 0; part < PARTS; part += 2) {
    yield* executeEach([{ text: INSERT_SQL, values: [writeId, part] }]);
    yield* queryFirst('SELECT pg_sleep(?)', Math.random() / 500);
    if (fails && part + 2 === PARTS) throw new RollBack();
    yield* executeEach([
      { text: INSERT_SQL, values: [writeId, part + 1] },
      { text: 'UPDATE writers SET writes = writes + 1 WHERE id = ?', values: [writeId % WRITERS] },
    ]);
  }
}

/** Writes until `isOver`. Every fifth write is one statement without a transaction, and every seventh is rolled back. */
const writeUntil = async (engine: Engine, writer: number, writes: Map<number, Write>, isOver: () => boolean): Promise<void> => {
  for (let count = 0; !isOver(); count += 1) {
    const writeId = count * WRITERS + writer;
    const kind = count % 5 === 4 ? 'statement' : 'transaction';
    const write: Write = { kind, outcome: 'unknown' };
    writes.set(writeId, write);
    // Writes of a reader run in parallel. Those of the content run one after another, and may share a transaction.
    const readerId = isContentWriter(writer) ? undefined : `${writer}`;
    const running =
      kind === 'statement'
        ? engine.read(executeEach([{ text: INSERT_SQL, values: [writeId, 0] }]))
        : engine.write(insertParts(writeId, count % 7 === 6), readerId);
    await running.then(
      () => {
        write.outcome = 'acknowledged';
      },
      (error: unknown) => {
        if (error instanceof RollBack) write.outcome = 'rolled back';
      },
    );
  }
};

interface StoredWrite {
  readonly parts: number[];
  readonly transactions: string[];
}

/** Fails unless the stored rows of a write match its outcome. */
const checkWrite = (writeId: number, { kind, outcome }: Write, stored: StoredWrite | undefined): void => {
  const label = `${kind} ${writeId}, ${outcome}`;
  const complete = kind === 'statement' ? [0] : Array.from({ length: PARTS }, (_, part) => part);
  const isStored = outcome === 'acknowledged' || (outcome === 'unknown' && stored !== undefined);
  assert.deepEqual(stored?.parts, isStored ? complete : undefined, label);
  assert.equal(stored?.transactions.length, isStored ? 1 : undefined, `${label}: all rows are of one transaction`);
};

const setUp = async (t: TestContext) => {
  const server = await startPostgres({ durable: false });
  const url = await server.database();
  const client = await openClient(url);
  const pool = openPool(`${url}?max=5`);
  t.after(async () => {
    await pool.end();
    await client.end();
    await server.stop();
  });
  await client.query(`
    CREATE TABLE parts (
      write_id BIGINT, part BIGINT, backend BIGINT DEFAULT pg_backend_pid()
    );
    CREATE TABLE writers (id BIGINT, writes BIGINT);
    INSERT INTO writers SELECT n, 0 FROM generate_series(0, ${WRITERS - 1}) n`);
  /** Terminates the backend of one transaction. Returns whether there was one. */
  const terminateOne = async (): Promise<boolean> => {
    const { rowCount } = await client.query(`
      SELECT pg_terminate_backend(pid) FROM (
        SELECT pid FROM pg_stat_activity
        WHERE application_name = 'channel-changer' AND xact_start IS NOT NULL ORDER BY random() LIMIT 1
      ) victim`);
    return rowCount === 1;
  };
  return { client, engine: createPostgresEngine(pool), terminateOne };
};

describe('PostgreSQL transactions whose backends are terminated', { skip: noPostgres(), timeout: 120_000 }, () => {
  it('are stored completely or not at all, and never in another transaction', async (t) => {
    const { client, engine, terminateOne } = await setUp(t);
    const writes = new Map<number, Write>();
    let round = 0;
    const writers = Array.from({ length: WRITERS }, (_, writer) => writeUntil(engine, writer, writes, () => round >= ROUNDS));
    const count = (outcome: Outcome) => [...writes.values()].filter((write) => write.outcome === outcome).length;
    try {
      while (round < ROUNDS) {
        const acknowledgedCount = count('acknowledged');
        await until(async () => count('acknowledged') > acknowledgedCount, 'a write is acknowledged');
        if (await terminateOne()) round += 1;
      }
    } finally {
      round = ROUNDS;
    }
    await Promise.all(writers);

    const { rows } = await client.query<{ write_id: string } & StoredWrite>(`
      SELECT write_id, array_agg(part::int ORDER BY part) AS parts, array_agg(DISTINCT xmin::text) AS transactions
      FROM parts GROUP BY write_id`);
    const stored = new Map(rows.map(({ write_id, ...row }) => [Number(write_id), row]));
    for (const [writeId, write] of writes) checkWrite(writeId, write, stored.get(writeId));
    const shared = await client.query('SELECT xmin::text FROM parts GROUP BY 1 HAVING count(DISTINCT write_id) > 1');
    assert.deepEqual(shared.rows, [], 'no transaction, or part of one between savepoints, contains rows of two writes');
    const counted = await client.query<{ writes: string }>('SELECT sum(writes) AS writes FROM writers');
    const storedTransactions = [...stored.keys()].filter((writeId) => writes.get(writeId)?.kind === 'transaction').length;
    assert.equal(Number(counted.rows[0]?.writes), (storedTransactions * PARTS) / 2, 'changes of other tables match');

    t.diagnostic(`${count('acknowledged')} acknowledged, ${count('unknown')} failed, ${count('rolled back')} rolled back`);
    assert.ok(count('acknowledged') >= ROUNDS && count('unknown') >= ROUNDS / 2 && count('rolled back') > 0);
    const unknown = [...writes].filter(([, { outcome }]) => outcome === 'unknown').map(([writeId]) => writeId % WRITERS);
    const unknownOfContent = unknown.filter(isContentWriter).length;
    const lostTransactions = unknown.length - unknownOfContent + unknownOfContent / CONTENT_WRITERS;
    assert.ok(lostTransactions <= ROUNDS, 'a terminated connection fails only the writes of its own transaction');
  });
});
