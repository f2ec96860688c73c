// Periodic jobs: their runs, errors and end.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startPeriodicJob } from '../../../server/jobs/periodic-job.ts';
import { until } from '../../support/browser.ts';

describe('a periodic job', () => {
  // This timer prevents the exit of the process. The timer of the job does not.
  const keepAlive = async (test: () => Promise<void>) => {
    const timer = setInterval(() => {}, 1000);
    await test().finally(() => clearInterval(timer));
  };

  it('runs again after each run, also after a failed one, and never twice at the same time', () =>
    keepAlive(async () => {
      let [runs, concurrent] = [0, 0];
      const errors: unknown[] = [];
      const task = async () => {
        assert.equal(concurrent, 0);
        concurrent += 1;
        await wait(5);
        concurrent -= 1;
        runs += 1;
        if (runs === 1) throw new Error('the first run');
      };
      const stop = startPeriodicJob(task, { delayMs: 0, intervalMs: 1, onError: (error) => errors.push(error) });
      await until(async () => runs >= 3, 'three runs');
      await stop();
      assert.deepEqual(errors.map(String), ['Error: the first run']);
    }));

  it('stops: it aborts the run in progress, waits for its end, and starts no other', () =>
    keepAlive(async () => {
      let [starts, ends] = [0, 0];
      const task = async (signal: AbortSignal) => {
        starts += 1;
        await new Promise((aborted) => signal.addEventListener('abort', aborted));
        await wait(5);
        ends += 1;
      };
      const stop = startPeriodicJob(task, { delayMs: 0, intervalMs: 0, onError: assert.ifError });
      await until(async () => starts === 1, 'the run started');
      await stop();
      assert.deepEqual([starts, ends], [1, 1]);
      await wait(20);
      assert.equal(starts, 1);
    }));
});
