// Server-side request forgery (SSRF): addresses that lead to internal hosts, and headers made of untrusted text.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPublicFetch } from '../../../server/sources/fetch/safe-fetch.ts';
import { ADDRESSES, ALL_TEXTS } from '../../hostile/corpus.ts';
import { hostileChannel } from '../../hostile/posts.ts';
import { serve, testFetcher } from '../sources/rss/feed-server.ts';
import { getPage, makeApp, message, signIn, withChannels } from '../support/make-app.ts';

/** Spellings of internal addresses. An outside request must not make the server connect to any of them. */
const INTERNAL_HOSTS: readonly string[] = [
  ...[
    'http://0x7f.1/',
    'http://0177.1/',
    'http://017700000001/',
    'http://127.0.1/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0x0a000001/',
  ],
  ...['http://[::ffff:7f00:1]/', 'http://[0:0:0:0:0:ffff:127.0.0.1]/', 'http://[::127.0.0.1]/', 'http://[::ffff:0:127.0.0.1]/'],
  ...[
    'http://[64:ff9b::169.254.169.254]/',
    'http://[fe80::1%25lo]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[fd00:ec2::254]/',
  ],
  ...[
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://198.18.0.1/',
    'http://192.0.0.192/',
    'http://240.0.0.1/',
  ],
  ...['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'http://loc\u00adalhost/', 'http://a.localhost/', 'http://127.0.0.1%2f@8.8.8.8/'],
  ...[
    'http:127.0.0.1/',
    'http:/\\127.0.0.1/',
    'http://127。0。0。1/',
    'http://8.8.8.8:25/',
    'http://8.8.8.8:11211/',
    'http://8.8.8.8:65536/',
  ],
  ...[
    'http://xn--/',
    'http://a..b/',
    'http://[::1/',
    'http://[1::2::3]/',
    'http://1.2.3.4.5/',
    'http://256.256.256.256/',
    'http://\u0000/',
  ],
  ...[
    'gopher://8.8.8.8/',
    'dict://8.8.8.8:11211/',
    'ldap://8.8.8.8/',
    'http://8.8.8.8\r\nHost: 127.0.0.1:22/',
    'https+unix://%2fvar%2frun/',
  ],
];

const assertNotPolluted = () => assert.equal(Reflect.get({}, 'polluted'), undefined);

describe('addresses in our own network', () => {
  it('are rejected before any request is sent, also after a redirect', async (t) => {
    const reasons = new Map<string, number>();
    const count = (error: unknown) => {
      const reason = String(Reflect.get(Object(error), 'reason'));
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      assert.match(reason, /^(private|scheme|userinfo|port|address|unknown-host)$/, String(error));
      return true;
    };
    const fetchPublic = createPublicFetch();
    let requestCount = 0;
    const internalPort = await serve(t, (_request, response) => void response.end(String(++requestCount)));
    for (const address of INTERNAL_HOSTS)
      await assert.rejects(fetchPublic(address, { limits: { bytes: 1000, ms: 2000 } }), count, address);
    // The test fetcher treats 127.0.0.1 as public. A redirect to another internal address is still rejected.
    for (const address of ['http://127.0.0.2', 'http://[::ffff:7f00:2]', 'http://0x7f000002', 'http://secret.test'].map(
      (each) => `${each}:${internalPort}/`,
    )) {
      const port = await serve(t, (_request, response) => void response.writeHead(302, { location: address }).end());
      await assert.rejects(testFetcher({ 'secret.test': ['10.0.0.1'] })(`http://feed.test:${port}/`), count, address);
    }
    assert.equal(requestCount, 0);
    t.diagnostic(`${INTERNAL_HOSTS.length + 4} addresses: ${JSON.stringify([...reasons])}`);
  });
});

describe('headers that contain untrusted input', () => {
  it('stay on one line each, and link to no other host', async (t) => {
    const testApp = await makeApp(t);
    const usernames = [...ALL_TEXTS, ...ADDRESSES].map((text) => text.slice(0, 80));
    for (const [at, username] of usernames.entries()) {
      await testApp.store.putChannel(hostileChannel(`${at + 1}`, { username, title: username }));
      await testApp.store.putMessages([message(`${at + 1}`, 1, username)]);
    }
    let redirects = 0;
    for (const [at, username] of usernames.entries())
      for (const url of [
        `/channel/${at + 1}`,
        `/channel/${at + 1}?post=1`,
        `/feeds/${at + 1}.rss`,
        `/channel/${encodeURIComponent(Buffer.from(username).toString())}`,
      ]) {
        const { statusCode, headers } = await testApp.app.inject({ url, headers: { host: 'ours.example' } });
        assert.ok(statusCode < 500, `${statusCode} ${url}`);
        assert.equal(headers['set-cookie'], undefined);
        for (const [name, value] of Object.entries(headers)) assert.doesNotMatch(String(value), /[\r\n]/, name);
        if (headers.location === undefined) continue;
        redirects += 1;
        assert.equal(new URL(String(headers.location), 'http://ours.example').host, 'ours.example', url);
      }
    t.diagnostic(`${usernames.length} names, ${redirects} redirects, all to the same host`);
  });

  it('link to no other host for any path that looks like a host', async (t) => {
    const { app } = await withChannels(t);
    const paths = [
      '//evil.example',
      '//evil.example/%2f..',
      '/\\evil.example',
      '/%5cevil.example',
      '/%2f%2fevil.example',
      '/%0d%0aLocation:%20//evil.example',
    ];
    for (const path of [
      ...paths,
      ...paths.map((each) => `/channel${each}/`),
      ...paths.map((each) => `/elements${each}`),
      ...paths.map((each) => `/feeds${each}.rss`),
    ]) {
      const { headers, statusCode } = await app.inject({
        method: 'GET',
        url: { pathname: path },
        headers: { host: 'ours.example' },
      });
      assert.ok(statusCode < 500, path);
      assert.doesNotMatch(String(headers.location ?? ''), /^(?:https?:)?[\\/]{2}evil/, path);
    }
  });
});

describe('invalid Host headers', () => {
  it('are rejected wherever the server builds a URL from them', async (t) => {
    const { app } = await withChannels(t);
    const hosts = [
      '300.300.300.300',
      '[::::]',
      'a:99999',
      '1.2.3.4.5',
      'xn--a',
      '08',
      '999999999999',
      'a b',
      'a/b',
      'a@b',
      'a?b',
    ];
    for (const host of hosts)
      for (const url of ['/oembed?url=http://x/channel/alpha', '/feeds/alpha.rss', '/sitemap.xml', '/channel/alpha', '/main']) {
        const { statusCode, body } = await app.inject({ url, headers: { host } });
        assert.ok(statusCode < 500, `${statusCode} ${host} ${url}`);
        assert.ok(!body.includes(`//${host}`), `${host} ${url}`);
      }
  });
});

describe('property names that every object inherits', () => {
  it('change nothing in a query, a feed or a line-up', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    const headers = await signIn(testApp, 7);
    const names = ['__proto__[polluted]', 'constructor[prototype][polluted]', '__proto__.polluted', '__proto__', 'constructor'];
    for (const name of names)
      for (const path of ['/api/channels', '/api/feed', '/api/search', '/oembed', '/main']) {
        const { statusCode } = await testApp.app.inject({ url: `${path}?${encodeURIComponent(name)}=1&${name}=1` });
        assert.ok(statusCode < 500, path);
        assertNotPolluted();
      }
    const body = (inner: string) => `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${inner}}`;
    const feed = body(
      `"version":"https://jsonfeed.org/version/1.1","title":"F","items":[${body('"id":"1","content_text":"x","url":"https://a.example/1"')}]`,
    );
    const port = await serve(
      t,
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/feed+json' }).end(feed),
    );
    const added = await testApp.app.inject({
      method: 'POST',
      url: '/api/operator/feeds',
      payload: { url: `http://feed.test:${port}/` },
      headers,
    });
    assertNotPolluted();
    if (added.statusCode === 200)
      assert.equal((await getPage(testApp, `/api/channels/${added.json().id}/posts`)).items.length, 1);
    else assert.equal(added.statusCode, 422, added.body);
    const entries = '"entries":[{"channelId":"__proto__"},{"channelId":"constructor"}]';
    for (const inner of [entries, `${entries},"presets":[{"id":"__proto__","name":"constructor","channelIds":["toString"]}]`]) {
      const response = await testApp.app.inject({
        method: 'PUT',
        url: '/api/lineup',
        headers: { ...headers, 'content-type': 'application/json' },
        payload: body(inner),
      });
      assert.ok(response.statusCode < 500, response.body);
      assertNotPolluted();
    }
    assert.equal((await testApp.app.inject({ url: '/api/lineup', headers })).statusCode, 200);
  });
});
