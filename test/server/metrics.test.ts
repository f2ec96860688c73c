import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeApp, withChannels } from './make-app.ts';

const TOKEN = 'a-token-of-32-characters-or-more';

describe('/metrics', () => {
  it('tells how requests were answered by their routes, and never by what was asked', async (t) => {
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

  it('tells whether the store answers, and how much room is left', async (t) => {
    const { app, context, clock } = await makeApp(t);
    const { body } = await app.inject('/metrics');
    assert.match(body, /^changer_files_late_seconds 0$/m);
    assert.match(body, /^changer_store_up 1$/m);
    assert.match(body, /^changer_build\{version="1\.2\.3\+abc"\} 1$/m);
    assert.match(body, /^changer_update_age_seconds -1$/m);
    assert.ok(Number(/^changer_disk_free_bytes (\S+)$/m.exec(body)?.[1]) > 0);
    t.mock.method(context.store, 'nextFileDue', async () => clock.now - 5000);
    assert.match((await app.inject('/metrics')).body, /^changer_files_late_seconds 5$/m);
    t.mock.method(context.store, 'lastEvent', () => Promise.reject(new Error('gone')));
    const without = (await app.inject('/metrics')).body;
    assert.match(without, /^changer_store_up 0$/m);
    assert.match(without, /^changer_last_event Nan$/m);
  });

  it('is there for who has the token, or else for this machine alone, and not through a proxy on it', async (t) => {
    const [open, closed] = [await makeApp(t), await makeApp(t, { METRICS_TOKEN: TOKEN })];
    const ask = async (app: typeof open.app, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
    assert.deepEqual(
      [await ask(open.app, {}), await ask(open.app, {}, '::1'), await ask(open.app, {}, '192.0.2.1')],
      [200, 200, 404],
    );
    assert.equal(await ask(open.app, {}, '::ffff:192.0.2.1'), 404);
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
      assert.equal(await ask(open.app, { [header]: '127.0.0.1' }), 404, header);
    assert.equal(await ask(closed.app, {}), 404);
    for (const given of ['Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}y`, TOKEN])
      assert.equal(await ask(closed.app, { authorization: given }), 404, given);
    assert.equal(await ask(closed.app, { authorization: `Bearer ${TOKEN}` }, '192.0.2.1'), 200);
  });
});
