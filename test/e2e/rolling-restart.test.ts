// Rolling restart: two processes behind nginx are restarted one after the other while clients read and listen.
import assert from 'node:assert/strict';
import type { ClientHttp2Session } from 'node:http2';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { channel, message } from '../server/support/make-app.ts';
import { until } from '../support/browser.ts';
import { noNginx, SITE, startNginx } from '../support/nginx.ts';
import { startServer } from '../support/server.ts';
import { send } from '../support/site-behind-nginx.ts';

const READERS = 2;
const PAUSE_MS = 20;
const MIN_RESPONSES = 100;

/**
 * Sends a request, and returns the status of the complete response. The body is added to a status of an error. A busy machine may
 * shed load, which is no fault of the restart.
 */
async function resultOf(session: ClientHttp2Session, path: string): Promise<string> {
  const response = await send(session, path);
  const [status, body] = [response.status, String(response.body)];
  if (status === 503 && body.includes('The server is overloaded')) return 'overload';
  return status === 200 ? '200' : `${status} ${body.slice(0, 200)}`;
}

/** Requests a path again and again until `stop` is aborted. Counts the responses by status. */
async function repeat(session: ClientHttp2Session, path: string, stop: AbortSignal) {
  const counts: Record<string, number> = {};
  while (!stop.aborted) {
    const result = await resultOf(session, path).catch((error: unknown) => String(error));
    counts[result] = (counts[result] ?? 0) + 1;
    await delay(PAUSE_MS);
  }
  return counts;
}

/** Follows the event stream. When a stream ends, opens another one after the id of the last event. */
function followEvents(session: ClientHttp2Session, stop: AbortSignal) {
  const log = { text: '', streams: 0 };
  const follow = async () => {
    while (!stop.aborted) {
      const lastId = [...log.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
      const stream = session.request({ ':path': '/api/events', ...(lastId !== undefined && { 'last-event-id': lastId }) });
      log.streams += 1;
      const close = () => stream.close();
      stop.addEventListener('abort', close);
      try {
        for await (const part of stream) log.text += part;
      } catch (error) {
        if (!stop.aborted) throw error;
      }
      stop.removeEventListener('abort', close);
      await delay(100);
    }
  };
  return { log, ended: follow() };
}

describe('a rolling restart behind nginx', { skip: noNginx() }, () => {
  it('fails no request, and event streams resume on the other process without a lost event', async (t) => {
    const env = { HOST: '127.0.0.1', PUBLIC_URL: `https://${SITE}`, DRAIN_SECONDS: '1', DEMO: 'off' };
    const first = await startServer({ env, isSingle: true });
    t.after(() => first.stop());
    const second = await startServer({ env, dataDir: first.dataDir, isSingle: true });
    t.after(() => second.stop());
    const store = await first.openStore();
    await store.putChannel(channel('1', { username: 'alpha' }));
    const nginx = await startNginx(new URL(first.origin).host, new URL(second.origin).host);
    const stopper = new AbortController();
    // nginx closes a connection after 1000 requests, so each client has its own.
    const sessions: ClientHttp2Session[] = [];
    // Clients with different addresses reach different processes.
    const connect = () => {
      const session = nginx.connect(`127.0.0.${sessions.length + 1}`);
      sessions.push(session);
      return session;
    };
    t.after(async () => {
      stopper.abort();
      for (const session of sessions) session.destroy();
      await nginx.stop();
      await store.close();
    });

    const { log, ended } = followEvents(connect(), stopper.signal);
    await until(async () => log.text.includes('id: '), 'the stream has caught up');
    const paths = ['/main', ...Array.from({ length: READERS }, () => '/api/channels')];
    const clients = paths.map((path) => repeat(connect(), path, stopper.signal));
    for (const [at, server] of [first, second].entries()) {
      const halted = server.halt();
      await delay(500);
      const now = Date.now();
      await store.putMessages([
        { ...message('1', at + 1, `Post ${at}`, [], Math.floor(now / 1000)), source: 'bot', modifiedAt: now },
      ]);
      await halted;
      await until(async () => log.text.includes(`Post ${at}`), 'the event is received');
      await server.resume();
    }
    await delay(500);
    stopper.abort();
    await ended;
    const results = await Promise.all(clients);
    const failures = results
      .flatMap((counts) => Object.keys(counts))
      .filter((result) => result !== '200' && result !== 'overload');
    assert.deepEqual(failures, []);
    const total = results.reduce((sum, counts) => sum + (counts['200'] ?? 0), 0);
    t.diagnostic(`${total} responses, ${log.streams} event streams`);
    assert.ok(total > MIN_RESPONSES);
    assert.ok(log.streams > 1, 'the stream was ended by a restart');
    for (const at of [0, 1]) assert.equal(log.text.split(`"Post ${at}"`).length, 2, `Post ${at} is received once`);
  });
});
