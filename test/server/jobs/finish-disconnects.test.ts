// Job of pending disconnections: its runs during a database outage.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFinishDisconnects } from '../../../server/jobs/finish-disconnects.ts';
import { makeApp } from '../support/make-app.ts';

const CHECK_INTERVAL_MS = 5000;

describe('the job of pending disconnections', () => {
  it('starts no run while another one is in progress, and runs again after that', async (t) => {
    const { store, mediaStore } = await makeApp(t);
    const pendingReads: (() => void)[] = [];
    t.mock.method(
      store,
      'connections',
      () => new Promise((_resolve, reject) => pendingReads.push(() => reject(new Error('lost')))),
    );
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const stop = startFinishDisconnects({ store, mediaStore, now: Date.now, leaveChat: async () => {}, log });
    for (let run = 0; run < 3; run += 1) t.mock.timers.tick(CHECK_INTERVAL_MS);
    assert.equal(pendingReads.length, 1);
    pendingReads[0]?.();
    await new Promise(setImmediate);
    assert.equal(pendingReads.length, 1, 'no other run was queued');
    t.mock.timers.tick(CHECK_INTERVAL_MS);
    assert.equal(pendingReads.length, 2);
    const stopped = stop();
    pendingReads[1]?.();
    await stopped;
    assert.deepEqual(lines, Array(2).fill('Could not finish the pending disconnections.'));
  });
});
