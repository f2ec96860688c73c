import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostPage } from '../../contract/api.ts';
import { channel, fill, type Made, makeApp, message, signIn } from './make-app.ts';

async function withChannels(t: Parameters<typeof makeApp>[0], environment: Record<string, string> = {}): Promise<Made> {
  const made = await makeApp(t, environment);
  await fill(made.store, channel('1', { username: 'alpha' }), 50);
  await fill(made.store, channel('2'), 5);
  await fill(made.store, channel('9', { private: true, username: 'secret' }), 3);
  return made;
}

async function getPage({ app }: Made, url: string, headers: Record<string, string> = {}): Promise<PostPage> {
  const answer = await app.inject({ url, headers });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}

const idsOf = (page: PostPage) => page.items.map((post) => post.id);
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('GET /api/channels', () => {
  it('lists what the asker may see', async (t) => {
    const made = await withChannels(t, { OPERATOR_IDS: '7' });
    const ids = async (headers: Record<string, string>) =>
      (await made.app.inject({ url: '/api/channels', headers })).json().items.map((each: { id: string }) => each.id);
    assert.deepEqual((await ids({})).sort(), ['1', '2']);
    assert.deepEqual((await ids(await signIn(made, 8))).sort(), ['1', '2']);
    assert.deepEqual((await ids(await signIn(made, 7))).sort(), ['1', '2', '9']);
  });

  it('finds one by id, by username in any case, and by a former username', async (t) => {
    const made = await withChannels(t);
    await made.store.putChannel(channel('1', { username: 'beta' }));
    for (const name of ['1', 'beta', 'BETA', '@beta', 'alpha']) {
      const answer = await made.app.inject(`/api/channels/${name}`);
      assert.equal(answer.json().id, '1', name);
    }
    assert.equal((await made.app.inject('/api/channels/nobody')).statusCode, 404);
  });
});

describe('GET /api/channels/{id}/posts', () => {
  it('pages from the newest to the oldest and back without a gap or a repeat', async (t) => {
    const made = await withChannels(t);
    const first = await getPage(made, '/api/channels/alpha/posts');
    assert.deepEqual(idsOf(first), range(50, 31));
    assert.equal(first.previous, null);
    assert.deepEqual(
      first.channels.map((each) => each.id),
      ['1'],
    );
    const second = await getPage(made, `/api/channels/1/posts?before=${first.next}`);
    assert.deepEqual(idsOf(second), range(30, 11));
    const last = await getPage(made, `/api/channels/1/posts?before=${second.next}`);
    assert.deepEqual(idsOf(last), range(10, 1));
    assert.equal(last.next, null);
    const back = await getPage(made, `/api/channels/1/posts?after=${last.previous}`);
    assert.deepEqual(idsOf(back), range(30, 11));
    const newest = await getPage(made, `/api/channels/1/posts?after=${back.previous}`);
    assert.deepEqual(idsOf(newest), range(50, 31));
    assert.equal(newest.previous, null);
  });

  it('answers the page around a post, with cursors to both sides', async (t) => {
    const made = await withChannels(t);
    const page = await getPage(made, '/api/channels/1/posts?around=25&limit=5');
    assert.deepEqual(idsOf(page), [27, 26, 25, 24, 23]);
    assert.deepEqual(idsOf(await getPage(made, `/api/channels/1/posts?before=${page.next}&limit=3`)), [22, 21, 20]);
    assert.deepEqual(idsOf(await getPage(made, `/api/channels/1/posts?after=${page.previous}&limit=3`)), [30, 29, 28]);
    const end = await getPage(made, '/api/channels/1/posts?around=50&limit=5');
    assert.deepEqual([idsOf(end), end.previous], [[50, 49, 48], null]);
    assert.deepEqual(idsOf(await getPage(made, '/api/channels/1/posts?around=25&limit=1')), [25]);
    assert.equal((await made.app.inject('/api/channels/1/posts?around=999')).statusCode, 404);
  });

  it('narrows to media and to words', async (t) => {
    const made = await withChannels(t);
    const photo = { type: 'photo', messageId: 60, src: '/media/x.jpg' } as const;
    await made.store.putMessages([message('1', 60, 'A lighthouse at night', [photo])]);
    assert.deepEqual(idsOf(await getPage(made, '/api/channels/1/posts?media=1')), [60]);
    assert.deepEqual(idsOf(await getPage(made, '/api/channels/1/posts?q=lighthouses')), [60]);
    assert.equal((await getPage(made, '/api/channels/1/posts?q=&limit=2')).items.length, 2);
  });

  it('answers an empty channel with an empty page', async (t) => {
    const made = await withChannels(t);
    await made.store.putChannel(channel('3'));
    assert.deepEqual(
      await getPage(made, '/api/channels/3/posts').then(({ items, next, previous }) => ({ items, next, previous })),
      {
        items: [],
        next: null,
        previous: null,
      },
    );
  });
});

describe('Bad input', () => {
  const bad: Record<string, RegExp> = {
    '/api/channels/1/posts?before=garbage': /before/,
    '/api/channels/1/posts?after=W10': /after/,
    '/api/channels/1/posts?before=%00': /before/,
    '/api/channels/1/posts?before=': /before/,
    '/api/channels/1/posts?limit=0': /limit/,
    '/api/channels/1/posts?limit=101': /limit/,
    '/api/channels/1/posts?limit=ten': /limit/,
    '/api/channels/1/posts?limit=1&limit=2': /limit/,
    '/api/channels/1/posts?around=-1': /around/,
    '/api/channels/1/posts?around=9&before=x': /Only one/,
    '/api/channels/1/posts?media=maybe': /media/,
    '/api/posts/1/zero': /id/,
    '/api/search': /\bq\b/,
    '/api/search?q=%20': /\bq\b/,
    '/api/search?q=a&from=yesterday': /from/,
    '/api/unread?marks=1': /marks/,
    '/api/%E0%A4%A': /escape/,
  };
  for (const [url, detail] of Object.entries(bad)) {
    it(`is answered 400 with a detail that names it: ${url}`, async (t) => {
      const answer = await (await withChannels(t)).app.inject(url);
      assert.equal(answer.statusCode, 400, answer.body);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
      assert.match(answer.json().detail, detail);
    });
  }

  it('never makes the search fail, whatever the words', async (t) => {
    const { app } = await withChannels(t);
    for (const q of ['"', "'", '*', 'a AND', 'NEAR(', '(', 'col:x', '#', '#-', '-', '🎉', '\0', 'a"b', '^', '{x}']) {
      const answer = await app.inject(`/api/search?q=${encodeURIComponent(q)}`);
      assert.equal(answer.statusCode, 200, `${q}: ${answer.body}`);
    }
  });

  it('under /api is a problem where nothing is, and where the method is another', async (t) => {
    const { app } = await makeApp(t);
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/channels'],
      ['GET', '/api'],
      ['PUT', '/main'],
    ] as const) {
      const answer = await app.inject({ method, url });
      assert.equal(answer.statusCode, 404);
      assert.match(answer.json().detail, new RegExp(`${method} ${url}`));
    }
  });

  it('in a body is refused whole', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    const put = (payload: object) => made.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload });
    assert.match((await put({})).json().detail, /entries/);
    assert.match((await put({ entries: [{ channelId: '' }] })).json().detail, /channelId/);
    assert.equal((await put({ entries: Array(1001).fill({ channelId: 'a' }) })).statusCode, 400);
    const text = await made.app.inject({
      method: 'PUT',
      url: '/api/lineup',
      headers: { ...headers, 'content-type': 'text/csv' },
      payload: 'a',
    });
    assert.equal(text.statusCode, 415);
  });
});

describe('GET /api/feed', () => {
  it('is over all channels for an anonymous reader, newest first', async (t) => {
    const made = await withChannels(t);
    const page = await getPage(made, '/api/feed?limit=100');
    assert.equal(page.items.length, 55);
    const dates = page.items.map((post) => post.date);
    assert.deepEqual(
      dates,
      dates.toSorted((a, b) => b - a),
    );
    assert.deepEqual(page.channels.map((each) => each.id).sort(), ['1', '2']);
  });

  it('is over the channels asked for, by id or username; those that are not there are left out', async (t) => {
    const made = await withChannels(t);
    const page = await getPage(made, '/api/feed?channels=alpha,nobody&limit=100');
    assert.deepEqual([page.items.length, page.channels.map((each) => each.id)], [50, ['1']]);
    assert.equal((await made.app.inject('/api/feed?channels=nobody,secret')).statusCode, 404);
  });

  it("is over the reader's line-up: unfollowed channels are out, muted ones stay", async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    assert.equal((await getPage(made, '/api/feed?limit=100', headers)).items.length, 55);
    const entries = [
      { channelId: '1', followed: false },
      { channelId: '2', mutedUntil: 0 },
    ];
    await made.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries } });
    const answer = await made.app.inject({ url: '/api/feed', headers });
    assert.equal(answer.json().items.length, 5);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('is empty for a reader who follows nothing', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    await made.app.inject({
      method: 'PUT',
      url: '/api/lineup',
      headers,
      payload: { entries: [{ channelId: '1', followed: false }] },
    });
    assert.deepEqual((await getPage(made, '/api/feed', headers)).items, []);
  });
});

describe('GET /api/search', () => {
  it('finds words in the channels and the time asked for', async (t) => {
    const made = await withChannels(t);
    assert.equal((await getPage(made, '/api/search?q=post&limit=100')).items.length, 55);
    assert.equal((await getPage(made, '/api/search?q=post&channels=2')).items.length, 5);
    const day = 1_700_000_000;
    assert.deepEqual(idsOf(await getPage(made, `/api/search?q=post&channels=1&from=${day + 120}&to=${day + 180}`)), [3, 2]);
    const first = await getPage(made, '/api/search?q=post&channels=2&limit=3');
    assert.deepEqual(idsOf(await getPage(made, `/api/search?q=post&channels=2&limit=3&before=${first.next}`)), [2, 1]);
  });
});

describe('The line-up', () => {
  it('holds A after A, B, A were put', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    const [a, b] = [
      [{ channelId: '1' }, { channelId: '2' }],
      [{ channelId: '2' }, { channelId: '1' }],
    ];
    const put = async (entries: object[]) =>
      (await made.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries } })).json();
    assert.deepEqual([(await put(a)).version, (await put(b)).version, (await put(a)).version], [1, 2, 3]);
    assert.deepEqual((await made.app.inject({ url: '/api/lineup', headers })).json(), { entries: a, version: 3 });
  });

  it('is empty for an anonymous reader, who may not save one', async (t) => {
    const { app } = await makeApp(t);
    assert.deepEqual((await app.inject('/api/lineup')).json(), { entries: [], version: 0 });
    const answer = await app.inject({ method: 'PUT', url: '/api/lineup', payload: { entries: [] } });
    assert.equal(answer.statusCode, 401);
    assert.match(answer.json().detail, /Sign in/);
  });
});

describe('Read marks', () => {
  it('move forwards, and backwards only when that is meant', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    const put = async (payload: object) =>
      (await made.app.inject({ method: 'PUT', url: '/api/channels/alpha/read', headers, payload })).json();
    assert.deepEqual(await put({ messageId: 30 }), { channelId: '1', messageId: 30 });
    assert.deepEqual(await put({ messageId: 20 }), { channelId: '1', messageId: 30 });
    assert.deepEqual(await put({ messageId: 10, exact: true }), { channelId: '1', messageId: 10 });
    assert.deepEqual((await made.app.inject({ url: '/api/marks', headers })).json().items, [{ channelId: '1', messageId: 10 }]);
    assert.deepEqual((await made.app.inject({ url: '/api/unread', headers })).json().items, [{ channelId: '1', count: 40 }]);
  });

  it('count the unread for anyone who tells where they are', async (t) => {
    const { app } = await withChannels(t);
    const counts = (await app.inject('/api/unread?marks=1.45,2.0,9.0,404.1')).json().items;
    assert.deepEqual(counts, [
      { channelId: '1', count: 5 },
      { channelId: '2', count: 5 },
    ]);
    assert.deepEqual((await app.inject('/api/unread?marks=')).json().items, []);
    assert.deepEqual((await app.inject('/api/marks')).json().items, []);
  });
});

describe('Stars', () => {
  it('are put and taken back, twice does as once, and page from the latest', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    const act = async (method: 'PUT' | 'DELETE', id: string) => {
      made.clock.now += 1000;
      return (await made.app.inject({ method, url: `/api/stars/${id}`, headers })).statusCode;
    };
    for (const id of ['alpha/3', '1/3', '2/1', '1/7']) assert.equal(await act('PUT', id), 204);
    for (const id of ['2/1', '2/1', 'gone/5']) assert.equal(await act('DELETE', id), 204);
    assert.equal(await act('PUT', '1/999'), 404);
    const first = (await made.app.inject({ url: '/api/stars?limit=1', headers })).json();
    assert.deepEqual([first.items[0].postId, first.posts[0].id, first.channels[0].id], [7, 7, '1']);
    const second = (await made.app.inject({ url: `/api/stars?limit=1&before=${first.next}`, headers })).json();
    assert.deepEqual([second.items[0].postId, second.next], [3, null]);
  });
});

describe('POST /api/me/merge', () => {
  it("unites the device's state with the reader's, and twice does as once", async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    await made.app.inject({ method: 'PUT', url: '/api/channels/1/read', headers, payload: { messageId: 30 } });
    const payload = {
      entries: [{ channelId: '2' }, { channelId: '1' }],
      marks: [
        { channelId: '1', messageId: 20 },
        { channelId: '2', messageId: 4 },
      ],
      stars: [{ channelId: '1', postId: 5, at: 1000 }],
    };
    for (const _ of [1, 2])
      assert.equal((await made.app.inject({ method: 'POST', url: '/api/me/merge', headers, payload })).statusCode, 204);
    const get = async (url: string) => (await made.app.inject({ url, headers })).json();
    assert.deepEqual((await get('/api/lineup')).entries, payload.entries);
    assert.deepEqual(
      (await get('/api/marks')).items.toSorted((a: { channelId: string }, b: { channelId: string }) =>
        a.channelId.localeCompare(b.channelId),
      ),
      [
        { channelId: '1', messageId: 30 },
        { channelId: '2', messageId: 4 },
      ],
    );
    assert.equal((await get('/api/stars')).items.length, 1);
    assert.equal((await made.app.inject({ method: 'POST', url: '/api/me/merge', payload })).statusCode, 401);
  });
});

describe('What belongs to one reader', () => {
  it('is not shown to another', async (t) => {
    const made = await withChannels(t);
    const [ada, bob] = [await signIn(made, 1), await signIn(made, 2)];
    await made.app.inject({ method: 'PUT', url: '/api/lineup', headers: ada, payload: { entries: [{ channelId: '2' }] } });
    await made.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers: ada });
    await made.app.inject({ method: 'PUT', url: '/api/channels/1/read', headers: ada, payload: { messageId: 3 } });
    for (const url of ['/api/stars', '/api/marks', '/api/unread']) {
      assert.deepEqual((await made.app.inject({ url, headers: bob })).json().items, [], url);
    }
    assert.deepEqual((await made.app.inject({ url: '/api/lineup', headers: bob })).json().entries, []);
    assert.equal((await getPage(made, '/api/feed?limit=100', bob)).items.length, 55);
    assert.equal((await made.app.inject({ url: '/api/me', headers: bob })).json().user.id, '2');
  });

  it('is never stored by a cache', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 1);
    for (const url of ['/api/me', '/api/lineup', '/api/marks', '/api/unread', '/api/stars', '/api/feed']) {
      const answer = await made.app.inject({ url, headers });
      assert.deepEqual([answer.headers['cache-control'], answer.headers.etag], ['no-store', undefined], url);
    }
  });
});

describe('A private channel', () => {
  const ways = [
    '/api/channels/9',
    '/api/channels/secret',
    '/api/channels/9/posts',
    '/api/channels/secret/posts?around=1',
    '/api/channels/9/posts?q=post',
    '/api/posts/9/1',
    '/api/posts/secret/1',
    '/api/feed?channels=9',
    '/api/search?q=post&channels=secret',
  ];
  for (const url of ways) {
    it(`is not there for strangers and readers, and is for an operator: ${url}`, async (t) => {
      const made = await withChannels(t, { OPERATOR_IDS: '7' });
      for (const headers of [{}, await signIn(made, 8)]) {
        const answer = await made.app.inject({ url, headers });
        assert.equal(answer.statusCode, 404);
        assert.doesNotMatch(answer.body, /Channel 9/);
      }
      const answer = await made.app.inject({ url, headers: await signIn(made, 7) });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['cache-control'], 'no-store');
    });
  }

  it('leaks into no list, count, mark or star', async (t) => {
    const made = await withChannels(t);
    const headers = await signIn(made, 8);
    const entries = [{ channelId: '9' }, { channelId: '2' }];
    await made.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries } });
    assert.equal((await made.app.inject({ method: 'PUT', url: '/api/stars/9/1', headers })).statusCode, 404);
    const merge = { entries: [], marks: [{ channelId: '9', messageId: 0 }], stars: [{ channelId: '9', postId: 1, at: 1 }] };
    await made.app.inject({ method: 'POST', url: '/api/me/merge', headers, payload: merge });
    const read = await made.app.inject({ method: 'PUT', url: '/api/channels/9/read', headers, payload: { messageId: 1 } });
    assert.equal(read.statusCode, 404);
    for (const url of [
      '/api/feed?limit=100',
      '/api/search?q=post',
      '/api/channels',
      '/api/unread',
      '/api/unread?marks=9.0',
      '/api/stars',
    ]) {
      assert.doesNotMatch(
        (await made.app.inject({ url, headers })).body,
        /Channel 9|"channelId":"9","count"|Post 1 of Channel 9/,
        url,
      );
    }
  });
});

describe('Public answers', () => {
  it('carry an ETag and no age, and answer 304 to who holds them', async (t) => {
    const made = await withChannels(t);
    for (const url of [
      '/api/channels',
      '/api/feed',
      '/api/channels/1',
      '/api/channels/1/posts',
      '/api/posts/1/3',
      '/api/unread?marks=1.2',
    ]) {
      const first = await made.app.inject(url);
      const etag = String(first.headers.etag);
      assert.match(etag, /^W\/"/, url);
      assert.equal(first.headers['cache-control'], undefined);
      assert.match(String(first.headers.vary), /Access-Token/);
      const second = await made.app.inject({ url, headers: { 'if-none-match': etag } });
      assert.deepEqual([second.statusCode, second.body], [304, '']);
      const head = await made.app.inject({ method: 'HEAD', url, headers: { 'if-none-match': etag } });
      assert.deepEqual([head.statusCode, head.headers['content-length']], [304, undefined]);
    }
    const before = (await made.app.inject('/api/feed')).headers.etag;
    await made.store.putMessages([message('1', 99, 'News')]);
    assert.notEqual((await made.app.inject('/api/feed')).headers.etag, before);
  });

  it('answer HEAD as GET without the body', async (t) => {
    const { app } = await withChannels(t);
    for (const url of ['/api/feed', '/api/channels/1', '/main', '/nothing', '/healthz']) {
      const [get, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })];
      assert.equal(head.statusCode, get.statusCode, url);
      assert.equal(head.body, '');
      assert.equal(head.headers['content-type'], get.headers['content-type']);
      assert.equal(head.headers['content-length'], get.headers['content-length'], url);
    }
  });

  it('travel encoded', async (t) => {
    const { app } = await withChannels(t);
    for (const encoding of ['br', 'gzip']) {
      const answer = await app.inject({ url: '/api/feed', headers: { 'accept-encoding': encoding } });
      assert.equal(answer.headers['content-encoding'], encoding);
      assert.ok(answer.rawPayload.length < 2000);
    }
  });
});

describe('Other origins', () => {
  const origin = 'https://elsewhere.example';

  it('may read, without credentials', async (t) => {
    const { app } = await withChannels(t);
    for (const url of ['/api/feed', '/elements/changer-feed.js', '/assets/app-AAAA1111.js', '/api/nothing']) {
      const { headers } = await app.inject({ url, headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], '*', url);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    }
  });

  it('that EMBED_ORIGINS does not name may not', async (t) => {
    const { app } = await makeApp(t, { EMBED_ORIGINS: 'https://city.example' });
    const allowed = async (from: string) =>
      (await app.inject({ url: '/api/feed', headers: { origin: from } })).headers['access-control-allow-origin'];
    assert.equal(await allowed(origin), undefined);
    assert.equal(await allowed('https://city.example'), 'https://city.example');
  });

  it('may use credentials when they are our own address', async (t) => {
    const { app } = await makeApp(t, { PUBLIC_URL: 'https://channels.example' });
    const preflight = (from: string, method: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/api/lineup',
        headers: { origin: from, 'access-control-request-method': method, 'access-control-request-headers': 'access-token' },
      });
    const own = (await preflight('https://channels.example', 'PUT')).headers;
    assert.equal(own['access-control-allow-origin'], 'https://channels.example');
    assert.equal(own['access-control-allow-credentials'], 'true');
    assert.match(String(own['access-control-allow-methods']), /PUT/);
    for (const name of ['Access-Token', 'X-XSRF-TOKEN', 'Content-Type', 'Idempotency-Key']) {
      assert.ok(String(own['access-control-allow-headers']).includes(name));
    }
    const other = (await preflight(origin, 'PUT')).headers;
    assert.doesNotMatch(String(other['access-control-allow-methods']), /PUT/);
  });
});

describe('The demo', () => {
  it('is removed by an operator, by one act, for good', async (t) => {
    const made = await withChannels(t, { OPERATOR_IDS: '7' });
    await fill(made.store, channel('5', { demo: true }), 2);
    const remove = async (headers: Record<string, string>) =>
      (await made.app.inject({ method: 'DELETE', url: '/api/demo', headers })).statusCode;
    assert.equal(await remove({}), 401);
    assert.equal(await remove(await signIn(made, 8)), 403);
    assert.equal(await remove(await signIn(made, 7)), 204);
    assert.equal((await made.app.inject('/api/channels/5')).statusCode, 404);
    assert.equal((await made.app.inject('/api/channels/1')).statusCode, 200);
    assert.equal(await made.store.fact('demo'), 'removed');
  });
});

describe('The documentation', () => {
  it('shows every route of the API with the schemas of its answers', async (t) => {
    const { app } = await makeApp(t);
    const { paths } = (await app.inject('/api/docs/json')).json();
    assert.ok(Object.keys(paths).length >= 17);
    for (const [path, methods] of Object.entries<Record<string, { responses: Record<string, { content?: object }> }>>(paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        assert.ok(responses['4XX']?.content, `${method} ${path}`);
        if (path !== '/media/{key}') assert.ok(responses['200']?.content ?? responses['204'], `${method} ${path}`);
      }
    }
    assert.equal((await app.inject('/api/docs/')).statusCode, 200);
  });
});

describe('Health', () => {
  it('says live and ready, and 503 when the store cannot answer', async (t) => {
    const made = await makeApp(t);
    assert.deepEqual((await made.app.inject('/healthz')).json(), { live: true, ready: true, version: '1.2.3+abc' });
    assert.deepEqual((await made.app.inject('/api/version')).json(), { version: '1.2.3+abc' });
    await made.store.close();
    const answer = await made.app.inject('/healthz');
    assert.deepEqual([answer.statusCode, answer.json().ready], [503, false]);
  });
});
