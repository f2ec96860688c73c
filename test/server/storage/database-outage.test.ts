// Database outage: the database is unavailable for a while and comes back. Checks the responses to readers, and that everything
// resumes by itself.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../../server/storage/open.ts';
import { startBotApi } from '../../bot-api/bot-api.ts';
import { until } from '../../support/browser.ts';
import { noPostgres, openClient, startPostgres } from '../../support/postgres.ts';
import { openCaughtUpStream } from '../events/event-stream-client.ts';
import { makeKillableServer } from '../sources/telegram/server-process.ts';
import { BOT_TOKEN, channel, fill, signInAt } from '../support/make-app.ts';

describe('a server during a database outage', { skip: noPostgres() }, () => {
  it('reports the outage, keeps running, and resumes by itself', async (t) => {
    const [telegram, database] = await Promise.all([startBotApi(), startPostgres({ durable: true })]);
    const dataDir = mkdtempSync(join(tmpdir(), 'changer-gone-'));
    const server = await makeKillableServer({
      ...{ DATABASE_URL: await database.database(), DATA_DIR: dataDir },
      ...{ BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, OPERATOR_IDS: String(telegram.operator.id) },
    });
    t.after(async () => {
      await server.remove();
      await telegram.close();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    await server.start();
    const harbourChannel = telegram.channel({ title: 'Harbour', username: 'harbour' });
    await until(async () => telegram.updates.allowed.length > 0, 'the server polls Telegram');
    harbourChannel.addBot(telegram.operator);
    const reader = await openCaughtUpStream(t, server.origin);
    harbourChannel.post(telegram.make.text('before'));
    const isReceived = (text: string) => reader.received.some((one) => one.type === 'new' && one.post.text === text);
    await until(async () => isReceived('before'), 'the reader receives the post');

    await database.kill();
    const get = (path: string) => fetch(`${server.origin}${path}`);
    await until(async () => (await get('/api/feed')).status === 503, 'a read is rejected with 503');
    const rejected = await get('/api/feed');
    assert.match(rejected.headers.get('retry-after') ?? '', /^\d+$/);
    const problem: { detail: string } = await rejected.json();
    assert.match(problem.detail, /database/);
    assert.doesNotMatch(problem.detail, /127\.0\.0\.1|postgres/i);
    const health = await get('/healthz');
    assert.equal(health.status, 503);
    const { live, ready, failed }: { live: boolean; ready: boolean; failed: string[] } = await health.json();
    assert.deepEqual({ live, ready, failed }, { live: true, ready: false, failed: ['database'] });
    harbourChannel.post(telegram.make.text('meanwhile'));
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const response = await fetch(`${server.origin}/api/feed`, { signal: AbortSignal.timeout(5000) });
      assert.equal(response.status, 503, 'a request is rejected soon, however long the outage lasts');
    }

    await database.start();
    const back = Date.now();
    await until(async () => (await get('/healthz')).status === 200, 'the server is ready again');
    t.diagnostic(`ready ${Date.now() - back} ms after the database was back`);
    await until(async () => isReceived('meanwhile') || reader.isClosed(), 'the reader receives the post from the outage');
    assert.ok(!reader.isClosed(), 'the stream stayed open');
    t.diagnostic(`received ${Date.now() - back} ms after`);
    harbourChannel.post(telegram.make.text('after'));
    const posted = Date.now();
    await until(async () => isReceived('after'), 'the reader receives new posts as before');
    t.diagnostic(`received the next post within ${Date.now() - posted} ms`);
  });

  it('responds quickly while the database is frozen, and resumes by itself', async (t) => {
    const database = await startPostgres({ durable: true });
    const url = await database.database();
    const store = await openStore({ dataDir: '', databaseUrl: url });
    await fill(store, channel('1'), 50);
    await store.close();
    const server = await makeKillableServer({ BOT_TOKEN, DATABASE_URL: url });
    let thaw = () => {};
    t.after(async () => {
      thaw();
      await server.remove();
      await database.stop();
    });
    await server.start();
    const headers = await signInAt(server.origin, 7);
    // The timeout is longer than any limit of the server. A request that gets no response until the database is back fails
    // here.
    const send = (path: string, init: RequestInit = {}) =>
      fetch(server.origin + path, { signal: AbortSignal.timeout(25_000), ...init });
    const star = async (postId: number) => {
      const body = JSON.stringify({ at: postId });
      const type = { 'content-type': 'application/json' };
      return (await send(`/api/stars/1/${postId}`, { method: 'PUT', headers: { ...headers, ...type }, body })).status;
    };
    const statuses = async (paths: readonly string[]) => Promise.all(paths.map(async (path) => (await send(path)).status));
    assert.deepEqual(await statuses(['/healthz', '/api/feed', '/main']), [200, 200, 200]);
    assert.equal(await star(1), 204);

    thaw = database.freeze();
    const frozen = performance.now();
    const pending = Promise.all([statuses(Array.from({ length: 30 }, () => '/api/feed')), star(2), star(3)]);
    assert.deepEqual(await statuses(['/healthz', '/main', '/metrics']), [503, 200, 200]);
    t.diagnostic(`health, page and metrics after ${Math.round(performance.now() - frozen)} ms`);
    assert.match(await (await send('/metrics')).text(), /^changer_store_up 0$/m);
    const [reads, ...writes] = await pending;
    assert.deepEqual([...new Set([...reads, ...writes])], [503]);
    t.diagnostic(`reads and writes refused after ${Math.round(performance.now() - frozen)} ms`);

    thaw();
    await until(async () => (await send('/healthz')).status === 200, 'the server is ready again');
    assert.deepEqual(new Set(await statuses(Array.from({ length: 30 }, () => '/api/feed'))), new Set([200]));
    assert.equal(await star(4), 204);
    const client = await openClient(url);
    const { rows } = await client.query<{ busy: number; all: number }>(`
      SELECT count(*) FILTER (WHERE state <> 'idle')::int AS busy, count(*)::int AS all
      FROM pg_stat_activity WHERE application_name = 'channel-changer'`);
    await client.end();
    assert.equal(rows[0]?.busy, 0, 'no connection is left in a transaction');
    assert.ok(Number(rows[0]?.all) <= 11, `${rows[0]?.all} connections`);
  });
});
