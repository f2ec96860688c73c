// Safe fetch: protection against server-side request forgery (SSRF), with limits, redirects and TLS.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { FetchError, type FetchReason } from '../../../../server/sources/fetch/errors.ts';
import { createPublicFetch, type FetchOptions } from '../../../../server/sources/fetch/safe-fetch.ts';
import { isPublicAddress } from '../../../../server/sources/fetch/ssrf-protection.ts';
import { makeFolder } from '../../support/make-app.ts';
import { serve, serveTls, TEST_CERTIFICATE, testFetcher } from '../rss/feed-server.ts';

const hasReason = (reason: FetchReason) => (error: unknown) => {
  assert.ok(error instanceof FetchError, String(error));
  assert.equal(error.reason, reason, error.message);
  assert.match(error.message, /^[A-Z].{10,250}$/);
  return true;
};

/** Fetches from a server of the test, by the name feed.test. */
const fetchFrom = async (t: TestContext, handler: RequestListener, options?: FetchOptions) =>
  testFetcher()(`http://feed.test:${await serve(t, handler)}/feed`, options);

describe('isPublicAddress', () => {
  const PRIVATE = {
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254'],
    'link-local': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fec0::1'],
    shared: ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
    'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    reserved: ['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '2001:db8::1', '3fff::1'],
    'internal to a cloud provider': ['168.63.129.16'],
    mapped: ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1'],
    'compatible with IPv4': ['::127.0.0.1', '::10.0.0.1', '::808:808'],
    'behind NAT64': ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::10.0.0.1'],
    'through a tunnel': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1', '2001:0:4136:e378::1', '2a00::5efe:10.0.0.1'],
    unassigned: ['4000::1', '100::1', '5f00::1'],
    'no address': ['', 'localhost', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1 ', '1.2.3.4.5', '[::1]'],
  };
  for (const [name, addresses] of Object.entries(PRIVATE))
    it(`rejects addresses: ${name}`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
    });

  it('accepts public addresses', () => {
    const addresses = ['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '2a00:1450::1'];
    for (const address of [...addresses, '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])
      assert.equal(isPublicAddress(address), true, address);
  });
});

describe('fetchPublic with the settings of the server', () => {
  const fetchPublic = createPublicFetch();
  const cases: Record<string, FetchReason> = {
    'no address at all': 'address',
    'http://': 'address',
    'http://[::1': 'address',
    'http://256.256.256.256/': 'address',
    'file:///etc/passwd': 'scheme',
    'gopher://127.0.0.1:70/_': 'scheme',
    'data:text/xml,<rss/>': 'scheme',
    'ftp://8.8.8.8/': 'scheme',
    'javascript:alert(1)': 'scheme',
    'http://user@8.8.8.8/': 'userinfo',
    'http://user:pass@8.8.8.8/': 'userinfo',
    'http://:pass@8.8.8.8/': 'userinfo',
    'http://8.8.8.8@127.0.0.1/': 'userinfo',
    'http://8.8.8.8:22/': 'port',
    'http://8.8.8.8:6379/': 'port',
    'http://8.8.8.8:0/': 'port',
    'http://127.0.0.1/': 'private',
    'http://127.0.0.1./': 'private',
    'http://2130706433/': 'private',
    'http://0177.0.0.1/': 'private',
    'http://0x7f.0.0.1/': 'private',
    'http://0x7f000001/': 'private',
    'http://127.1/': 'private',
    'http://0/': 'private',
    'http://0.0.0.0/': 'private',
    'http://%31%32%37.0.0.1/': 'private',
    'http://１２７。０。０。１/': 'private',
    'http://①⑥⑨.254.169.254/': 'private',
    'http://169.254.169.254/latest/meta-data/': 'private',
    'http://2852039166/': 'private',
    'http://10.0.0.1/': 'private',
    'http://100.64.0.1/': 'private',
    'http://224.0.0.1/': 'private',
    'http://255.255.255.255/': 'private',
    'http://[::1]/': 'private',
    'http://[::]/': 'private',
    'http://[::ffff:127.0.0.1]/': 'private',
    'http://[::ffff:a9fe:a9fe]/': 'private',
    'http://[64:ff9b::7f00:1]/': 'private',
    'http://[2002:7f00:1::]/': 'private',
    'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/': 'private',
    'http://[fe80::1]/': 'private',
    'http://[fd00::1]/': 'private',
    'http://localhost/': 'private',
    'http://LOCALHOST./': 'private',
  };
  for (const [address, reason] of Object.entries(cases))
    it(`rejects ${address} (${reason})`, async () => {
      await assert.rejects(fetchPublic(address), hasReason(reason));
    });
});

describe('host names', () => {
  const named = (addresses: readonly string[]) =>
    createPublicFetch({ resolve: async () => addresses, isPublic: isPublicAddress, isAllowedPort: () => true });

  it('rejects a name with a private address, alone or among public ones', async () => {
    for (const private_ of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00::1', '100.64.3.2'])
      for (const addresses of [[private_], ['8.8.8.8', private_], [private_, '2a00:1450::1']])
        await assert.rejects(named(addresses)('http://feed.test/'), hasReason('private'));
  });

  it('rejects a name that is unknown or has no address', async () => {
    await assert.rejects(named([])('http://feed.test/'), hasReason('unknown-host'));
    await assert.rejects(testFetcher()('http://nowhere.example/'), hasReason('unknown-host'));
  });

  it('resolves a name once, and connects to the checked address, even if the name changes', async (t) => {
    const hosts: (string | undefined)[] = [];
    const port = await serve(t, (request, response) => response.end(hosts.push(request.headers.host).toString()));
    const resolvedHosts: string[] = [];
    const rebinding = createPublicFetch({
      resolve: async (host) => (resolvedHosts.push(host) === 1 ? ['127.0.0.1'] : ['127.0.0.2']),
      isPublic: (address) => address === '127.0.0.1',
      isAllowedPort: () => true,
    });
    assert.equal((await rebinding(`http://rebind.test:${port}/`)).status, 200);
    assert.deepEqual(resolvedHosts, ['rebind.test']);
    assert.deepEqual(hosts, [`rebind.test:${port}`]);
    await assert.rejects(rebinding(`http://rebind.test:${port}/`), hasReason('private'));
    assert.equal(hosts.length, 1);
  });

  it('requests the ASCII form of an international name, without its trailing dot', async (t) => {
    const port = await serve(t, (request, response) => response.end(request.headers.host));
    const { body, url } = await testFetcher()(`http://Пример.test.:${port}/`);
    assert.equal(body.toString(), `xn--e1afmkfd.test:${port}`);
    assert.equal(url, `http://xn--e1afmkfd.test:${port}/`);
  });

  it('tries the next address of a name if one does not respond', async (t) => {
    const port = await serve(t, (_request, response) => response.end('here'));
    const fetcher = createPublicFetch({
      resolve: async () => ['::1', '127.0.0.1'],
      isPublic: () => true,
      isAllowedPort: () => true,
    });
    assert.equal((await fetcher(`http://both.test:${port}/`)).body.toString(), 'here');
  });

  it('reports that no address responds', async () => {
    const closedServer = http.createServer().listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    const address = closedServer.address();
    closedServer.close();
    const free = typeof address === 'object' && address !== null ? address.port : 0;
    await assert.rejects(testFetcher()(`http://dead.test:${free}/`), hasReason('unreachable'));
  });
});

describe('redirects', () => {
  const leading = (location: string, status = 302): RequestListener => {
    return (_request, response) => void response.writeHead(status, { location }).end('moved');
  };

  it('follows five redirects and rejects the sixth', async (t) => {
    const port = await serve(t, (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const { body, url, movedTo } = await testFetcher()(`http://feed.test:${port}/5`);
    assert.equal(body.toString(), 'there');
    assert.equal(url, `http://feed.test:${port}/0`);
    assert.equal(movedTo, null);
    await assert.rejects(testFetcher()(`http://feed.test:${port}/6`), hasReason('redirects'));
  });

  it('returns the target of permanent redirects, up to the first temporary one', async (t) => {
    const port = await serve(t, (request, response) => {
      const next: Record<string, [number, string]> = { '/a': [301, '/b'], '/b': [308, '/c'], '/c': [307, '/d'] };
      const [status, location] = next[request.url ?? ''] ?? [200, ''];
      response.writeHead(status, status === 200 ? {} : { location }).end();
    });
    const { url, movedTo } = await testFetcher()(`http://feed.test:${port}/a`);
    assert.equal(url, `http://feed.test:${port}/d`);
    assert.equal(movedTo, `http://feed.test:${port}/c`);
  });

  const disallowedUrls: Record<string, FetchReason> = {
    'http://169.254.169.254/latest/meta-data/': 'private',
    'http://[::ffff:127.0.0.2]/': 'private',
    'http://2130706434/': 'private',
    '//127.0.0.3/': 'private',
    'http://inside.test/': 'private',
    'file:///etc/passwd': 'scheme',
    'gopher://8.8.8.8/': 'scheme',
    'data:text/plain,x': 'scheme',
    'http://a:b@8.8.8.8/': 'userinfo',
  };
  for (const [location, reason] of Object.entries(disallowedUrls))
    it(`rejects a redirect to ${location} (${reason})`, async (t) => {
      const port = await serve(t, leading(location));
      await assert.rejects(testFetcher({ 'inside.test': ['10.0.0.1'] })(`http://feed.test:${port}/`), hasReason(reason));
    });

  it('parses an unescaped address like browsers', async (t) => {
    const port = await serve(t, (request, response) => {
      if (request.url !== '/') response.end(decodeURI(request.url ?? ''));
      else response.writeHead(302, { location: Buffer.from('/новости').toString('latin1') }).end();
    });
    assert.equal((await testFetcher()(`http://feed.test:${port}/`)).body.toString(), '/новости');
  });

  it('returns a redirect response without a location as it is', async (t) => {
    assert.equal((await fetchFrom(t, (_request, response) => void response.writeHead(302).end())).status, 302);
  });
});

describe('https', () => {
  const run = promisify(execFile);
  const root = path.resolve(import.meta.dirname, '../../../..');

  /** A process reads its trusted certificates once, at its start. So this runs in a process of its own. */
  const inProcess = async (t: TestContext, address: string, trusted: boolean): Promise<string> => {
    const file = path.join(makeFolder(t), 'trusted.pem');
    writeFileSync(file, TEST_CERTIFICATE);
    const script = `import { testFetcher } from './test/server/sources/rss/feed-server.ts';
      testFetcher({ 'wrong.example': ['127.0.0.1'] })(${JSON.stringify(address)})
        .then(({ body }) => console.log(body.toString()), ({ reason }) => console.log(reason));`;
    const env = { ...process.env, ...(trusted && { NODE_EXTRA_CA_CERTS: file }) };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { cwd: root, env });
    return stdout.trim();
  };

  const respondWithNames: RequestListener = (request, response) => {
    const { socket } = request;
    response.end(`${'servername' in socket ? socket.servername : ''} ${request.headers.host?.split(':')[0]}`);
  };

  it('sends the host name in the handshake and in the request', async (t) => {
    assert.equal(await inProcess(t, `https://feed.test:${await serveTls(t, respondWithNames)}/`, true), 'feed.test feed.test');
  });

  it('rejects a certificate that is untrusted or for another host', async (t) => {
    const port = await serveTls(t, respondWithNames);
    assert.equal(await inProcess(t, `https://feed.test:${port}/`, false), 'certificate');
    assert.equal(await inProcess(t, `https://wrong.example:${port}/`, true), 'certificate');
  });

  it('never redirects from https to http', async (t) => {
    const plainPort = await serve(t, respondWithNames);
    const port = await serveTls(t, (_request, response) => {
      response.writeHead(301, { location: `http://feed.test:${plainPort}/` }).end();
    });
    assert.equal(await inProcess(t, `https://feed.test:${port}/`, true), 'downgrade');
  });
});

describe('limits', () => {
  const limits = { bytes: 10_000, ms: 300 };

  it('accepts a response of exactly the maximum size, and no larger one, with or without a declared length', async (t) => {
    const of = (size: number): RequestListener => {
      return (_request, response) => void response.end(Buffer.alloc(size));
    };
    assert.equal((await fetchFrom(t, of(10_000), { limits })).body.length, 10_000);
    await assert.rejects(fetchFrom(t, of(10_001), { limits }), hasReason('too-large'));
    const endless: RequestListener = (_request, response) => {
      const more = () => response.write(Buffer.alloc(1000), (error) => error ?? setImmediate(more));
      more();
    };
    await assert.rejects(fetchFrom(t, endless, { limits }), hasReason('too-large'));
  });

  it('decompresses gzip and brotli, and stops at a decompression bomb', async (t) => {
    const compressed = (coding: string, body: Buffer): RequestListener => {
      return (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(body);
    };
    const text = Buffer.from('text '.repeat(100));
    assert.deepEqual((await fetchFrom(t, compressed('gzip', gzipSync(text)), { limits })).body, text);
    assert.deepEqual((await fetchFrom(t, compressed('BR', brotliCompressSync(text)), { limits })).body, text);
    const zeros = Buffer.alloc(5_000_000);
    await assert.rejects(fetchFrom(t, compressed('gzip', gzipSync(zeros)), { limits }), hasReason('too-large'));
    await assert.rejects(fetchFrom(t, compressed('br', brotliCompressSync(zeros)), { limits }), hasReason('too-large'));
    await assert.rejects(fetchFrom(t, compressed('gzip, gzip', gzipSync(gzipSync(text))), { limits }), hasReason('encoding'));
    await assert.rejects(fetchFrom(t, compressed('compress', text), { limits }), hasReason('encoding'));
    await assert.rejects(fetchFrom(t, compressed('gzip', text), { limits }), hasReason('torn'));
    await assert.rejects(fetchFrom(t, compressed('gzip', gzipSync(text).subarray(0, 20)), { limits }), hasReason('torn'));
  });

  const slow: Record<string, RequestListener> = {
    'a response that never arrives': () => {},
    'a body that arrives byte by byte': (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    },
    'a chain of slow redirects': (request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 100);
    },
    'endless provisional responses': (_request, response) => {
      const timer = setInterval(() => response.writeProcessing(), 20);
      response.once('close', () => clearInterval(timer));
    },
  };
  for (const [name, handler] of Object.entries(slow))
    it(`times out or fails: ${name}`, { timeout: 60_000 }, async (t) => {
      await assert.rejects(fetchFrom(t, handler, { limits }), hasReason('too-slow'));
    });

  it('times out if a name is never resolved', { timeout: 60_000 }, async () => {
    const fetcher = createPublicFetch({ resolve: () => new Promise(() => {}), isPublic: () => true, isAllowedPort: () => true });
    await assert.rejects(fetcher('http://feed.test/', { limits }), hasReason('too-slow'));
  });

  /** Starts a server that sends arbitrary bytes. */
  const rawServer = async (t: TestContext, onConnection: (socket: net.Socket) => void): Promise<string> => {
    const sockets = new Set<net.Socket>();
    const server = net
      .createServer((socket) => onConnection(sockets.add(socket) && socket.on('error', () => {})))
      .listen(0, '127.0.0.1');
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    return `http://raw.test:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  };

  it('rejects headers without end, fast or slow', async (t) => {
    const fast = await rawServer(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'X-Filler: 123456789\r\n'.repeat(5000)}`));
    await assert.rejects(testFetcher()(fast, { limits }), hasReason('headers'));
    const dripping = await rawServer(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X: y\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    await assert.rejects(testFetcher()(dripping, { limits }), hasReason('too-slow'));
  });

  it('reports a truncated response and one that is not HTTP', async (t) => {
    const truncated = await rawServer(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    await assert.rejects(testFetcher()(truncated, { limits }), hasReason('torn'));
    const other = await rawServer(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await assert.rejects(testFetcher()(other, { limits }), hasReason('headers'));
  });

  it('accepts only the expected types, and only from a successful response', async (t) => {
    const as = (type: string, status = 200): RequestListener => {
      return (_request, response) => void response.writeHead(status, { 'content-type': type }).end('x');
    };
    const types = /xml$/;
    assert.equal((await fetchFrom(t, as('text/xml; charset=utf-8'), { types })).status, 200);
    assert.equal((await fetchFrom(t, as('text/html', 404), { types })).status, 404);
    await assert.rejects(fetchFrom(t, as('application/zip'), { types }), hasReason('type'));
  });

  it('stops when it is aborted', async (t) => {
    const stopping = new AbortController();
    const fetching = fetchFrom(t, () => stopping.abort(new Error('stopped')), { signal: stopping.signal });
    await assert.rejects(fetching, /^Error: stopped$/);
    await assert.rejects(testFetcher()('http://feed.test/', { signal: AbortSignal.abort(new Error('before')) }), /before/);
  });
});
