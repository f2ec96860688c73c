// Shared cache: deploy/nginx.conf stores public responses, and never gives one reader the response of another.
import assert from 'node:assert/strict';
import type { ClientHttp2Session } from 'node:http2';
import { after, before, describe, it } from 'node:test';
import { SHARED_CACHE_SECONDS } from '../../contract/limits.ts';
import type { Store } from '../../server/storage/ports/store.ts';
import { BOT_TOKEN, channel, message, signInAt } from '../server/support/make-app.ts';
import { until } from '../support/browser.ts';
import { noNginx, SITE } from '../support/nginx.ts';
import type { RunningServer } from '../support/server.ts';
import { send, startSiteBehindNginx } from '../support/site-behind-nginx.ts';

const OPERATOR = 7;
const SECRET = 'xylophone';

/** Returns the response to a GET request with its body as text. */
async function get(session: ClientHttp2Session, path: string, requestHeaders: Record<string, string> = {}) {
  const { status, headers, body } = await send(session, path, requestHeaders);
  return { status, headers, body: String(body) };
}

describe('the cache of nginx', { skip: noNginx() }, () => {
  let server: RunningServer;
  let store: Store;
  let session: ClientHttp2Session;
  let stop: (() => Promise<void>) | undefined;
  /** Headers of each caller. */
  const callers = new Map<string, Record<string, string>>([['anonymous', {}]]);

  before(async () => {
    const env = { BOT_TOKEN, OPERATOR_IDS: String(OPERATOR), DEMO: 'off' };
    ({ server, store, session, stop } = await startSiteBehindNginx(env));
    await store.putChannel(channel('1', { username: 'alpha', title: 'Alpha' }));
    await store.putChannel(channel('9', { title: SECRET, private: true }));
    for (const id of [1, 2, 3]) await store.putMessages([message('1', id, `Told ${id}`), message('9', id, `${SECRET} ${id}`)]);
    for (const id of [OPERATOR, 8, 9]) callers.set(`reader ${id}`, await signInAt(server.origin, id));
    const star = (id: number, post: number) =>
      fetch(`${server.origin}/api/stars/1/${post}`, { method: 'PUT', headers: callers.get(`reader ${id}`) ?? {} });
    for (const [id, post] of [
      [OPERATOR, 1],
      [8, 2],
      [9, 3],
    ] as const)
      assert.equal((await star(id, post)).status, 204);
  });
  after(() => stop?.());

  it('gives each caller the response that the server gives that caller, in any order', async () => {
    const paths = [
      '/api/feed',
      '/api/channels',
      '/api/channels/9',
      '/api/channels/9/posts',
      '/api/stars',
      '/api/me',
      '/api/search?q=told',
    ];
    const expected = new Map<string, string>();
    for (const path of paths)
      for (const [caller, headers] of callers) {
        const response = await fetch(server.origin + path, { headers });
        expected.set(`${path} ${caller}`, `${response.status} ${await response.text()}`);
      }
    assert.match(expected.get(`/api/feed reader ${OPERATOR}`) ?? '', /xylophone/);
    assert.notEqual(expected.get('/api/stars reader 8'), expected.get('/api/stars reader 9'));
    const orders = [[...callers], [...callers].toReversed(), [...callers, ...callers]];
    for (const order of orders)
      await Promise.all(
        paths.map(async (path) => {
          for (const [caller, headers] of order) {
            const { status, body } = await get(session, path, headers);
            // The id of a request differs in each problem response.
            const withoutId = (text = '') => text.replace(/"requestId":"[^"]*"/, '');
            assert.equal(withoutId(`${status} ${body}`), withoutId(expected.get(`${path} ${caller}`)), `${path} ${caller}`);
          }
        }),
      );
  });

  it('stores public responses, and neither those with credentials nor those of readers', async () => {
    const states = async (path: string, headers: Record<string, string> = {}) => {
      const [first, second] = [await get(session, path, headers), await get(session, path, headers)];
      return [first.headers['x-cache'], second.headers['x-cache']];
    };
    for (const path of [
      '/api/feed?limit=2',
      '/channel/alpha',
      '/feeds/alpha.rss',
      '/oembed?url=https%3A%2F%2Fchannels.example%2Fchannel%2Falpha',
    ])
      assert.deepEqual(await states(path), ['MISS', 'HIT'], path);
    for (const headers of [callers.get('reader 8') ?? {}, { cookie: 'XSRF-TOKEN=abc' }, { authorization: 'Basic eDp5' }])
      for (const path of ['/api/feed?limit=2', '/channel/alpha', '/feeds/alpha.rss'])
        assert.deepEqual(await states(path, headers), ['BYPASS', 'BYPASS'], `${path} ${Object.keys(headers)}`);
    for (const path of ['/api/me', '/api/stars', '/api/unread?marks=1.1', '/api/channels/9'])
      assert.deepEqual(await states(path), ['MISS', 'MISS'], path);
    assert.deepEqual(await states('/channel/9'), ['MISS', 'HIT'], 'the page of a private channel is the same as for no channel');
    assert.doesNotMatch((await get(session, '/channel/9')).body, new RegExp(SECRET));
  });

  it('keeps languages, encodings and sites apart', async () => {
    const languageOf = async (language: string) =>
      /<html lang="([a-z]+)"/.exec((await get(session, '/main', { 'accept-language': language })).body)?.[1];
    for (const language of ['en', 'ru', 'ar', 'ru', 'en']) assert.equal(await languageOf(language), language);
    const encodingOf = async (encoding: string) =>
      (await get(session, '/api/channels?x=1', { 'accept-encoding': encoding })).headers['content-encoding'];
    assert.deepEqual([await encodingOf('identity'), await encodingOf('identity')], [undefined, undefined]);
    const page = async (encoding: string) =>
      (await get(session, '/main', { 'accept-encoding': encoding })).headers['content-encoding'];
    assert.deepEqual(
      [await page('br'), await page('gzip'), await page('identity'), await page('br')],
      ['br', 'gzip', undefined, 'br'],
    );
    const originOf = async (origin?: string) => {
      const { headers } = await get(session, '/api/feed?limit=1', origin === undefined ? {} : { origin });
      return [headers['access-control-allow-origin'], headers['access-control-allow-credentials']];
    };
    for (let at = 0; at < 2; at++) {
      assert.deepEqual(await originOf('https://site.example'), ['*', undefined]);
      assert.deepEqual(await originOf(`https://${SITE}`), [`https://${SITE}`, 'true']);
    }
  });

  it('shows a hidden post no longer than s-maxage', async () => {
    const feed = () => get(session, '/api/feed?limit=3');
    assert.match((await feed()).body, /Told 3/);
    const hiddenAt = Date.now();
    await store.hidePost('1', 3, Math.floor(hiddenAt / 1000));
    await until(async () => !(await feed()).body.includes('Told 3'), 'the cached response is replaced');
    assert.ok(Date.now() - hiddenAt < (SHARED_CACHE_SECONDS + 2) * 1000, `${Date.now() - hiddenAt} ms`);
  });
});
