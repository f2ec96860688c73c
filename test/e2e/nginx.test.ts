// Reverse proxy: the guarantees of deploy/nginx.conf, tested with a real nginx in front of the built server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ClientHttp2Session } from 'node:http2';
import { dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import type { Store } from '../../server/storage/ports/store.ts';
import { channel, message } from '../server/support/make-app.ts';
import { until } from '../support/browser.ts';
import { type Nginx, noNginx, SITE } from '../support/nginx.ts';
import type { RunningServer } from '../support/server.ts';
import { headOf, send, startSiteBehindNginx } from '../support/site-behind-nginx.ts';

const TOKEN = 'a-token-of-32-characters-or-more';
const MB = 1024 * 1024;

describe('the example configuration for nginx', { skip: noNginx() }, () => {
  let server: RunningServer;
  let nginx: Nginx;
  let store: Store;
  let session: ClientHttp2Session;
  let stop: (() => Promise<void>) | undefined;

  before(async () => {
    ({ server, store, nginx, session, stop } = await startSiteBehindNginx({ METRICS_TOKEN: TOKEN }));
    await store.putChannel(channel('1', { username: 'alpha', title: 'Alpha' }));
  });
  after(() => stop?.());

  it('proxies pages, files and the API by HTTP/2, compressed once', async () => {
    const br = { 'accept-encoding': 'br, gzip' };
    const page = await send(session, '/main', br);
    assert.deepEqual([page.status, page.headers['content-encoding'], session.alpnProtocol], [200, 'br', 'h2']);
    const html = String(brotliDecompressSync(page.body));
    const script = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? '';
    for (const path of [script, '/api/channels']) {
      const { status, headers, body } = await send(session, path, br);
      assert.deepEqual([status, headers['content-encoding']], [200, 'br'], path);
      assert.ok(brotliDecompressSync(body).length > body.length, path);
    }
  });

  it('has its cache in a folder that nginx can create on any Debian', () => {
    const [, cache = ''] = /^proxy_cache_path (\S+)/m.exec(readFileSync('deploy/nginx.conf', 'utf8')) ?? [];
    assert.equal(dirname(cache), '/var/cache');
  });

  it('redirects port 80 to https, except ACME challenges of the certificate client', async () => {
    nginx.putChallenge('token-1', 'key of token-1');
    const plain = (path: string) => fetch(`${nginx.httpOrigin}${path}`, { redirect: 'manual', headers: { host: SITE } });
    const challenge = await plain('/.well-known/acme-challenge/token-1');
    assert.deepEqual([challenge.status, await challenge.text()], [200, 'key of token-1']);
    assert.equal((await plain('/.well-known/acme-challenge/none')).status, 404);
    const page = await plain('/main?a=b');
    assert.equal(page.status, 308);
    assert.match(page.headers.get('location') ?? '', /^https:\/\/[^/]+\/main\?a=b$/);
  });

  it('gives each request a unique id', async () => {
    const withRequestId = await send(session, '/api/version', { 'x-request-id': 'mine' });
    const next = await send(session, '/healthz');
    for (const { headers } of [withRequestId, next]) assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/);
    assert.notEqual(withRequestId.headers['x-request-id'], next.headers['x-request-id']);
  });

  it('does not expose /metrics and /healthz', async () => {
    const authorization = `Bearer ${TOKEN}`;
    assert.equal((await fetch(`${server.origin}/metrics`, { headers: { authorization } })).status, 200);
    for (const path of ['/metrics', '/metrics/', '//metrics', '/%6detrics', '/metrics?a', '/healthz'])
      assert.equal((await send(session, path, { authorization })).status, 404, path);
  });

  it('accepts request bodies as large as the server does, and no larger ones', async () => {
    const json = { 'content-type': 'application/json' };
    const post = (bytes: number) => send(session, '/api/me/merge', json, Buffer.from(JSON.stringify('x'.repeat(bytes))));
    assert.notEqual((await post(2 * MB - 100)).status, 413);
    const rejected = await post(2 * MB);
    assert.equal(rejected.status, 413);
    assert.match(String(rejected.headers['content-type']), /problem\+json/);
    assert.equal(JSON.parse(String(rejected.body)).status, 413);
  });

  it('sends each event at once', async () => {
    const stream = session.request({ ':path': '/api/events', 'accept-encoding': 'br, gzip' });
    const headers = await headOf(stream);
    assert.deepEqual([headers[':status'], headers['content-encoding']], [200, undefined]);
    let text = '';
    stream.on('data', (part) => (text += part));
    await until(async () => text.includes('retry:'), 'the stream has begun');
    for (const id of [1, 2]) {
      const now = Date.now();
      await store.putMessages([
        { ...message('1', id, `Told ${id}`, [], Math.floor(now / 1000)), source: 'bot', modifiedAt: now },
      ]);
      await until(async () => text.includes(`Told ${id}`), 'the event is received');
    }
    stream.close();
  });

  it('sends the client address to the server, and ignores X-Forwarded-For from the client', async () => {
    const other = nginx.connect('127.0.0.2');
    const listen = async (from: ClientHttp2Session, at: number) => {
      const stream = from.request({ ':path': '/api/events', 'x-forwarded-for': `203.0.113.${at}` });
      return { stream, status: (await headOf(stream))[':status'] };
    };
    const all = await Promise.all(Array.from({ length: 101 }, (_, at) => listen(session, at)));
    assert.equal(all.filter(({ status }) => status === 503).length, 1);
    assert.equal((await listen(other, 1)).status, 200);
    for (const { stream } of all) stream.close();
    other.destroy();
  });

  it('returns a 503 with Retry-After while the server is down, and serves cached feeds', async () => {
    assert.equal((await send(session, '/feeds/network.opml')).headers['x-cache'], 'MISS');
    await server.halt();
    const [page, api] = [await send(session, '/main?new=1'), await send(session, '/api/feed?limit=7')];
    assert.deepEqual([page.status, api.status], [503, 503]);
    for (const { headers } of [page, api]) assert.equal(headers['retry-after'], '10');
    assert.match(String(page.headers['content-type']), /text\/html/);
    assert.match(String(page.body), /try again in a moment/);
    assert.match(String(api.headers['content-type']), /problem\+json/);
    assert.equal(JSON.parse(String(api.body)).status, 503);
    const cached = await send(session, '/feeds/network.opml');
    assert.deepEqual([cached.status, cached.headers['x-cache']], [200, 'HIT']);
    await server.resume();
    assert.equal((await send(session, '/main')).status, 200);
  });

  it('includes the request id in its own error responses', async () => {
    const json = { 'content-type': 'application/json' };
    const tooLarge = await send(session, '/api/me/merge', json, Buffer.alloc(2 * MB + 1));
    await server.halt();
    const unavailable = await send(session, '/api/feed?limit=8');
    await server.resume();
    const malformed = await send(session, '/api/%E0%A4%A');
    assert.deepEqual([tooLarge.status, unavailable.status, malformed.status], [413, 503, 400]);
    for (const { body, headers } of [tooLarge, unavailable, malformed]) {
      assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/);
      assert.equal(JSON.parse(String(body)).requestId, headers['x-request-id']);
    }
  });

  it('logs no IP address, search query, referrer, user agent or opened path, whatever fails', async () => {
    const headers = { referer: `https://${SITE}/channel/REFERRER`, 'user-agent': 'AGENT' };
    const paths = ['/media/OPENED?grant=GRANT', '/api/search?q=SOUGHT', '/channel/OPENED', '/feeds/OPENED.rss', '/main'];
    for (const path of paths) await send(session, path, headers);
    await fetch(`${nginx.httpOrigin}/api/search?q=SOUGHT`, { headers, redirect: 'manual' });
    await server.halt();
    for (const path of paths) await send(session, path, { ...headers, authorization: 'Basic eDp5' });
    await server.resume();
    nginx.forgetBodies();
    assert.equal((await send(session, '/api/search?q=SOUGHT', headers, Buffer.alloc(MB))).status, 500);
    await until(async () => / POST \/api 500 /.test(nginx.logs()), 'the last request is logged');
    assert.match(nginx.logs(), / GET \/media 503 [\d.]+ [\d.]+ [0-9a-f]{32}$/m);
    assert.deepEqual(nginx.logs().match(/.*(OPENED|GRANT|SOUGHT|REFERRER|AGENT|127\.0\.0\.1).*/), null);
  });
});
