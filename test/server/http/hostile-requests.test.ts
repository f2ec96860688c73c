// Hostile requests: every route with hostile values in path, query and body.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { TEXTS } from '../../fuzz/values.ts';
import { signIn, type TestApp, withChannels } from '../support/make-app.ts';

const OPERATOR = 501;

const Described = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({ parameters: Type.Optional(Type.Array(Type.Object({ name: Type.String(), in: Type.String() }))) }),
    ),
  ),
});

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
}

/** Returns every route that the API describes. The event stream does not end and has its own tests. */
const routesOf = async ({ app }: TestApp): Promise<Route[]> => {
  const { paths } = Value.Parse(Described, (await app.inject('/api/docs/json')).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => path !== '/api/events')
      .map(([method, { parameters = [] }]) => ({
        method: method.toUpperCase(),
        path,
        query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      })),
  );
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const methodOf = (name: string) => METHODS.find((method) => method === name) ?? 'GET';

const BODIES: readonly string[] = [
  ...['', 'null', '[]', '"x"', '{', '{"a":1', '\ufeff{}', '{}{}', '{"a":1e999}', '\u0000'],
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"toString":1,"valueOf":1}'],
  ...['['.repeat(100_000), '{"a":'.repeat(50_000), `{"entries":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ...[`{"url":"${'a'.repeat(100_000)}"}`, JSON.stringify({ entries: Array.from({ length: 5000 }, () => ({ channelId: '1' })) })],
  ...['{"entries":[{"channelId":{"toString":1}}]}', '{"messageId":1e308}', '{"initData":"user=%00&hash=x"}', '{"keep":"yes"}'],
];

const HEADERS: readonly Record<string, string>[] = [
  ...['', 'x'.repeat(8000), '../..', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'].map((token) => ({ 'access-token': token })),
  ...[{ range: 'bytes=0-9999999999999999999999' }, { 'accept-language': ';q='.repeat(2000) }, { accept: '*/'.repeat(4000) }],
  ...[{ cookie: 'access_token=%ff; __proto__=1; a' }, { 'last-event-id': '\u00ff'.repeat(100) }, { origin: 'null' }],
  ...[{ 'x-forwarded-for': '::ffff:7f00:1, "><script>' }, { 'if-none-match': '"'.repeat(4000) }, { 'content-type': 'text/xml' }],
];

/** Values for a path or a query: all of them percent-encoded, and some as browsers would send them raw. */
const encodedTexts = TEXTS.map((text) => encodeURIComponent(Buffer.from(text).toString())).concat(
  '%',
  '%ff',
  '%00',
  '..%2f',
  '%E0%A4%A',
);

/** Returns a different network for each request, since many guesses from one network are soon blocked. */
const addressOf = (at: number) => ({ 'x-forwarded-for': `2001:db8:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}::1` });

describe('malicious requests', () => {
  it('get a response without a server error, an inherited name or a header of their own', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: String(OPERATOR) });
    const routes = await routesOf(testApp);
    assert.ok(routes.length > 30, `${routes.length} routes`);
    const statusCounts = new Map<number, number>();
    const counts = { paths: 0, queries: 0, bodies: 0, headers: 0 };
    let requestCount = 0;
    const send = async (
      { method, path }: Route,
      url: string,
      options: { payload?: string; headers?: Record<string, string> } = {},
    ) => {
      const contentType = options.payload === undefined ? {} : { 'content-type': 'application/json' };
      const response = await testApp.app.inject({
        method: methodOf(method),
        url,
        ...options,
        headers: { ...addressOf(requestCount++), ...contentType, ...options.headers },
      });
      const description = `${method} ${path}: ${url.slice(0, 200)} ${JSON.stringify(options).slice(0, 200)}`;
      assert.ok(
        response.statusCode < 500 || response.statusCode === 503,
        `${response.statusCode} ${description}\n${response.body.slice(0, 300)}`,
      );
      statusCounts.set(response.statusCode, (statusCounts.get(response.statusCode) ?? 0) + 1);
      assert.equal(Reflect.get({}, 'polluted'), undefined, description);
      assert.ok(![response.headers['set-cookie'] ?? ''].flat().some((cookie) => cookie.startsWith('b=c')), description);
      if (/html/.test(String(response.headers['content-type']))) assert.ok(!response.body.includes('<script>alert'), description);
    };
    let operator = await signIn(testApp, OPERATOR);
    for (const route of routes) {
      const plain = route.path.replace(/\{[^}]+\}/g, '1');
      for (const text of encodedTexts) {
        if (plain !== route.path) {
          counts.paths += 1;
          await send(
            route,
            route.path.replace(/\{[^}]+\}/g, () => text),
          );
        }
        for (const name of route.query) {
          counts.queries += 1;
          await send(route, `${plain}?${name}=${text}&${name}=${text}`);
          await send(route, `${plain}?${name}=${text}`);
        }
      }
      for (const headers of HEADERS) {
        counts.headers += 1;
        await send(route, plain, { headers });
      }
      if (route.method === 'GET') continue;
      for (const payload of BODIES) {
        counts.bodies += 1;
        // Signs in again each time, since some of the requests end the session.
        await send(route, plain, { payload, headers: operator });
        // Some of the requests end the session.
        if (route.method === 'DELETE') operator = await signIn(testApp, OPERATOR);
      }
    }
    t.diagnostic(
      `${routes.length} routes; tried ${JSON.stringify(counts)}; answered ${JSON.stringify([...statusCounts].sort())}`,
    );
    assert.ok(statusCounts.has(200) && statusCounts.has(400));
    for (const line of testApp.lines) assert.doesNotThrow(() => JSON.parse(line), 'a line of the log was torn');
  });
});
