// Database timeouts: requests that wait for a silent database fail in time.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createPatience } from '../../server/storage/postgres/circuit-breaker.ts';

const LIMIT = 10_000;
const never = () => new Promise<never>(() => {});
const SILENT = { code: 'DATABASE_SILENT' };

describe('What waits for the database', () => {
  // This timer prevents the exit of the process, as the sockets of a server do. The timers under test do not.
  let alive: NodeJS.Timeout;
  before(() => {
    alive = setInterval(() => {}, 1000);
  });
  after(() => clearInterval(alive));

  it('fails long before the limit where a probe is not answered either, and others fail at once', async () => {
    const { patience, isWaitedFor } = createPatience(LIMIT, never);
    const began = performance.now();
    await assert.rejects(patience(never), SILENT);
    assert.ok(performance.now() - began < LIMIT / 2, `${performance.now() - began} ms`);
    assert.equal(isWaitedFor(), true);
    const trying = assert.rejects(patience(never), SILENT);
    const turn = performance.now();
    await assert.rejects(patience(never), SILENT);
    assert.ok(performance.now() - turn < 100);
    await trying;
  });

  it('fails where a probe finds nothing at the address', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { patience } = createPatience(LIMIT, () => Promise.reject(refused));
    await assert.rejects(patience(never), SILENT);
  });

  it('goes on where a probe is answered, or refused for too many connections, until the limit', async () => {
    const full = Object.assign(new Error('too many'), { code: '53300' });
    for (const ask of [async () => {}, () => Promise.reject(full)]) {
      const { patience, isWaitedFor } = createPatience(2500, ask);
      assert.equal(await patience(() => wait(2000, 'slow')), 'slow');
      await assert.rejects(patience(never), SILENT);
      assert.equal(isWaitedFor(), true);
    }
  });

  it('goes on as long as answers come, and is heard again after a silence', async () => {
    const { patience } = createPatience(LIMIT, never);
    const step = async (heard: () => void) => {
      for (let steps = 0; steps < 5; steps += 1) {
        await wait(400);
        heard();
      }
      return 'done';
    };
    assert.equal(await patience(step), 'done');
    await assert.rejects(patience(never), SILENT);
    assert.equal(await patience(step), 'done');
    assert.deepEqual(await Promise.all([patience(step), patience(step)]), ['done', 'done']);
  });
});
