import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { startListening } from '../events/event-stream-client.ts';
import { makeApp } from '../support/make-app.ts';

const GENERATED_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

describe('the request id', () => {
  it('comes from the proxy if it is safe and the proxy is trusted; otherwise the server creates it', async (t) => {
    const { app } = await makeApp(t);
    const idOf = async (id: string, remoteAddress: string, url = '/healthz') =>
      String((await app.inject({ url, headers: { 'x-request-id': id }, remoteAddress })).headers['x-request-id']);
    for (const trustedAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.20.0.2', '192.168.7.7', 'fd00::1'])
      assert.equal(await idOf('edge-1.A_b', trustedAddress), 'edge-1.A_b', trustedAddress);
    for (const untrustedAddress of ['203.0.113.7', '2001:db8::1', '172.32.0.1'])
      assert.match(await idOf('edge-1', untrustedAddress), GENERATED_ID, untrustedAddress);
    for (const bad of ['', 'a b', 'a"b', 'a,b', 'x'.repeat(65)]) assert.match(await idOf(bad, '127.0.0.1'), GENERATED_ID, bad);
    for (const url of ['/main', '/api/feed', '/api/none', '/%E0%A4%A', '/api/%E0%A4%A'])
      assert.equal(await idOf('edge-2', '127.0.0.1', url), 'edge-2', url);
  });

  it('is in the error response to the reader and in the log entry of the error', async (t) => {
    const { app, store, lines } = await makeApp(t);
    await store.close();
    const { body, headers, statusCode } = await app.inject('/api/feed');
    const { requestId } = JSON.parse(body);
    assert.ok(statusCode >= 500);
    assert.match(requestId, GENERATED_ID);
    assert.equal(headers['x-request-id'], requestId);
    assert.ok(lines.some((line) => JSON.parse(line).level === 50 && JSON.parse(line).reqId === requestId));
  });

  for (const [status, rawRequest] of [
    [400, 'no HTTP\r\n\r\n'],
    [431, `GET /main HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`],
  ] as const)
    it(`is in the error response for an unreadable request (${status}) and in its log entry`, async (t) => {
      const testApp = await makeApp(t);
      const { port } = new URL(await startListening(testApp));
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(rawRequest);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      const { requestId, status: reportedStatus } = JSON.parse(body);
      assert.equal(reportedStatus, status);
      assert.match(requestId, GENERATED_ID);
      assert.ok(head.includes(`\r\nx-request-id: ${requestId}\r\n`), head);
      assert.ok(testApp.lines.some((line) => JSON.parse(line).level === 20 && JSON.parse(line).reqId === requestId));
    });
});
