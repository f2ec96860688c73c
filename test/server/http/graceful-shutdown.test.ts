import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { openCaughtUpStream, startListening, until } from '../events/event-stream-client.ts';
import { launchData, withChannels } from '../support/make-app.ts';

describe('graceful shutdown', () => {
  it('reports not ready at once, and serves every request until the drain time ends, with Connection: close', async (t) => {
    const testApp = await withChannels(t);
    const origin = await startListening(testApp);
    const get = async (path: string) => {
      const { status, headers } = await fetch(`${origin}${path}`);
      return [status, headers.get('connection')];
    };
    const reader = await openCaughtUpStream(t, origin);
    assert.deepEqual(await get('/healthz'), [200, 'keep-alive']);
    let isDrained = false;
    const drained = testApp.app.drain(500).then(() => {
      isDrained = true;
    });
    assert.deepEqual(await get('/healthz'), [503, 'close']);
    const health = (await testApp.app.inject('/healthz')).json();
    assert.deepEqual([health.live, health.ready, health.stopping, health.failed], [true, false, true, []]);
    for (const path of ['/api/channels', '/main', '/assets/app-AAAA1111.js']) assert.deepEqual(await get(path), [200, 'close']);
    const laterReader = await openCaughtUpStream(t, origin);
    assert.ok(!isDrained, 'the requests were sent within the drain time');
    await drained;
    assert.ok(!reader.isClosed() && !laterReader.isClosed(), 'streams stay open until the process closes');
    await testApp.app.close();
    await until(() => reader.isClosed() && laterReader.isClosed(), 'all streams have ended');
  });

  it('completes the current request and accepts no other', async (t) => {
    const testApp = await withChannels(t);
    const { port } = new URL(await startListening(testApp));
    const body = JSON.stringify({ initData: launchData(7) });
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    const head = `POST /api/telegram/auth/webapp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const requestArrived = once(testApp.app.server, 'request');
    socket.write(`${head}${body.slice(0, 10)}`);
    await requestArrived;
    const closed = testApp.app.close();
    await until(() => !testApp.app.server.listening, 'the server stops listening');
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
    socket.write(body.slice(10));
    await Promise.all([once(socket, 'close'), closed]);
    assert.match(received, /^HTTP\/1.1 200 [\s\S]*Access-Token/);
  });

  it('tells event streams to reconnect, each after a different delay', async (t) => {
    const testApp = await withChannels(t);
    const origin = await startListening(testApp);
    const readers = await Promise.all(Array.from({ length: 20 }, () => openCaughtUpStream(t, origin)));
    await testApp.app.close();
    await until(() => readers.every((reader) => reader.isClosed()), 'all streams have ended');
    const times = readers.map((reader) => Number(/retry: (\d+)\n\n$/.exec(reader.text())?.[1]));
    for (const time of times) assert.ok(time >= 1000 && time < 10_000, `retry: ${time}`);
    assert.ok(new Set(times).size > 10);
  });
});
