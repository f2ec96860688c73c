// Fair load shedding: the work of each client is measured, and the client that causes an overload is rejected first.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { registerLoadShedding } from '../../../server/http/load-shedding.ts';
import { createWorkByClient } from '../../../server/http/work-by-client.ts';

describe('work by client', () => {
  it('names the client that causes more than half of the work, and none if there is only one client', () => {
    const work = createWorkByClient(() => 0);
    assert.equal(work.heaviestClient(), null);
    work.add('a', 500);
    assert.equal(work.heaviestClient(), null);
    work.add('b', 100);
    assert.equal(work.heaviestClient(), 'a');
    work.add('c', 500);
    assert.equal(work.heaviestClient(), null);
  });

  it('weighs past work less as time passes, also after days', () => {
    let now = 0;
    const work = createWorkByClient(() => now);
    work.add('a', 1000);
    work.add('b', 100);
    now = 60_000;
    work.add('b', 100);
    assert.equal(work.heaviestClient(), 'b');
    now = 7 * 24 * 3_600_000;
    work.add('a', 10);
    work.add('b', 1);
    assert.equal(work.heaviestClient(), 'a');
  });

  it('keeps a limited number of clients', () => {
    const work = createWorkByClient(() => 0);
    work.add('first', 1_000_000);
    for (let client = 0; client < 5000; client += 1) work.add(String(client), 1);
    assert.equal(work.heaviestClient(), null);
    work.add('last', 6000);
    assert.equal(work.heaviestClient(), 'last');
  });
});

describe('overload by one client', () => {
  it('rejects every request of that client and still serves the others', async (t) => {
    let level = 0;
    const app = Fastify();
    t.after(() => app.close());
    registerLoadShedding(app, { level: () => level, trackRequest: () => () => {}, stop: () => {} }, ({ ip }) => ip);
    app.all('*', async ({ query }) => {
      if (Object(query).slow !== undefined) await new Promise((done) => setTimeout(done, 50));
      return 'answered';
    });
    const send = async (remoteAddress: string, url: string, method: 'GET' | 'PUT' = 'GET', headers = {}) =>
      (await app.inject({ remoteAddress, url, method, headers })).statusCode;
    const token = { 'access-token': 'x' };
    await send('203.0.113.1', '/api/feed');
    await Promise.all(Array.from({ length: 20 }, () => send('203.0.113.2', '/api/feed?slow')));
    level = 1.5;
    assert.equal(await send('203.0.113.2', '/api/feed', 'GET', token), 503);
    assert.equal(await send('203.0.113.2', '/api/lineup', 'PUT', token), 503);
    assert.equal(await send('203.0.113.1', '/api/feed'), 200);
    assert.equal(await send('203.0.113.3', '/api/feed', 'GET', token), 200);
    level = 2.5;
    assert.equal(await send('203.0.113.1', '/api/feed'), 503);
    assert.equal(await send('203.0.113.1', '/api/feed', 'GET', token), 200);
  });
});
