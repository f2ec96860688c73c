// Cache-Control of every route, for each kind of caller: which responses a shared cache (CDN) may store.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import { MEMBER, makePrivateChannelSite, NON_MEMBER, REQUESTS_BY_ROUTE } from '../support/private-channel.ts';

const NEVER = 'no-store';
const API = 'public, s-maxage=10';
const DOCUMENT = 'public, max-age=60, s-maxage=30, stale-while-revalidate=60';
const REVALIDATED = 'no-cache';

/**
 * Routes whose responses to anonymous clients may be stored, with an address that returns 200. Every other route must not be
 * stored by a shared cache. Rendered pages and tags are tested in test/e2e/server-rendering.test.ts, which has their renderer.
 */
const PUBLIC: Readonly<Record<string, readonly [url: string, cacheControl: string]>> = {
  'GET /api/search': ['/api/search?q=hide', API],
  'GET /api/channels': ['/api/channels', API],
  'GET /api/channels/:id': ['/api/channels/town_square', API],
  'GET /api/channels/:id/posts': ['/api/channels/town_square/posts', API],
  'GET /api/posts/:channel/:id': ['/api/posts/town_square/{post}', API],
  'GET /api/feed': ['/api/feed', API],
  'GET /api/version': ['/api/version', API],
  'GET /api/notifications/key': ['/api/notifications/key', API],
  'GET /feeds/:file': ['/feeds/town_square.rss', DOCUMENT],
  'GET /feeds/line-up.rss': ['/feeds/line-up.rss', DOCUMENT],
  'GET /feeds/line-up.atom': ['/feeds/line-up.atom', DOCUMENT],
  'GET /feeds/line-up.json': ['/feeds/line-up.json', DOCUMENT],
  'GET /feeds/search.rss': ['/feeds/search.rss?q=hide', DOCUMENT],
  'GET /feeds/search.atom': ['/feeds/search.atom?q=hide', DOCUMENT],
  'GET /feeds/search.json': ['/feeds/search.json?q=hide', DOCUMENT],
  'GET /feeds/network.opml': ['/feeds/network.opml', DOCUMENT],
  'GET /oembed': ['/oembed?url=http://localhost/channel/town_square', DOCUMENT],
  'GET /robots.txt': ['/robots.txt', DOCUMENT],
  'GET /sitemap.xml': ['/sitemap.xml', DOCUMENT],
  'GET /sitemap/:part': ['/sitemap/pages.xml', DOCUMENT],
  'GET /privacy': ['/privacy', DOCUMENT],
  'GET /elements/versions.json': ['/elements/versions.json', REVALIDATED],
  'GET /*': ['/main', REVALIDATED],
};

/** Returns whether a shared cache may store a response (RFC 9111, 3). Without a Cache-Control, some store it by heuristics. */
const mayBeShared = (cacheControl: string): boolean => !/\b(no-store|private|no-cache)\b/.test(cacheControl);

describe('shared caches', () => {
  it('may store the public responses of the table, those with credentials never, and each varies by what it depends on', async (t) => {
    const site = await makePrivateChannelSite(t);
    const { app, privateChannel, postId, keys } = site;
    for (const route of Object.keys(PUBLIC)) assert.ok(route in REQUESTS_BY_ROUTE, route);
    const town: { items: { id: number }[] } = (await app.inject('/api/channels/town_square/posts')).json();
    const callers: readonly [string, Record<string, string>][] = [
      ['anonymous', {}],
      ['with a foreign cookie', { cookie: '__cf_bm=1; theme=dark' }],
      ['with the cookie of a reader', { cookie: 'theme=dark; XSRF-TOKEN=abc' }],
      ['with Authorization', { authorization: 'Basic eDp5' }],
      ['reader', await site.signIn(NON_MEMBER)],
      ['member', await site.signIn(MEMBER)],
      ['operator', await site.signIn(site.telegram.operator.id)],
      ['expired session', { 'access-token': 'expired' }],
    ];
    for (const [route, requestsOf] of Object.entries(REQUESTS_BY_ROUTE)) {
      if (!route.startsWith('GET ') || route === 'GET /api/events') continue;
      const [url, cacheControl] = PUBLIC[route] ?? [];
      const requests: InjectOptions[] = requestsOf(privateChannel.bareId, postId, keys[1] ?? '');
      if (url !== undefined) requests.push({ url: url.replace('{post}', String(town.items[0]?.id)) });
      for (const [caller, headers] of callers)
        for (const request of requests) {
          const response = await app.inject({ ...request, headers: { ...request.headers, ...headers } });
          const actual = String(response.headers['cache-control'] ?? '');
          const what = `${route} ${caller} ${JSON.stringify(request.url)} ${response.statusCode}: ${actual}`;
          const isPublicCaller = caller === 'anonymous' || caller === 'with a foreign cookie';
          if (!isPublicCaller || cacheControl === undefined || response.statusCode !== 200)
            assert.ok(!mayBeShared(actual) || isStaticFile(route), what);
          if (response.statusCode >= 400 && route !== 'GET /*') assert.equal(actual, NEVER, what);
          if (response.headers['set-cookie'] !== undefined) assert.equal(actual, NEVER, what);
          if (isPublicCaller && request.url === requests.at(-1)?.url && cacheControl !== undefined)
            assert.deepEqual([response.statusCode, actual], [200, cacheControl], what);
          if (mayBeShared(actual) && !isStaticFile(route)) assert.match(String(response.headers.vary), varyOf(route), what);
        }
    }
  });

  it('may store a 304 like its 200, and get the same Vary', async (t) => {
    const { app } = await makePrivateChannelSite(t);
    for (const url of ['/api/feed', '/feeds/network.opml']) {
      const first = await app.inject(url);
      const next = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
      assert.equal(next.statusCode, 304);
      for (const name of ['cache-control', 'vary', 'etag'])
        assert.equal(next.headers[name], first.headers[name], `${url} ${name}`);
    }
  });

  it('separate responses by X-Forwarded-Host if it was sent', async (t) => {
    const { app } = await makePrivateChannelSite(t);
    for (const url of ['/robots.txt', '/main']) {
      const forwarded = await app.inject({ url, headers: { 'x-forwarded-host': 'other.example' } });
      assert.match(String(forwarded.headers.vary), /X-Forwarded-Host/);
      assert.doesNotMatch(String((await app.inject(url)).headers.vary), /X-Forwarded-Host/);
    }
  });
});

/** Pages of the API documentation: files of a package, the same for all. */
const isStaticFile = (route: string): boolean => /^GET \/api\/docs(\/|$)/.test(route);

const varyOf = (route: string): RegExp =>
  route.startsWith('GET /api/') ? /^Access-Token, Origin, Accept-Encoding$/ : /^Accept-Encoding, (Accept-Language, )?Origin/;
