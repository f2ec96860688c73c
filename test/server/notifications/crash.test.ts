// kill -9 while notifications are sent: none is sent twice, and none is lost.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, it } from 'node:test';
import { matchEvents } from '../../../server/notifications/matcher.ts';
import { openStore } from '../../../server/storage/open.ts';
import { channel, makeFolder, message } from '../support/make-app.ts';
import { startPushService } from './push-service.ts';

const DEVICES = 5000;
/** Requests after which the process is killed, each time. */
const KILLS = [900, 2200, 3600];
/** A claim ends two minutes after it was made; the next process has a clock that is ahead by more. */
const CLAIM_MS = 130_000;

describe('kill -9 while 5,000 notifications are sent', () => {
  it('makes none arrive twice, and loses none', async (t) => {
    const dataDir = makeFolder(t);
    const push = await startPushService(t);
    const store = await openStore({ dataDir });
    await store.putChannel(channel('1'));
    const now = Date.now;
    await store.matchPosition(Math.floor(now() / 1000) - 60);
    for (let index = 0; index < DEVICES; index += 1) {
      const { subscription, token } = push.subscribe();
      const device = await store.putNotificationDevice(
        { tokenHash: token, readerId: null, endpoint: subscription.endpoint, ...subscription.keys, language: 'en', label: 'x' },
        Math.floor(now() / 1000),
      );
      await store.putNotificationChoice(device.owner, { channelId: '1', mode: 'all', words: [], phrases: [] });
    }
    await store.putMessages([{ ...message('1', 1, 'Post', [], Math.floor(now() / 1000)), source: 'bot' }]);
    await matchEvents(await store.lastEventId(), { store, now }, new AbortController().signal);
    await store.close();

    const script = path.join(import.meta.dirname, 'crash-sender.ts');
    const run = (aheadMs: number): ChildProcess =>
      spawn(process.execPath, ['--import', 'tsx', script, dataDir, String(push.port), String(aheadMs)], { stdio: 'inherit' });
    for (const [index, kill] of KILLS.entries()) {
      const child = run(index * CLAIM_MS);
      t.after(() => child.kill('SIGKILL'));
      push.onRequest = (total) => {
        if (total >= kill) child.kill('SIGKILL');
      };
      await once(child, 'exit');
    }
    push.onRequest = () => {};
    const [code] = await once(run(KILLS.length * CLAIM_MS), 'exit');
    assert.equal(code, 0);

    const counts = [...push.requests.values()];
    assert.deepEqual(
      counts.filter((count) => count > 1),
      [],
      'none arrives twice',
    );
    const reopened = await openStore({ dataDir });
    const { sent, failed, waiting } = await reopened.notificationCounts(Math.floor(now() / 1000));
    await reopened.close();
    t.diagnostic(`${counts.length} arrived: ${sent} with a known result, ${failed} with an unknown one`);
    assert.equal(waiting, 0);
    assert.equal(sent + failed, DEVICES, 'each has one result');
    assert.equal(counts.length, DEVICES, 'none is lost');
  });
});
