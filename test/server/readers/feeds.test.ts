// Feeds that readers add: discovery, limits, access and deletion.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { Value } from 'typebox/value';
import { PagedChannels, Problem, UnreadPage } from '../../../contract/api.ts';
import { Channel } from '../../../contract/channel.ts';
import { Lineup } from '../../../contract/lineup.ts';
import { OperatorOverview } from '../../../contract/operator.ts';
import { pruneExternalFeeds } from '../../../server/jobs/prune-feeds.ts';
import { serve } from '../sources/rss/feed-server.ts';
import { channel, fill, getPage, makeApp, signIn } from '../support/make-app.ts';

const OPERATOR = 7;
const DAY = 86_400_000;

const feedOf = (
  title: string,
) => `<?xml version="1.0"?><rss version="2.0"><channel><title>${title}</title><item><title>One</title>
  <link>https://outside.example/1</link><description>A zeppelin &lt;a href="#note"&gt;1&lt;/a&gt;</description>
  <pubDate>Tue, 02 Jan 2024 12:00:00 GMT</pubDate></item></channel></rss>`;

/**
 * Creates a server, and a site that responds to any path with a feed whose title is the path, and to `/page` with a page that
 * links to a feed.
 */
async function setUp(t: TestContext, environment: Record<string, string> = {}, handler?: RequestListener) {
  const testApp = await makeApp(t, { OPERATOR_IDS: String(OPERATOR), ...environment });
  let requestCount = 0;
  const page = '<html><head><link rel="alternate" type="application/rss+xml" href="/named"></head></html>';
  const site: RequestListener = (request, response) => {
    requestCount += 1;
    if (handler) return handler(request, response);
    response.end(request.url === '/page' ? page : feedOf(`Feed ${request.url}`));
  };
  const origin = `http://feed.test:${await serve(t, site)}`;
  let address = 0;
  /** Sends each request from another address, unless one is given. */
  const post = (payload: unknown, headers: Record<string, string> = {}) => {
    address += 1;
    const from = `10.0.${address >> 8}.${address & 255}`;
    const type = { 'content-type': 'application/json' };
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return testApp.app.inject({
      method: 'POST',
      url: '/api/feeds',
      payload: body,
      headers: { ...type, 'x-forwarded-for': from, ...headers },
    });
  };
  const add = async (url: string, headers: Record<string, string> = {}) => {
    const response = await post({ url }, headers);
    assert.equal(response.statusCode, 200, response.body);
    return Value.Parse(Channel, response.json());
  };
  const rejectionDetail = async (url: string) => {
    const response = await post({ url });
    assert.equal(response.statusCode, 422, `${url}: ${response.body}`);
    return Value.Parse(Problem, response.json()).detail;
  };
  const get = async (url: string, headers: Record<string, string> = {}) => testApp.app.inject({ url, headers });
  const idsAt = async (url: string, headers: Record<string, string> = {}) =>
    Value.Parse(PagedChannels, (await get(url, headers)).json()).items.map(({ id }) => id);
  return { ...testApp, origin, post, add, rejectionDetail, get, idsAt, requestCount: () => requestCount };
}

describe('POST /api/feeds', () => {
  it('creates a channel for anyone, whose posts can be read by its id at once', async (t) => {
    const testApp = await setUp(t);
    const added = await testApp.add(`${testApp.origin}/feed?token=s3cret`);
    assert.deepEqual(
      [added.title, added.source, added.state, added.elsewhere],
      ['Feed /feed?token=s3cret', 'feed', 'live', true],
    );
    assert.match(added.id, /^f-[0-9a-f]{16}$/);
    const { items, channels } = await getPage(testApp, `/api/channels/${added.id}/posts`);
    assert.deepEqual(
      items.map(({ link }) => link),
      ['https://outside.example/1'],
    );
    assert.deepEqual(channels, [added]);
    const [post] = items;
    assert.ok(post);
    assert.equal((await getPage(testApp, `/api/feed?channels=${added.id}`)).items.length, 1);
    assert.equal((await getPage(testApp, `/api/search?q=zeppelin&channels=${added.id}`)).items.length, 1);
    assert.equal((await testApp.get(`/api/posts/${added.id}/${post.id}`)).statusCode, 200);
    const unread = Value.Parse(UnreadPage, (await testApp.get(`/api/unread?marks=${added.id}.0`)).json());
    assert.deepEqual(unread.items, [{ channelId: added.id, count: 1 }]);
  });

  it('lists the channel only for clients that name it', async (t) => {
    const testApp = await setUp(t);
    const { store, idsAt, origin } = testApp;
    await fill(store, channel('1'), 1);
    const { id } = await testApp.add(`${origin}/feed`);
    const operator = await signIn(testApp, OPERATOR);
    for (const headers of [{}, await signIn(testApp, 8), operator]) {
      assert.deepEqual(await idsAt('/api/channels', headers), ['1']);
      const feed = await getPage(testApp, '/api/feed', headers);
      assert.deepEqual([feed.items.map(({ channelId }) => channelId), feed.channels.map((each) => each.id)], [['1'], ['1']]);
      assert.equal((await getPage(testApp, '/api/search?q=zeppelin', headers)).items.length, 0);
      for (const url of ['/api/lineup', '/api/stars', '/api/marks', '/api/unread'])
        assert.doesNotMatch((await testApp.get(url, headers)).body, new RegExp(id));
    }
    for (const url of ['/api/operator/channels', '/api/operator/gaps', '/api/operator/hidden', '/api/operator/audit'])
      assert.doesNotMatch((await testApp.get(url, operator)).body, new RegExp(id), url);
    assert.deepEqual((await store.posts({ limit: 9 }, { privateChannels: 'all' })).length, 1);
  });

  it('lists a named channel after the directory, and leaves out an unknown one', async (t) => {
    const testApp = await setUp(t);
    const first = await testApp.add(`${testApp.origin}/first`);
    await fill(testApp.store, channel('1'), 1);
    await testApp.store.putChannel(channel('9', { private: true }));
    assert.deepEqual(await testApp.idsAt(`/api/channels?also=${first.id},f-0000000000000000,9,1,,`), ['1', first.id]);
    const many = Array.from({ length: 201 }, (_, at) => `f-${at}`).join();
    assert.equal((await testApp.get(`/api/channels?also=${many}`)).statusCode, 400);
  });

  it('allows stars and read markers, and the channel appears with its star', async (t) => {
    const testApp = await setUp(t);
    const reader = await signIn(testApp, 8);
    const { id } = await testApp.add(`${testApp.origin}/feed`, reader);
    const [post] = (await getPage(testApp, `/api/channels/${id}/posts`)).items;
    assert.ok(post);
    const put = await testApp.app.inject({ method: 'PUT', url: `/api/stars/${id}/${post.id}`, headers: reader });
    assert.equal(put.statusCode, 204);
    const stars = (await testApp.get('/api/stars', reader)).json();
    assert.deepEqual([stars.posts.length, stars.channels.map((each: Channel) => each.id)], [1, [id]]);
    const read = { method: 'PUT', url: `/api/channels/${id}/read`, payload: { messageId: post.id }, headers: reader } as const;
    assert.equal((await testApp.app.inject(read)).statusCode, 200);
    const unread = Value.Parse(UnreadPage, (await testApp.get('/api/unread', reader)).json());
    assert.deepEqual(unread.items, [{ channelId: id, count: 0 }]);
  });

  it('returns the same channel for the same feed, also for its page and for parallel requests, without another request to it', async (t) => {
    const { add, origin, requestCount, store } = await setUp(t);
    const both = await Promise.all([add(`${origin}/named`), add(`${origin}/page`), add(`  ${origin}/named#top `)]);
    assert.equal(new Set(both.map(({ id }) => id)).size, 1);
    assert.deepEqual(await store.externalChannelIds(), [both[0].id]);
    assert.equal((await store.posts({ limit: 9, channelIds: [both[0].id] }, { privateChannels: [] })).length, 1);
    const before = requestCount();
    assert.deepEqual(await add(`${origin}/named`), both[0]);
    assert.equal(requestCount(), before);
  });

  it('returns one of our channels for its page, its feed and its t.me link, and sends no request', async (t) => {
    const { add, rejectionDetail, store, requestCount } = await setUp(t, { PUBLIC_URL: 'https://channels.example' });
    await store.putChannel(channel('1234', { username: 'CityNews', source: 'bot' }));
    await store.putChannel(channel('9', { username: 'cellar', source: 'bot', private: true }));
    const telegramLinks = [
      'https://t.me/citynews',
      't.me/s/CityNews/12',
      'https://telegram.me/citynews?x=1',
      'https://t.me/c/1234/5',
    ];
    const pages = [
      'https://channels.example/channel/1234?post=7',
      'https://channels.example/feeds/citynews.rss',
      'localhost:80/channel/citynews',
      '@citynews',
      'tg://resolve?domain=citynews',
    ];
    for (const link of [...telegramLinks, ...pages]) assert.equal((await add(link)).id, '1234', link);
    const privateUrls = [
      'https://t.me/cellar',
      'https://channels.example/channel/9',
      'https://channels.example/feeds/cellar.rss',
      'https://t.me/c/9/1',
    ];
    const unknownUrls = [
      'https://t.me/nobody_knows',
      'https://t.me/+AbCdEf',
      'https://channels.example/main',
      'https://t.me/',
      'tg://x',
    ];
    const details = await Promise.all([...privateUrls, ...unknownUrls].map(rejectionDetail));
    assert.equal(new Set(details).size, 1);
    assert.equal(requestCount(), 0);
    assert.deepEqual(await store.externalChannelIds(), []);
  });

  it('does not change a feed of the operators, even while they remove it', async (t) => {
    const testApp = await setUp(t);
    const { store, add, rejectionDetail, origin, clock } = testApp;
    const operator = await signIn(testApp, OPERATOR);
    const response = await testApp.app.inject({
      method: 'POST',
      url: '/api/operator/feeds',
      payload: { url: `${origin}/a` },
      headers: operator,
    });
    const { id } = Value.Parse(Channel, response.json());
    const storedFeed = await store.feed(id);
    clock.now += DAY;
    const got = await add(`${origin}/a`);
    assert.deepEqual([got.id, got.elsewhere, await store.feed(id)], [id, undefined, storedFeed]);
    await store.disconnect(id, { at: 1, due: 2, remove: true });
    assert.match(await rejectionDetail(`${origin}/a`), /being removed/);
    assert.equal((await store.connection(id))?.status, 'leaving');
  });

  it('makes the channel public permanently when an operator adds the same feed', async (t) => {
    const testApp = await setUp(t);
    const { id } = await testApp.add(`${testApp.origin}/a`);
    const headers = await signIn(testApp, OPERATOR);
    const payload = { url: `${testApp.origin}/a` };
    const response = await testApp.app.inject({ method: 'POST', url: '/api/operator/feeds', payload, headers });
    assert.deepEqual([response.json().id, response.json().elsewhere], [id, undefined]);
    assert.deepEqual(await testApp.idsAt('/api/channels'), [id]);
    assert.equal((await testApp.add(`${testApp.origin}/a`)).elsewhere, undefined);
    testApp.clock.now += 365 * DAY;
    assert.equal(await pruneExternalFeeds({ ...testApp, boundedNow: async () => testApp.clock.now }), 0);
  });

  it('accepts feeds up to the limit, also in parallel, and always returns existing ones', async (t) => {
    const { add, post, origin, store } = await setUp(t, { READER_FEEDS: '3' });
    const first = await add(`${origin}/0`);
    const responses = await Promise.all([1, 2, 3, 4, 5].map((name) => post({ url: `${origin}/${name}` })));
    assert.deepEqual(responses.map(({ statusCode }) => statusCode).sort(), [200, 200, 403, 403, 403]);
    assert.equal((await store.externalChannelIds()).length, 3);
    assert.match(Value.Parse(Problem, (await post({ url: `${origin}/6` })).json()).detail, /added 3 feeds here/);
    assert.equal((await add(`${origin}/0`)).id, first.id);
  });

  it('is disabled by the setting, and then sends no request', async (t) => {
    const { post, origin, requestCount } = await setUp(t, { READER_FEEDS: '0' });
    const response = await post({ url: origin });
    assert.equal(response.statusCode, 403);
    assert.match(Value.Parse(Problem, response.json()).detail, /cannot add feeds here/);
    assert.equal(requestCount(), 0);
  });

  it('accepts a hundred an hour from one address, a whole IPv6 network counting as one, and then says when to retry', async (t) => {
    const { post } = await setUp(t);
    const from = (address: string) => post({ url: 'no address' }, { 'x-forwarded-for': address });
    const statuses = new Set<number>();
    for (let at = 0; at < 100; at += 1) statuses.add((await from(`2001:db8:1:2::${at.toString(16)}`)).statusCode);
    assert.deepEqual([...statuses], [422]);
    const response = await from('2001:db8:1:2:ffff::1');
    assert.equal(response.statusCode, 429);
    const retryAfter = Number(response.headers['retry-after']);
    assert.ok(retryAfter > 3000 && retryAfter <= 3600, String(retryAfter));
    assert.match(Value.Parse(Problem, response.json()).detail, /100 feeds an hour/);
    assert.equal((await from('2001:db8:1:3::1')).statusCode, 422);
  });

  it('fetches four feeds at a time for one IP address', async (t) => {
    const pendingResponses: (() => void)[] = [];
    const { post, origin } = await setUp(
      t,
      {},
      (request, response) => void pendingResponses.push(() => response.end(feedOf(request.url ?? ''))),
    );
    const from = { 'x-forwarded-for': '10.9.9.9' };
    const four = [1, 2, 3, 4].map((name) => post({ url: `${origin}/${name}` }, from));
    while (pendingResponses.length < 4) await new Promise((next) => setImmediate(next));
    const fifth = await post({ url: `${origin}/5` }, from);
    assert.deepEqual([fifth.statusCode, fifth.headers['retry-after']], [429, '5']);
    for (const release of pendingResponses) release();
    assert.deepEqual(
      (await Promise.all(four)).map(({ statusCode }) => statusCode),
      [200, 200, 200, 200],
    );
    const again = post({ url: `${origin}/5` }, from);
    while (pendingResponses.length < 5) await new Promise((next) => setImmediate(next));
    pendingResponses[4]?.();
    assert.equal((await again).statusCode, 200);
  });

  it('requires the XSRF token like other writes', async (t) => {
    const { post, origin, requestCount } = await setUp(t);
    const cookie = { cookie: 'XSRF-TOKEN=abc' };
    assert.equal((await post({ url: origin }, { ...cookie, 'x-xsrf-token': 'other' })).statusCode, 403);
    assert.equal(requestCount(), 0);
    assert.equal((await post({ url: origin }, { ...cookie, 'x-xsrf-token': 'abc' })).statusCode, 200);
  });

  it('returns the same error for a host in our network, an unknown host and a host that does not respond', async (t) => {
    const { rejectionDetail, origin } = await setUp(t, {}, (_request, response) => {
      response.writeHead(302, { location: 'http://192.168.1.1/admin' }).end();
    });
    const inside = ['http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://2130706434/', `${origin}/in`];
    const details = await Promise.all([...inside, 'http://unknown.example/', 'http://nowhere.test:1/'].map(rejectionDetail));
    assert.deepEqual([...new Set(details)].length, 1, details.join('\n'));
  });

  it('never discloses the URL of the feed', async (t) => {
    const testApp = await setUp(t);
    const { id } = await testApp.add(`${testApp.origin}/private/s3cret.xml?key=t0ken`);
    const urls = [`/api/channels/${id}`, `/api/channels/${id}/posts`, `/api/feed?channels=${id}`, `/api/channels?also=${id}`];
    const operator = await signIn(testApp, OPERATOR);
    for (const url of [...urls, '/api/operator/channels?elsewhere=true', '/api/operator/audit']) {
      const { body } = await testApp.get(url, operator);
      // The title is text of this feed itself.
      assert.doesNotMatch(body.replaceAll(/Feed \/private[^"]*/g, ''), /s3cret|t0ken/, url);
    }
    assert.doesNotMatch(testApp.lines.join('\n'), /s3cret|t0ken/);
  });

  it('rejects a feed that is too large, too slow, or redirects in a loop', async (t) => {
    const { rejectionDetail, origin } = await setUp(t, {}, (request, response) => {
      if (request.url === '/round') return void response.writeHead(302, { location: '/round' }).end();
      if (request.url === '/said') return void response.writeHead(200, { 'content-length': 100 * 1024 * 1024 }).write('<rss>');
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
      };
      response.on('drain', more);
      more();
    });
    assert.match(await rejectionDetail(`${origin}/round`), /redirects more than 5 times/);
    assert.match(await rejectionDetail(`${origin}/said`), /larger than/);
    assert.match(await rejectionDetail(`${origin}/endless`), /larger than/);
  });

  it('rejects a feed that takes longer than the time limit', async (t) => {
    const testApp = await setUp(t, {}, (_request, response) => void response.writeHead(200).write('<rss>'));
    const { fetchPublic } = testApp.context;
    t.mock.method(testApp.context, 'fetchPublic', (address: string, options = {}) =>
      fetchPublic(address, { ...options, limits: { ms: 50 } }),
    );
    assert.match(await testApp.rejectionDetail(`${testApp.origin}/slow`), /took longer than/);
  });
});

describe('POST /api/feeds with arbitrary input', () => {
  const URLS = [
    ...[
      '',
      ' ',
      '\u0000',
      '\n',
      '.',
      '..',
      '/',
      '//',
      '///',
      '?',
      '#',
      '%',
      '%zz',
      '\\',
      '\\\\host',
      '[',
      '[]',
      '[::',
      '@',
      '@@',
      ':',
    ],
    ...[
      'http:',
      'http:/',
      'http://',
      'http:///',
      'https://',
      'https://.',
      'https://..',
      'https:// /',
      'https://%',
      'https://%00/',
    ],
    ...[
      'https://a b/',
      'https://a\tb/',
      'https://[::1',
      'https://[::1]]/',
      'https://[fe80::1%25eth0]/',
      'https://1.2.3.4.5/',
      'https://256.1.1.1/',
    ],
    ...[
      'https://0/',
      'https://0x7f.1/',
      'https://017700000001/',
      'https://127.1/',
      'http://１２７.０.０.１/',
      'http://①②⑦.⓪.⓪.①/',
    ],
    ...[
      'https://user@host.example/',
      'https://u:p@host.example/',
      'https://host.example:22/',
      'https://host.example:99999/',
      'https://host.example:-1/',
    ],
    ...[
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/xml,<rss/>',
      'blob:https://x/y',
      'ftp://x.example/',
      'gopher://x/',
      'ws://x/',
      'about:blank',
    ],
    ...[
      'mailto:a@b.example',
      'tel:1',
      'feed:',
      'feed://',
      'feed:feed:x',
      'feed:javascript:1',
      'view-source:https://x/',
      'jar:https://x!/',
      'dict://x:1/',
    ],
    ...[
      'https://xn--/',
      'https://xn--a.example/',
      'https://\u202e.example/',
      'https://😀.example/',
      'https://a..b.example/',
      'https://-a.example/',
    ],
    ...[
      `https://${'a'.repeat(64)}.example/`,
      `https://${'a.'.repeat(200)}example/`,
      `https://x.example/${'a'.repeat(1900)}`,
      'x'.repeat(2000),
    ],
    ...[
      'localhost',
      'localhost:80',
      'http://localhost./',
      'http://x.localhost/',
      'http://x.local/',
      'http://x.internal/',
      'http://metadata.google.internal/',
    ],
    ...[
      'https://t.me',
      'https://t.me/%',
      'https://t.me/%00',
      'https://t.me//',
      'https://t.me/s',
      'https://t.me/c/',
      'https://t.me/__proto__',
      'tg:',
      'tg:x',
    ],
    ...[
      '@__proto__',
      '@constructor',
      '__proto__',
      'constructor',
      'null',
      'undefined',
      'NaN',
      '{}',
      '[object Object]',
      '<rss/>',
      "' OR 1=1 --",
    ],
  ];
  const BODIES = [
    ...[
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      'true',
      '{}',
      '{"url":null}',
      '{"url":1}',
      '{"url":[]}',
      '{"url":["https://x.example"]}',
    ],
    ...[
      '{"url":{}}',
      '{"url":true}',
      '{"url":""}',
      '{"URL":"https://x.example"}',
      '{"__proto__":{"url":"x"}}',
      '{"constructor":{"prototype":{}}}',
    ],
    ...[
      `{"url":"${'x'.repeat(2001)}"}`,
      `{"url":"x","more":"${'x'.repeat(20_000)}"}`,
      '{"url":"x"',
      '\u0000',
      '{"url":"\\u0000"}',
      '{"url":"\\ud800"}',
    ],
  ];

  it('returns a problem with a sentence, and never fails', async (t) => {
    const { post, store } = await setUp(t);
    assert.ok(URLS.length + BODIES.length >= 100);
    for (const body of [...URLS.map((url) => ({ url })), ...BODIES]) {
      const response = await post(body);
      assert.ok(response.statusCode >= 400 && response.statusCode < 500, `${JSON.stringify(body)}: ${response.body}`);
      assert.ok(Value.Parse(Problem, response.json()).detail.length > 10);
    }
    assert.deepEqual(await store.externalChannelIds(), []);
  });

  it('rejects a body of another type, and one that is too long', async (t) => {
    const { post } = await setUp(t);
    assert.equal((await post('url=https://x.example', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode, 415);
    assert.equal((await post({ url: 'x', more: 'x'.repeat(17_000) })).statusCode, 413);
  });

  it('rejects documents that are no feed or a broken one', async (t) => {
    const documents = [
      ...[
        '',
        ' ',
        '<',
        '<rss',
        '<rss>',
        '<rss/>',
        '<feed/>',
        '{}',
        '[]',
        'null',
        '{"version":"https://jsonfeed.org/version/1.1"}',
        '<html></html>',
      ],
      ...[
        '\u0000\u0001\u0002',
        '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss>&a;</rss>',
        '<?xml version="1.0" encoding="nonsense"?><rss/>',
      ],
      ...[
        `<html><head><link rel="alternate" type="application/rss+xml" href="http://127.0.0.2/feed"></head></html>`,
        '<a>'.repeat(50_000),
      ],
      ...[
        '{"version":"https://jsonfeed.org/version/1.1","items":1}',
        '{"version":1,"items":[null]}',
        '['.repeat(50_000),
        '<rss><channel><item></channel></rss>',
      ],
    ];
    const { post, origin } = await setUp(t, { READER_FEEDS: '99' }, (request, response) => {
      response.end(documents[Number(request.url?.slice(1))]);
    });
    for (const at of documents.keys()) {
      const response = await post({ url: `${origin}/${at}` });
      assert.ok(response.statusCode === 200 || response.statusCode === 422, `${documents[at]?.slice(0, 80)}: ${response.body}`);
    }
  });
});

describe('a reader-added channel', () => {
  const prune = (testApp: Awaited<ReturnType<typeof setUp>>) =>
    pruneExternalFeeds({ ...testApp, boundedNow: async () => testApp.clock.now });

  it('is deleted with all its data after 30 days without a request', async (t) => {
    const testApp = await setUp(t);
    const { id } = await testApp.add(`${testApp.origin}/a`);
    testApp.clock.now += 29 * DAY;
    assert.equal(await prune(testApp), 0);
    testApp.clock.now += 2 * DAY;
    assert.equal(await prune(testApp), 1);
    assert.deepEqual([(await testApp.get(`/api/channels/${id}`)).statusCode, await testApp.store.feed(id)], [404, null]);
    assert.deepEqual(await testApp.store.externalChannelIds(), []);
    assert.equal((await testApp.add(`${testApp.origin}/a`)).id, id);
  });

  it('stays while clients request it', async (t) => {
    const testApp = await setUp(t);
    const { id } = await testApp.add(`${testApp.origin}/a`);
    const paths = [`/api/channels/${id}`, `/api/channels?also=${id}`, `/api/feed?channels=${id}`, `/api/channels/${id}/posts`];
    for (const path of paths) {
      testApp.clock.now += 20 * DAY;
      assert.equal((await testApp.get(path)).statusCode, 200);
      assert.equal(await prune(testApp), 0, path);
    }
    testApp.clock.now += 20 * DAY;
    await testApp.get('/api/channels');
    await testApp.get('/api/feed');
    testApp.clock.now += 20 * DAY;
    assert.equal(await prune(testApp), 1);
  });

  it('stays while a line-up contains it, and is deleted some time after its reader is deleted', async (t) => {
    const testApp = await setUp(t);
    const { id } = await testApp.add(`${testApp.origin}/a`);
    const save = async (payload: object) => {
      const headers = await signIn(testApp, 8);
      const response = await testApp.app.inject({ method: 'PUT', url: '/api/lineup', payload, headers });
      assert.ok(Value.Check(Lineup, response.json()), response.body);
      return headers;
    };
    await save({ entries: [{ channelId: id, followed: false }] });
    testApp.clock.now += 400 * DAY;
    assert.equal(await prune(testApp), 0);
    await save({ entries: [], presets: [{ id: 'p', name: 'Morning', channelIds: [id] }] });
    assert.equal(await prune(testApp), 0);
    await save({ entries: [{ channelId: id }] });
    const headers = await signIn(testApp, 8);
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/me', headers })).statusCode, 204);
    assert.equal((await testApp.store.externalChannelIds()).length, 1);
    assert.equal(await prune(testApp), 1);
  });

  it('is listed separately for operators, with the name of its site only, and can be removed by them', async (t) => {
    const testApp = await setUp(t);
    const { store, clock } = testApp;
    await store.putChannel(channel('1'));
    const { id } = await testApp.add(`${testApp.origin}/a?key=s3cret`);
    const headers = await signIn(testApp, OPERATOR);
    const list = async (query: string) =>
      Value.Parse(OperatorOverview, (await testApp.get(`/api/operator/channels${query}`, headers)).json()).channels;
    assert.deepEqual(
      (await list('')).map((each) => each.channel.id),
      ['1'],
    );
    const [listed, ...more] = await list('?elsewhere=true');
    assert.deepEqual([listed?.channel.id, listed?.channel.elsewhere, listed?.feed?.url, more], [id, true, testApp.origin, []]);
    const reader = (await testApp.get('/api/operator/channels?elsewhere=true', await signIn(testApp, 8))).json();
    assert.deepEqual(reader.channels, []);
    const disconnect = { method: 'POST', url: `/api/operator/channels/${id}/disconnect`, payload: { keep: false } } as const;
    assert.equal((await testApp.app.inject({ ...disconnect, headers: await signIn(testApp, 8) })).statusCode, 403);
    assert.equal((await testApp.app.inject({ ...disconnect, headers })).statusCode, 204);
    assert.equal((await testApp.get(`/api/channels/${id}`)).statusCode, 404);
    assert.deepEqual(
      (await list('')).map((each) => each.channel.id),
      ['1'],
    );
    assert.deepEqual(
      (await list('?elsewhere=true')).map((each) => each.connection?.status),
      ['leaving'],
    );
    clock.now += 1000;
    assert.equal(
      (await testApp.app.inject({ method: 'POST', url: `/api/operator/channels/${id}/reconnect`, headers })).statusCode,
      204,
    );
    assert.deepEqual(
      [(await testApp.get(`/api/channels/${id}`)).json().elsewhere, await testApp.idsAt('/api/channels')],
      [true, ['1']],
    );
  });
});
