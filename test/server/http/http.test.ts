// HTTP server: caching (ETag), compression, CORS, and invalid or unusual requests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { channel, fill, makeApp, message, signIn, withChannels } from '../support/make-app.ts';

describe('public responses', () => {
  it('have an ETag and no max-age, and return 304 for a matching ETag', async (t) => {
    const testApp = await withChannels(t);
    for (const url of [
      '/api/channels',
      '/api/feed',
      '/api/channels/1',
      '/api/channels/1/posts',
      '/api/posts/1/3',
      '/api/unread?marks=1.2',
    ]) {
      const first = await testApp.app.inject(url);
      const etag = String(first.headers.etag);
      assert.match(etag, /^W\/"/, url);
      // The address of the unread counts contains what the reader has read.
      assert.equal(first.headers['cache-control'], url.startsWith('/api/unread') ? 'private' : 'public, s-maxage=10', url);
      assert.match(String(first.headers.vary), /Access-Token/);
      const second = await testApp.app.inject({ url, headers: { 'if-none-match': etag } });
      assert.deepEqual([second.statusCode, second.body], [304, '']);
      const head = await testApp.app.inject({ method: 'HEAD', url, headers: { 'if-none-match': etag } });
      assert.deepEqual([head.statusCode, head.headers['content-length']], [304, undefined]);
    }
    const before = (await testApp.app.inject('/api/feed')).headers.etag;
    await testApp.store.putMessages([{ ...message('1', 99, 'News'), source: 'bot' }]);
    assert.notEqual((await testApp.app.inject('/api/feed')).headers.etag, before);
  });

  it('answer HEAD like GET, without the body', async (t) => {
    const { app } = await withChannels(t);
    for (const url of ['/api/feed', '/api/channels/1', '/main', '/nothing', '/healthz']) {
      const [get, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })];
      assert.equal(head.statusCode, get.statusCode, url);
      assert.equal(head.body, '');
      assert.equal(head.headers['content-type'], get.headers['content-type']);
      assert.equal(head.headers['content-length'], get.headers['content-length'], url);
    }
  });

  it('are compressed', async (t) => {
    const { app } = await withChannels(t);
    for (const encoding of ['br', 'gzip']) {
      const response = await app.inject({ url: '/api/feed', headers: { 'accept-encoding': encoding } });
      assert.equal(response.headers['content-encoding'], encoding);
      assert.ok(response.rawPayload.length < 2000);
    }
  });
});

describe('an unknown route', () => {
  it('returns a problem response', async (t) => {
    const { app } = await makeApp(t);
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const long = await fetch(`${address}/api/feed?q=${'a'.repeat(20_000)}`);
    assert.equal(long.status, 431);
    assert.match(String(long.headers.get('content-type')), /^application\/problem\+json/);
    const problem: unknown = await long.json();
    assert.deepEqual(problem, {
      title: 'Too large',
      status: 431,
      detail: 'The URL and the headers together are longer than 16 kB.',
      requestId: long.headers.get('x-request-id'),
    });
  });
});

describe('an invalid request', () => {
  /** Sends raw text to a server. Returns everything that it responds. */
  async function sendRaw(t: TestContext, text: string): Promise<string> {
    const { app } = await makeApp(t, { PUBLIC_URL: 'https://channels.example' });
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(text);
    await once(socket, 'close');
    return received;
  }

  for (const [name, text, status] of [
    ['names no host', 'GET /main HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['expects what nobody knows', 'GET /api/me HTTP/1.1\r\nHost: x\r\nExpect: weird\r\nConnection: close\r\n\r\n', 200],
    ['is none', 'GET <b> HTTP/1.1\r\n\r\n', 400],
    ['is longer than any', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ] as const)
    it(`gets the same security headers as every response if it ${name}`, async (t) => {
      const response = await sendRaw(t, text);
      assert.ok(response.startsWith(`HTTP/1.1 ${status} `), response.slice(0, 100));
      for (const header of ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security'])
        assert.match(response, new RegExp(`\\r\\n${header}: `, 'i'));
      if (status !== 200) assert.match(response, /application\/problem\+json/);
    });
});

describe('CORS', () => {
  const origin = 'https://elsewhere.example';

  it('lets any origin read, without credentials', async (t) => {
    const { app } = await withChannels(t);
    for (const url of ['/api/feed', '/elements/changer-feed.js', '/assets/app-AAAA1111.js', '/api/nothing']) {
      const { headers } = await app.inject({ url, headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], '*', url);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    }
  });

  it('rejects an origin that EMBED_ORIGINS does not name, with a reason that the page can read', async (t) => {
    const { app } = await makeApp(t, { EMBED_ORIGINS: 'https://city.example' });
    const requestFrom = (from: string, url = '/api/feed') =>
      app.inject({ url, headers: { origin: from, host: 'channels.example' } });
    const rejected = await requestFrom(origin);
    assert.equal(rejected.statusCode, 403);
    assert.equal(rejected.headers['access-control-allow-origin'], '*');
    assert.match(rejected.json().detail, /^https:\/\/elsewhere\.example is not allowed to show these channels/);
    assert.equal((await requestFrom('null')).statusCode, 403);
    for (const from of ['https://city.example', 'https://channels.example'])
      assert.equal((await requestFrom(from)).statusCode, 200);
    assert.notEqual((await requestFrom(origin, '/elements/changer-feed.js')).statusCode, 403);
  });

  it('allows credentials for our own origin', async (t) => {
    const { app } = await makeApp(t, { PUBLIC_URL: 'https://channels.example' });
    const preflight = (from: string, method: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/api/lineup',
        headers: { origin: from, 'access-control-request-method': method, 'access-control-request-headers': 'access-token' },
      });
    const ownPreflight = (await preflight('https://channels.example', 'PUT')).headers;
    assert.equal(ownPreflight['access-control-allow-origin'], 'https://channels.example');
    assert.equal(ownPreflight['access-control-allow-credentials'], 'true');
    assert.match(String(ownPreflight['access-control-allow-methods']), /PUT/);
    for (const name of ['Access-Token', 'X-XSRF-TOKEN', 'Content-Type', 'Idempotency-Key']) {
      assert.ok(String(ownPreflight['access-control-allow-headers']).includes(name));
    }
    const other = (await preflight(origin, 'PUT')).headers;
    assert.doesNotMatch(String(other['access-control-allow-methods']), /PUT/);
  });
});

describe('the demo', () => {
  it('is removed by an operator, with one request, permanently', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    await fill(testApp.store, channel('5', { demo: true }), 2);
    const remove = async (headers: Record<string, string>) =>
      (await testApp.app.inject({ method: 'DELETE', url: '/api/demo', headers })).statusCode;
    assert.equal(await remove({}), 401);
    assert.equal(await remove(await signIn(testApp, 8)), 403);
    assert.equal(await remove(await signIn(testApp, 7)), 204);
    assert.equal((await testApp.app.inject('/api/channels/5')).statusCode, 404);
    assert.equal((await testApp.app.inject('/api/channels/1')).statusCode, 200);
    assert.equal(await testApp.store.setting('demo'), 'removed');
    assert.deepEqual(
      (await testApp.store.auditEntries({ limit: 9 })).map(({ act, actor }) => [act, actor.id]),
      [['remove-demo', '7']],
    );
  });
});

describe('the API documentation', () => {
  it('shows every route with the schemas of its responses', async (t) => {
    const { app } = await makeApp(t);
    const { paths } = (await app.inject('/api/docs/json')).json();
    assert.ok(Object.keys(paths).length >= 17);
    for (const [path, methods] of Object.entries<Record<string, { responses: Record<string, { content?: object }> }>>(paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        assert.ok(responses['4XX']?.content, `${method} ${path}`);
        if (path !== '/media/{key}') assert.ok(responses['200']?.content ?? responses['204'], `${method} ${path}`);
      }
    }
    assert.equal((await app.inject('/api/docs/')).statusCode, 200);
  });
});

describe('health checks', () => {
  it('report live and ready, and return 503 if the store does not respond', async (t) => {
    const testApp = await makeApp(t);
    assert.deepEqual((await testApp.app.inject('/healthz')).json(), {
      live: true,
      ready: true,
      stopping: false,
      failed: [],
      version: '1.2.3+abc',
    });
    assert.deepEqual((await testApp.app.inject('/api/version')).json(), { version: '1.2.3+abc' });
    await testApp.store.close();
    const response = await testApp.app.inject('/healthz');
    assert.deepEqual([response.statusCode, response.json().ready], [503, false]);
  });
});
