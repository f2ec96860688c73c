// Rate limits of several processes behind nginx: an address has one limit, not one for each process.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noNginx, SITE, startNginx } from '../support/nginx.ts';
import { startServer } from '../support/server.ts';
import { send } from '../support/site-behind-nginx.ts';

/** Failed sign-ins that an address has in a minute. */
const MAX_GUESSES = 60;
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7'];

describe('rate limits of two processes behind nginx', { skip: noNginx() }, () => {
  it('are counted together for each address', async (t) => {
    const env = { HOST: '127.0.0.1', PUBLIC_URL: `https://${SITE}`, DEMO: 'off' };
    const first = await startServer({ env, development: true, isSingle: true });
    t.after(() => first.stop());
    const second = await startServer({ env, development: true, dataDir: first.dataDir, isSingle: true });
    t.after(() => second.stop());
    const nginx = await startNginx(new URL(first.origin).host, new URL(second.origin).host);
    t.after(() => nginx.stop());
    for (const address of ADDRESSES) {
      const session = nginx.connect(address);
      const counts: Record<number, number> = {};
      for (let guess = 0; guess < MAX_GUESSES + 20; guess += 1) {
        const body = Buffer.from(JSON.stringify({ initData: 'hash=0' }));
        const { status } = await send(session, '/api/telegram/auth/webapp', { 'content-type': 'application/json' }, body);
        counts[status] = (counts[status] ?? 0) + 1;
      }
      session.destroy();
      assert.deepEqual(counts, { 401: MAX_GUESSES, 429: 20 }, address);
    }
  });
});
