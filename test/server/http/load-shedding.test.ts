// Overload: load shedding, slow clients and connection limits.
// Runs alone: it measures the delay of the event loop.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '../../../server/config.ts';
import { limitConnections } from '../../../server/http/connections.ts';
import { createLoadMeter, registerLoadShedding } from '../../../server/http/load-shedding.ts';
import { classifyFailure } from '../../../server/lib/infrastructure-errors.ts';
import { toPostgresStorageError } from '../../../server/storage/postgres/errors.ts';
import { toSqliteStorageError } from '../../../server/storage/sqlite/errors.ts';
import { startListening, until } from '../events/event-stream-client.ts';
import { signIn, withChannels } from '../support/make-app.ts';

describe('load shedding', () => {
  const ASKED = {
    stranger: { method: 'GET', url: '/api/feed' },
    reader: { method: 'GET', url: '/api/feed', headers: { 'access-token': 'x' } },
    change: { method: 'PUT', url: '/api/lineup', headers: { 'access-token': 'x' } },
    page: { method: 'GET', url: '/main' },
    health: { method: 'GET', url: '/healthz' },
  } as const;

  for (const [level, served] of [
    [0.9, ['stranger', 'reader', 'change', 'page', 'health']],
    [1.1, ['reader', 'change', 'page', 'health']],
    [2.1, ['change', 'page', 'health']],
    [9, ['page', 'health']],
  ] as const)
    it(`still serves ${served.join(', ')} at ${level} times the capacity of the server`, async (t) => {
      const app = Fastify();
      t.after(() => app.close());
      registerLoadShedding(app, { level: () => level, trackRequest: () => () => {}, stop: () => {} }, ({ ip }) => ip);
      app.all('*', async () => 'answered');
      const received: string[] = [];
      for (const [name, request] of Object.entries(ASKED)) {
        const response = await app.inject(request);
        if (response.statusCode === 200) received.push(name);
        else assert.deepEqual([response.statusCode, /^[2-5]$/.test(String(response.headers['retry-after']))], [503, true]);
      }
      assert.deepEqual(received, served);
    });

  it('reacts to the event loop delay, and ends when the delay is over', async (t) => {
    const loadMeter = createLoadMeter();
    t.after(() => loadMeter.stop());
    const blockingTimer = setInterval(() => {
      const end = performance.now() + 1500;
      while (performance.now() < end);
    }, 1);
    await until(() => loadMeter.level() > 1, 'the event loop is delayed');
    clearInterval(blockingTimer);
    await until(() => loadMeter.level() < 0.5, 'the event loop is no longer delayed');
  });

  it('reacts to the number of requests in progress', (t) => {
    const loadMeter = createLoadMeter();
    t.after(() => loadMeter.stop());
    const finishCalls = Array.from({ length: 600 }, () => loadMeter.trackRequest());
    assert.ok(loadMeter.level() > 1);
    for (const end of finishCalls) end();
    assert.ok(loadMeter.level() < 1);
  });

  it('does not count responses that the client does not read', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    let activeRequests = 0;
    const enter = () => {
      activeRequests += 1;
      return () => {
        activeRequests = 0;
      };
    };
    registerLoadShedding(app, { level: () => 0, trackRequest: enter, stop: () => {} }, ({ ip }) => ip);
    app.get('/api/large', async () => {
      assert.equal(activeRequests, 1);
      return Readable.from(Array(2000).fill(Buffer.alloc(0x10000)));
    });
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    const activeAfterAbort = activeRequests;
    // Otherwise the server would wait until the client has read it before it closes.
    socket.destroy();
    assert.equal(activeAfterAbort, 0);
  });

  it('does not count requests whose bodies do not arrive', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    let entered = 0;
    const enter = () => {
      entered += 1;
      return () => {};
    };
    registerLoadShedding(app, { level: () => 0, trackRequest: enter, stop: () => {} }, ({ ip }) => ip);
    app.post('/api/me/merge', async () => 'answered');
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const head = 'POST /api/me/merge HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
    const socket = connect(Number(port), '127.0.0.1');
    t.after(() => socket.destroy());
    const requestArrived = once(app.server, 'request');
    socket.write(head);
    await requestArrived;
    assert.equal((await app.inject('/nothing')).statusCode, 404);
    assert.equal(entered, 1, 'the one that was whole');
    socket.write('{}');
    await once(socket, 'data');
    assert.equal(entered, 2);
  });
});

describe('a slow client', () => {
  /** Sends a text and nothing more. Returns everything received until the server closed the connection. */
  async function sendRaw(t: TestContext, text: string): Promise<string> {
    const testApp = await withChannels(t);
    const { port } = new URL(await startListening(testApp));
    Object.assign(testApp.app.server, { headersTimeout: 50, requestTimeout: 100 });
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.write(text);
    await once(socket, 'close');
    return received;
  }

  it('is disconnected if its request headers do not end', async (t) => {
    assert.match(await sendRaw(t, 'GET /api/feed HTTP/1.1\r\nHost: x\r\n'), /^HTTP\/1.1 408 /);
  });
  it('is disconnected if it does not read its response', async (t) => {
    const testApp = await withChannels(t);
    const { port } = new URL(await startListening(testApp));
    assert.equal(testApp.app.server.timeout, 60_000);
    testApp.app.server.timeout = 200;
    const connected = once(testApp.app.server, 'connection');
    const socket = connect(Number(port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.pause();
    const rawRequest = 'GET /api/docs/json HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(rawRequest.repeat(400));
    const [served] = (await connected) as [Socket];
    await once(served, 'close');
  });
  it('gets an error response that is no page for a browser and that no cache stores', async (t) => {
    const response = await sendRaw(t, 'GET <b> HTTP/1.1\r\n\r\n');
    assert.match(response, /^HTTP\/1.1 400 /);
    for (const line of [
      "content-security-policy: default-src 'none'",
      'x-content-type-options: nosniff',
      'referrer-policy: strict-origin-when-cross-origin',
      'cache-control: no-store',
    ])
      assert.ok(response.includes(`\r\n${line}`), response);
  });
  it('is disconnected if its body does not arrive', async (t) => {
    const head =
      'POST /api/telegram/auth/webapp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n';
    assert.match(await sendRaw(t, `${head}{"initData": "`), /^HTTP\/1.1 408 /);
  });
});

describe('connections', () => {
  /** Opens this many connections. Returns how many of them the server accepted. */
  async function countAccepted(t: TestContext, TRUST_PROXY: string, count: number): Promise<number> {
    const server = createServer();
    limitConnections(server, readConfig({ TRUST_PROXY }), { all: 100, each: 3 });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.after(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
    t.after(() => sockets.map((socket) => socket.destroy()));
    const outcomes = sockets.map((socket) => Promise.race([once(socket, 'close'), once(socket, 'data')]));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    server.on('request', (_request, response) => void response.end('there'));
    await Promise.allSettled(outcomes);
    return sockets.filter(({ bytesRead }) => bytesRead > 0).length;
  }

  it('are limited for each IP address, so that one address cannot take them all', async (t) => {
    assert.equal(await countAccepted(t, 'none', 5), 3);
  });
  it('are not limited for our own proxy, because all clients connect through it', async (t) => {
    assert.equal(await countAccepted(t, 'private', 5), 5);
  });
});

describe('a body without an end', () => {
  it('is rejected when it is too large', async (t) => {
    const testApp = await withChannels(t);
    const { port } = new URL(await startListening(testApp));
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    const headers = Object.entries({
      ...(await signIn(testApp, 7)),
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    socket.write(
      `PUT /api/lineup HTTP/1.1\r\nHost: x\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    // Only slightly more than the limit of 1 MB. A client that went on writing could find the connection closed before it reads
    // the response.
    for (let chunk = 0; chunk <= 16; chunk += 1) socket.write(`10000\r\n${'a'.repeat(0x10000)}\r\n`);
    await until(() => received.includes('\r\n\r\n'), 'the server answers');
    socket.destroy();
    assert.match(received, /^HTTP\/1.1 413 /);
  });
});

describe('an error of the operating system or the database', () => {
  for (const [error, expectedDetail] of [
    [{ code: 'SQLITE_FULL', message: 'database or disk is full' }, /disk is full/],
    [{ code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' }, /disk is full/],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 8, message: 'attempt to write a readonly database' }, /disk is read-only/],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 11, message: 'database disk image is malformed' }, /database is not reachable/],
    [{ code: 'ECONNREFUSED', message: '' }, /database is not reachable/],
    [{ code: '57P01', message: 'terminating connection due to administrator command' }, /database is not reachable/],
  ] as const)
    it(`is reported as temporary: ${error.code}`, () => {
      const thrown = Object.assign(new Error(error.message), error);
      assert.match(classifyFailure(toPostgresStorageError(toSqliteStorageError(thrown)))?.detail ?? '', expectedDetail);
    });
  it('does not include a bug in our code', () => {
    assert.equal(classifyFailure(new TypeError('x is not a function')), null);
  });
});
