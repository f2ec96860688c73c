// The client's address, host and scheme behind chains of real proxies on this machine. Each one has an address of its own.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { clientAddress } from '../../../server/http/client.ts';
import { makeApp } from '../support/make-app.ts';

const PROXY_ADDRESSES = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
const TRUST_PROXY = PROXY_ADDRESSES.join();
/** An address of a client that no setting of these tests trusts. */
const CLIENT = '127.0.1.9';

interface Seen {
  readonly address: string;
  readonly host: string;
  readonly protocol: string;
}

const send = async (options: RequestOptions): Promise<string> => {
  const sent = request(options).end();
  const [response] = await once(sent, 'response');
  return text(response);
};

/** Starts a proxy that appends its peer to X-Forwarded-For, as nginx does, and connects from `localAddress`. Returns its port. */
async function startProxy(t: TestContext, port: number, localAddress: string, added: IncomingHttpHeaders = {}): Promise<number> {
  const proxy = createServer((incoming, response) => {
    const peer = (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const forwarded = [incoming.headers['x-forwarded-for'], peer].filter(Boolean).join(', ');
    const headers = { ...incoming.headers, ...added, 'x-forwarded-for': forwarded };
    const { method = 'GET', url: path = '/' } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, localAddress, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  return (proxy.address() as AddressInfo).port;
}

/** Starts a server that responds with what it knows of the client. Returns its port. */
async function startObserver(t: TestContext, settings: Record<string, string>, host = '127.0.0.1') {
  const { app, context } = await makeApp(t, settings);
  app.get('/seen', (seen) => ({ address: clientAddress(seen.raw, context.config), host: seen.host, protocol: seen.protocol }));
  await app.listen({ port: 0, host });
  return { port: (app.server.address() as AddressInfo).port, app };
}

/** Sends a request from `CLIENT` to a proxy or server. */
const observe = async (port: number, headers: Record<string, string> = {}, localAddress = CLIENT): Promise<Seen> =>
  JSON.parse(await send({ host: '127.0.0.1', port, path: '/seen', localAddress, headers }));

describe('the address of a client behind proxies', () => {
  for (const count of [1, 2, 3])
    it(`is that of the client behind ${count} trusted ${count === 1 ? 'proxy' : 'proxies'}, whatever it forges`, async (t) => {
      let { port } = await startObserver(t, { TRUST_PROXY });
      for (const address of PROXY_ADDRESSES.slice(0, count)) port = await startProxy(t, port, address);
      for (const forged of [
        undefined,
        '203.0.113.1',
        '127.0.0.11',
        '127.0.0.12, 127.0.0.13',
        'unknown, 2001:db8::1',
        '::ffff:127.0.0.11',
        ', ,',
        `${'203.0.113.1, '.repeat(200)}x`,
      ])
        assert.equal((await observe(port, forged === undefined ? {} : { 'x-forwarded-for': forged })).address, CLIENT, forged);
    });

  it('is that of the first untrusted proxy, if one of the chain is untrusted', async (t) => {
    const observer = await startObserver(t, { TRUST_PROXY: '127.0.0.11' });
    const inner = await startProxy(t, observer.port, '127.0.0.11');
    const outer = await startProxy(t, inner, '127.0.0.12');
    assert.equal((await observe(outer)).address, '127.0.0.12');
  });

  it('is the address of the connection, if the connection is not from a proxy', async (t) => {
    const { port } = await startObserver(t, { TRUST_PROXY });
    assert.equal((await observe(port, { 'x-forwarded-for': '203.0.113.1, 127.0.0.11' })).address, CLIENT);
  });

  it('is found on a server that listens on IPv6, where IPv4 addresses are mapped', async (t) => {
    const { port } = await startObserver(t, { TRUST_PROXY: '::ffff:127.0.0.11, 127.0.0.12' }, '::');
    const outer = await startProxy(t, await startProxy(t, port, '127.0.0.11'), '127.0.0.12');
    assert.equal((await observe(outer, { 'x-forwarded-for': '203.0.113.1' })).address, CLIENT);
    const direct = { host: '::1', port, path: '/seen' };
    const { address }: Seen = JSON.parse(await send({ ...direct, headers: { 'x-forwarded-for': '203.0.113.1' } }));
    assert.equal(address, '::', '::1 is no trusted proxy; its network of 64 bits is one client');
  });

  it('skips garbage that a trusted proxy appends, and never takes an earlier entry instead', async (t) => {
    const { port } = await startObserver(t, { TRUST_PROXY });
    for (const entry of ['unknown', '_hidden', '0x7f.1', '1', '999.1.1.1', '[::1', '127.0.0.11:x', '"127.0.0.11"', '127.0.0.0/8'])
      assert.equal(
        (await observe(port, { 'x-forwarded-for': `203.0.113.1, ${entry}` }, '127.0.0.11')).address,
        '127.0.0.11',
        entry,
      );
    const ipv6 = await observe(port, { 'x-forwarded-for': '203.0.113.1, [2001:db8:1:2:3::4]:4711' }, '127.0.0.11');
    assert.equal(ipv6.address, '2001:db8:1:2::');
  });
});

describe('the host and the scheme of a request', () => {
  const FORWARDED = { 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'https' };
  const robots = (port: number, localAddress: string, headers: Record<string, string>) =>
    send({ host: '127.0.0.1', port, path: '/robots.txt', localAddress, headers: { host: 'site.example', ...headers } });

  it('are those that a trusted proxy forwards, and not those that a client forges', async (t) => {
    const { port } = await startObserver(t, { TRUST_PROXY });
    assert.match(await robots(port, '127.0.0.11', FORWARDED), /^Sitemap: https:\/\/other\.example\//m);
    assert.match(await robots(port, CLIENT, FORWARDED), /^Sitemap: http:\/\/site\.example\//m);
    const { port: open } = await startObserver(t, { TRUST_PROXY: 'none' });
    assert.match(await robots(open, '127.0.0.11', FORWARDED), /^Sitemap: http:\/\/site\.example\//m);
  });

  it('are those of PUBLIC_URL, if it is set', async (t) => {
    const { port } = await startObserver(t, { TRUST_PROXY, PUBLIC_URL: 'https://public.example' });
    assert.match(await robots(port, '127.0.0.11', FORWARDED), /^Sitemap: https:\/\/public\.example\//m);
  });

  it('are rejected or replaced if they are invalid', async (t) => {
    const { port } = await startObserver(t, { TRUST_PROXY });
    for (const scheme of ['javascript', 'ftp', 'https://x', '', ','])
      assert.match(
        await robots(port, '127.0.0.11', { 'x-forwarded-proto': scheme }),
        /^Sitemap: http:\/\/site\.example\//m,
        scheme,
      );
    for (const host of ['a b', 'user@evil.example', 'evil.example/path', '[::1', 'a,"'])
      assert.match(await robots(port, '127.0.0.11', { 'x-forwarded-host': host }), /no valid host name/, host);
  });
});

describe('every limit by address', () => {
  it('counts the client behind three proxies, and not a proxy', async (t) => {
    const observer = await startObserver(t, { TRUST_PROXY });
    let { port } = observer;
    for (const address of PROXY_ADDRESSES) port = await startProxy(t, port, address);
    const signIn = (localAddress: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const options = { host: '127.0.0.1', port, path: '/api/telegram/auth/webapp', method: 'POST', localAddress, headers };
        request(options, (response) => resolve(response.resume().statusCode ?? 0))
          .on('error', reject)
          .end(JSON.stringify({ initData: 'hash=0' }));
      });
    for (let at = 0; at < 60; at += 1) assert.equal(await signIn(CLIENT), 401);
    assert.equal(await signIn(CLIENT), 429);
    assert.equal(await signIn('127.0.1.10'), 401, 'another client behind the same proxies');
  });
});
