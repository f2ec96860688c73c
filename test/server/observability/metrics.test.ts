// Metrics in the format of Prometheus.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildApp } from '../../../server/app.ts';
import { StorageError } from '../../../server/lib/infrastructure-errors.ts';
import { until } from '../../support/browser.ts';
import { freeze } from '../../support/small-disk.ts';
import { makeBotSite } from '../sources/telegram/bot-site.ts';
import { channel, makeApp, type TestApp, withChannels } from '../support/make-app.ts';

const TOKEN = 'a-token-of-32-characters-or-more';

/** Returns the value of a series; null if it does not exist. */
async function read({ app }: Pick<TestApp, 'app'>, series: string): Promise<number | null> {
  const line = (await app.inject('/metrics')).body.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

describe('GET /metrics', () => {
  it('counts responses by route, and never contains what a client requested', async (t) => {
    const { app } = await withChannels(t);
    await app.inject('/api/channels/alpha/posts?limit=3');
    await app.inject('/api/search?q=xylophone');
    await app.inject('/nowhere/xylophone');
    const { body, statusCode, headers } = await app.inject('/metrics');
    assert.equal(statusCode, 200);
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(body, /^changer_request_seconds_count\{method="GET",route="\/api\/search",status="200"\} 1$/m);
    assert.match(body, /^changer_request_seconds_count\{method="GET",route="\/\*",status="404"\} 1$/m);
    assert.doesNotMatch(body, /xylophone|alpha/);
  });

  it('reports whether the store responds, and the free disk space', async (t) => {
    const { app, context, clock } = await makeApp(t);
    const { body } = await app.inject('/metrics');
    assert.match(body, /^changer_files_late_seconds 0$/m);
    assert.match(body, /^changer_store_up 1$/m);
    assert.match(body, /^changer_build\{version="1\.2\.3\+abc"\} 1$/m);
    assert.match(body, /^changer_update_age_seconds -1$/m);
    assert.ok(Number(/^changer_disk_free_bytes (\S+)$/m.exec(body)?.[1]) > 0);
    t.mock.method(context.store, 'nextFileDue', async () => clock.now - 5000);
    assert.match((await app.inject('/metrics')).body, /^changer_files_late_seconds 5$/m);
    t.mock.method(context.store, 'lastEventId', () => Promise.reject(new Error('gone')));
    const without = (await app.inject('/metrics')).body;
    assert.match(without, /^changer_store_up 0$/m);
    assert.match(without, /^changer_last_event Nan$/m);
  });

  it('reports whether the bot receives updates from Telegram', async (t) => {
    const site = await makeBotSite(t, { PUBLIC_URL: 'http://127.0.0.1:9' }, false);
    assert.equal(await read(site, 'changer_bot_up'), Number.NaN, 'nobody knows yet');
    site.telegram.fail('setWebhook', { code: 400, description: 'Bad Request: bad webhook' }, 1);
    site.context.bot?.start();
    await until(async () => (await read(site, 'changer_bot_up')) === 0, 'the database is reported as down');
    await until(async () => (await read(site, 'changer_bot_up')) === 1, 'the database is reported as up');
    t.mock.method(site.store, 'acquireLease', async () => 'elsewhere 1 x');
    await until(async () => Number.isNaN(await read(site, 'changer_bot_up')), 'another process listens');
    assert.equal(await read(await makeApp(t), 'changer_bot_up'), null);
  });

  it('reports the number of failing feeds', async (t) => {
    const testApp = await makeApp(t);
    assert.equal(await read(testApp, 'changer_feeds_failing'), 0);
    await testApp.store.putChannel(channel('f-1', { source: 'feed' }));
    const since = { failures: 1, failingSince: 1, error: 'Why.', checkedAt: 1 };
    const feed = { channelId: 'f-1', url: 'https://f.example/', etag: null, lastModified: null, due: 1, interval: 1800 };
    await testApp.store.putFeed({ ...feed, ...since });
    assert.equal(await read(testApp, 'changer_feeds_failing'), 1);
  });

  it('reports whether the disk is writable', async (t) => {
    const testApp = await makeApp(t);
    assert.equal(await read(testApp, 'changer_disk_writable'), 1);
    const thaw = freeze(testApp.dataDir);
    if (thaw === null) return t.skip('only root, on some disks, may take a folder away from itself');
    const writable = await read(testApp, 'changer_disk_writable').finally(thaw);
    assert.equal(writable, 0);
  });

  it('reports why requests were rejected', async (t) => {
    const testApp = await withChannels(t);
    const reasons = async (of: Pick<TestApp, 'app'>) => {
      const series = ['overload', 'database', 'disk', 'limit'].map((reason) =>
        read(of, `changer_refused_total{reason="${reason}"}`),
      );
      return Promise.all(series);
    };
    assert.deepEqual(await reasons(testApp), [0, 0, 0, 0]);
    const { store } = testApp.context;
    const failing = t.mock.method(store, 'channel', () =>
      Promise.reject(new StorageError('unreachable', 'ECONNREFUSED', 'gone')),
    );
    assert.equal((await testApp.app.inject('/api/channels/alpha/posts')).statusCode, 503);
    failing.mock.mockImplementation(() => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })));
    for (let at = 0; at < 2; at += 1) assert.equal((await testApp.app.inject('/api/channels/alpha/posts')).statusCode, 503);
    failing.mock.mockImplementation(() => Promise.reject(Object.assign(new Error('many'), { code: 'EMFILE' })));
    assert.equal((await testApp.app.inject('/api/channels/alpha/posts')).statusCode, 503);
    failing.mock.restore();
    const failSignIn = () => testApp.app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload: { initData: 'x' } });
    for (let at = 0; at < 60; at += 1) await failSignIn();
    assert.equal((await failSignIn()).statusCode, 429);
    assert.deepEqual(await reasons(testApp), [1, 1, 2, 1]);
    const busy = { level: () => 1.5, trackRequest: () => () => {}, stop: () => {} };
    const app = await buildApp(testApp.context, { level: 'error' }, busy);
    t.after(() => app.close());
    assert.equal((await app.inject('/api/feed')).statusCode, 503);
    assert.deepEqual(await reasons({ app }), [1, 0, 0, 0]);
  });

  it('requires the token, or else a connection from this machine that is not proxied', async (t) => {
    const [open, closed] = [await makeApp(t), await makeApp(t, { METRICS_TOKEN: TOKEN })];
    const getStatus = async (app: typeof open.app, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
    assert.deepEqual(
      [await getStatus(open.app, {}), await getStatus(open.app, {}, '::1'), await getStatus(open.app, {}, '192.0.2.1')],
      [200, 200, 404],
    );
    assert.equal(await getStatus(open.app, {}, '::ffff:192.0.2.1'), 404);
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
      assert.equal(await getStatus(open.app, { [header]: '127.0.0.1' }), 404, header);
    assert.equal(await getStatus(closed.app, {}), 404);
    for (const credentials of ['Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}y`, TOKEN])
      assert.equal(await getStatus(closed.app, { authorization: credentials }), 404, credentials);
    assert.equal(await getStatus(closed.app, { authorization: `Bearer ${TOKEN}` }, '192.0.2.1'), 200);
  });
});
