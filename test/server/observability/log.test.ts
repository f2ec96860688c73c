// Log: the lines about requests and errors, without any secret.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { registerLoadShedding } from '../../../server/http/load-shedding.ts';
import { createFeedPoller } from '../../../server/sources/rss/poller.ts';
import { until } from '../../support/browser.ts';
import { channel, launchData, makeApp, signIn } from '../support/make-app.ts';

const READER = 987_654_321;
const WEBHOOK_SECRET = 'secret-of-the-webhook';
const KEY = 'k3y-of-a-feed';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reqId?: string;
  readonly req?: { readonly method: string; readonly route: string };
  readonly status?: number;
  readonly ms?: number;
  readonly err?: { readonly type: string; readonly stack: string };
}
const read = (lines: readonly string[]): Line[] => lines.map((line) => JSON.parse(line));

/** Uses every part of a server that may handle a secret. Returns the texts that must not appear in the log. */
async function useAllSecrets(t: TestContext) {
  const testApp = await makeApp(t);
  const { app, store, lines, context } = testApp;
  const raw = launchData(READER);
  const token = await signIn(testApp, READER);
  await store.putChannel(channel('alpha'));
  const json = { 'content-type': 'application/json' };
  const cookie = { cookie: 'XSRF-TOKEN=secret-cookie', 'x-xsrf-token': 'secret-cookie', authorization: 'Bearer secret-bearer' };
  await app.inject({
    method: 'PUT',
    url: '/api/channels/alpha/read',
    payload: { messageId: 424_242 },
    headers: { ...token, ...cookie },
  });
  await app.inject({ url: '/api/channels/alpha/posts?grant=secret-grant', remoteAddress: '203.0.113.77' });
  await app.inject({
    method: 'POST',
    url: '/api/telegram/webhook',
    payload: '{"secret-body":',
    headers: { ...json, 'x-telegram-bot-api-secret-token': WEBHOOK_SECRET },
  });
  await app.inject({ method: 'POST', url: '/api/feeds', payload: { url: `http://nowhere.test/${KEY}` } });
  await app.inject('/%E0%A4%A?secret-query');
  // Errors of a parser or a database quote their input.
  t.mock.method(store, 'lineup', () => {
    throw new SyntaxError(`secret-value of ${READER} at ${token['access-token']}`);
  });
  await app.inject({ url: '/api/lineup?grant=secret-grant', headers: token });
  t.mock.method(store, 'claimFeed', () => Promise.reject(new Error(`http://nowhere.test/${KEY}`)));
  const poller = createFeedPoller(context);
  poller.start();
  await until(async () => lines.some((line) => line.includes('feeds that are due')), 'the poller fails');
  await poller.stop();
  context.log(`A line of https://nowhere.test/${KEY}`, new Error('secret-value'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).write('secret-noise\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
  const secrets = [
    raw,
    token['access-token'],
    'hash=',
    WEBHOOK_SECRET,
    KEY,
    String(READER),
    '424242',
    '203.0.113.77',
    'alpha',
    'secret-',
  ];
  return { lines, secrets };
}

describe('the log', () => {
  it('contains no secret, no address and no personal data, even at the most detailed level', async (t) => {
    const { lines, secrets } = await useAllSecrets(t);
    await until(async () => lines.some((line) => line.includes('invalid HTTP request')), 'the noise is told');
    for (const secret of secrets)
      assert.deepEqual(
        lines.filter((line) => line.includes(secret)),
        [],
        secret,
      );
    assert.ok(lines.length > 8);
  });

  it('has one entry for a failed request: its id, route, status, time, and where it failed', async (t) => {
    const { lines } = await useAllSecrets(t);
    const errors = read(lines).filter(({ level }) => level >= 50);
    assert.deepEqual(
      errors.map(({ req, status, err }) => [req, status, err?.type]),
      [[{ method: 'GET', route: '/api/lineup' }, 500, 'SyntaxError']],
    );
    assert.match(errors[0]?.err?.stack ?? '', /^ {4}at .*log\.test\.ts/);
    assert.ok(errors[0]?.reqId && Number.isInteger(errors[0].ms));
  });

  it('counts the requests rejected for overload in a single line', async (t) => {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
    t.after(() => app.close());
    registerLoadShedding(app, { level: () => 9, trackRequest: () => () => {}, stop: () => {} }, ({ ip }) => ip);
    app.get('/api/feed', async () => 'answered');
    for (let time = 0; time < 3; time += 1) assert.equal((await app.inject('/api/feed')).statusCode, 503);
    await app.close();
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).refused),
      [3],
    );
  });
});
