// Database timeouts: requests that wait for a silent database fail in time.
// Runs alone: it measures how soon statements fail.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createCircuitBreaker } from '../../../server/storage/postgres/circuit-breaker.ts';

const LIMIT = 10_000;
const never = () => new Promise<never>(() => {});
const SILENT = { code: 'DATABASE_SILENT' };

describe('a statement that waits for the database', () => {
  // This timer prevents the exit of the process, as the sockets of a server do. The timers under test do not.
  let keepAlive: NodeJS.Timeout;
  before(() => {
    keepAlive = setInterval(() => {}, 1000);
  });
  after(() => clearInterval(keepAlive));

  it('fails long before the limit if a probe gets no response either, and other statements fail at once', async () => {
    const { run, hasOverdueStatement } = createCircuitBreaker(LIMIT, never);
    const began = performance.now();
    await assert.rejects(run(never), SILENT);
    assert.ok(performance.now() - began < LIMIT / 2, `${performance.now() - began} ms`);
    assert.equal(hasOverdueStatement(), true);
    const trying = assert.rejects(run(never), SILENT);
    const secondBegan = performance.now();
    await assert.rejects(run(never), SILENT);
    assert.ok(performance.now() - secondBegan < 100);
    await trying;
  });

  it('fails if a probe finds no server at the address', async () => {
    const connectionError = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { run } = createCircuitBreaker(LIMIT, () => Promise.reject(connectionError));
    await assert.rejects(run(never), SILENT);
  });

  it('continues until the limit if a probe succeeds or is rejected for too many connections', async () => {
    const full = Object.assign(new Error('too many'), { code: '53300' });
    for (const probe of [async () => {}, () => Promise.reject(full)]) {
      const { run, hasOverdueStatement } = createCircuitBreaker(2500, probe);
      assert.equal(await run(() => wait(2000, 'slow')), 'slow');
      await assert.rejects(run(never), SILENT);
      assert.equal(hasOverdueStatement(), true);
    }
  });

  it('continues as long as responses arrive, and works again after a silence', async () => {
    const { run } = createCircuitBreaker(LIMIT, never);
    const step = async (onData: () => void) => {
      for (let steps = 0; steps < 5; steps += 1) {
        await wait(400);
        onData();
      }
      return 'done';
    };
    assert.equal(await run(step), 'done');
    await assert.rejects(run(never), SILENT);
    assert.equal(await run(step), 'done');
    assert.deepEqual(await Promise.all([run(step), run(step)]), ['done', 'done']);
  });
});
