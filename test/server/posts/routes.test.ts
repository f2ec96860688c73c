// Routes of the public API: channels, posts and the feed.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { channel, getPage, idsOf, makeApp, message, signIn, withChannels } from '../support/make-app.ts';

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('GET /api/channels', () => {
  it('lists the channels that the caller may read', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    const ids = async (headers: Record<string, string>) =>
      (await testApp.app.inject({ url: '/api/channels', headers })).json().items.map((each: { id: string }) => each.id);
    assert.deepEqual((await ids({})).sort(), ['1', '2']);
    assert.deepEqual((await ids(await signIn(testApp, 8))).sort(), ['1', '2']);
    assert.deepEqual((await ids(await signIn(testApp, 7))).sort(), ['1', '2', '9']);
  });

  it('returns pages, named channels, and the channels that `also` names after the first page', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    const read = async (query: string, headers: Record<string, string> = {}) => {
      const { items, next } = (await testApp.app.inject({ url: `/api/channels?${query}`, headers })).json();
      return { ids: items.map((each: { id: string }) => each.id), next };
    };
    const all = (await read('')).ids;
    const first = await read('limit=1');
    assert.deepEqual(first.ids, all.slice(0, 1));
    assert.deepEqual(await read(`limit=1&after=${first.next}`), { ids: all.slice(1), next: null });
    assert.deepEqual((await read(`limit=1&also=${all[1]},${all[0]}`)).ids, all, 'none twice');
    assert.deepEqual(await read('ids=2,9,alpha,3'), { ids: ['2', '1'], next: null }, 'no private and no unknown channel');
    assert.deepEqual((await read('ids=9', await signIn(testApp, 7))).ids, ['9']);
    assert.deepEqual((await read('q=ALPHA')).ids, ['1']);
    for (const query of ['limit=0', 'limit=201', 'after=garbage', 'after=', `ids=${Array.from({ length: 201 }, (_, at) => at)}`])
      assert.equal((await testApp.app.inject(`/api/channels?${query}`)).statusCode, 400, query);
  });

  it('finds a channel by id, by username in any case, and by a previous username', async (t) => {
    const testApp = await withChannels(t);
    await testApp.store.putChannel(channel('1', { username: 'beta' }));
    for (const name of ['1', 'beta', 'BETA', '@beta', 'alpha']) {
      const response = await testApp.app.inject(`/api/channels/${name}`);
      assert.equal(response.json().id, '1', name);
    }
    assert.equal((await testApp.app.inject('/api/channels/nobody')).statusCode, 404);
  });
});

describe('GET /api/channels/{id}/posts', () => {
  it('pages from the newest to the oldest and back without a gap or a repeat', async (t) => {
    const testApp = await withChannels(t);
    const first = await getPage(testApp, '/api/channels/alpha/posts');
    assert.deepEqual(idsOf(first), range(50, 31));
    assert.equal(first.previous, null);
    assert.deepEqual(
      first.channels.map((each) => each.id),
      ['1'],
    );
    const second = await getPage(testApp, `/api/channels/1/posts?before=${first.next}`);
    assert.deepEqual(idsOf(second), range(30, 11));
    const last = await getPage(testApp, `/api/channels/1/posts?before=${second.next}`);
    assert.deepEqual(idsOf(last), range(10, 1));
    assert.equal(last.next, null);
    const back = await getPage(testApp, `/api/channels/1/posts?after=${last.previous}`);
    assert.deepEqual(idsOf(back), range(30, 11));
    const newest = await getPage(testApp, `/api/channels/1/posts?after=${back.previous}`);
    assert.deepEqual(idsOf(newest), range(50, 31));
    assert.equal(newest.previous, null);
  });

  it('returns the page around a post, with cursors to both sides', async (t) => {
    const testApp = await withChannels(t);
    const page = await getPage(testApp, '/api/channels/1/posts?around=25&limit=5');
    assert.deepEqual(idsOf(page), [27, 26, 25, 24, 23]);
    assert.deepEqual(idsOf(await getPage(testApp, `/api/channels/1/posts?before=${page.next}&limit=3`)), [22, 21, 20]);
    assert.deepEqual(idsOf(await getPage(testApp, `/api/channels/1/posts?after=${page.previous}&limit=3`)), [30, 29, 28]);
    const end = await getPage(testApp, '/api/channels/1/posts?around=50&limit=5');
    assert.deepEqual([idsOf(end), end.previous], [[50, 49, 48], null]);
    assert.deepEqual(idsOf(await getPage(testApp, '/api/channels/1/posts?around=25&limit=1')), [25]);
    assert.equal((await testApp.app.inject('/api/channels/1/posts?around=999')).statusCode, 404);
  });

  it('returns the page around the newest post at or before a date, with cursors to both sides', async (t) => {
    const testApp = await withChannels(t);
    const { items } = await getPage(testApp, '/api/channels/1/posts?limit=100');
    const dateOf = (id: number) => items.find((post) => post.id === id)?.date ?? 0;
    const at = (date: number, limit = 5) => getPage(testApp, `/api/channels/1/posts?date=${date}&limit=${limit}`);
    const page = await at(dateOf(25));
    assert.deepEqual(idsOf(page), [27, 26, 25, 24, 23]);
    assert.deepEqual(idsOf(await at(dateOf(26) - 1)), [27, 26, 25, 24, 23]);
    assert.deepEqual(idsOf(await getPage(testApp, `/api/channels/1/posts?before=${page.next}&limit=3`)), [22, 21, 20]);
    assert.deepEqual(idsOf(await getPage(testApp, `/api/channels/1/posts?after=${page.previous}&limit=3`)), [30, 29, 28]);
    assert.deepEqual(idsOf(await at(dateOf(25), 1)), [25]);
    const end = await at(1e11);
    assert.deepEqual([idsOf(end), end.previous], [[50, 49, 48], null]);
    const before = await at(0);
    assert.deepEqual([idsOf(before), before.next], [[5, 4, 3, 2, 1], null]);
    assert.deepEqual(idsOf(await getPage(testApp, `/api/channels/1/posts?after=${before.previous}&limit=2`)), [7, 6]);
    assert.deepEqual(idsOf(await at(0, 1)), [1]);
  });

  it('combines a date with the media filter', async (t) => {
    const testApp = await withChannels(t);
    const photo = { type: 'photo', messageId: 60, src: '/media/x.jpg' } as const;
    await testApp.store.putMessages([message('1', 60, 'A lighthouse at night', [photo])]);
    assert.deepEqual(idsOf(await getPage(testApp, '/api/channels/1/posts?media=1&date=1')), [60]);
  });

  it('filters by media and by search terms', async (t) => {
    const testApp = await withChannels(t);
    const photo = { type: 'photo', messageId: 60, src: '/media/x.jpg' } as const;
    await testApp.store.putMessages([message('1', 60, 'A lighthouse at night', [photo])]);
    assert.deepEqual(idsOf(await getPage(testApp, '/api/channels/1/posts?media=1')), [60]);
    assert.deepEqual(idsOf(await getPage(testApp, '/api/channels/1/posts?q=lighthouses')), [60]);
    assert.equal((await getPage(testApp, '/api/channels/1/posts?q=&limit=2')).items.length, 2);
  });

  it('returns an empty page for an empty channel', async (t) => {
    const testApp = await withChannels(t);
    await testApp.store.putChannel(channel('3'));
    for (const query of ['', '?date=1700000000'])
      assert.deepEqual(
        await getPage(testApp, `/api/channels/3/posts${query}`).then(({ items, next, previous }) => ({ items, next, previous })),
        {
          items: [],
          next: null,
          previous: null,
        },
      );
  });
});

describe('GET /api/feed', () => {
  it('covers all channels for an anonymous reader, newest first', async (t) => {
    const testApp = await withChannels(t);
    const page = await getPage(testApp, '/api/feed?limit=100');
    assert.equal(page.items.length, 55);
    const dates = page.items.map((post) => post.date);
    assert.deepEqual(
      dates,
      dates.toSorted((a, b) => b - a),
    );
    assert.deepEqual(page.channels.map((each) => each.id).sort(), ['1', '2']);
  });

  it('covers the requested channels, by id or username, and leaves out unknown ones', async (t) => {
    const testApp = await withChannels(t);
    const page = await getPage(testApp, '/api/feed?channels=alpha,nobody&limit=100');
    assert.deepEqual([page.items.length, page.channels.map((each) => each.id)], [50, ['1']]);
    assert.equal((await testApp.app.inject('/api/feed?channels=nobody,secret')).statusCode, 404);
  });

  it('covers the line-up of the reader, without channels that are not followed, or muted', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    assert.equal((await getPage(testApp, '/api/feed?limit=100', headers)).items.length, 55);
    const entries = [
      { channelId: '1', followed: false },
      { channelId: '2', mutedUntil: 1 },
    ];
    await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries } });
    const response = await testApp.app.inject({ url: '/api/feed', headers });
    assert.equal(response.json().items.length, 5);
    assert.equal(response.headers['cache-control'], 'no-store');
    const muted = [{ channelId: '2', mutedUntil: 0 }];
    await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries: muted } });
    assert.equal((await getPage(testApp, '/api/feed', headers)).items.length, 0);
  });

  it('is empty for a reader who follows nothing', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    await testApp.app.inject({
      method: 'PUT',
      url: '/api/lineup',
      headers,
      payload: { entries: [{ channelId: '1', followed: false }] },
    });
    assert.deepEqual((await getPage(testApp, '/api/feed', headers)).items, []);
  });
});

describe('invalid input', () => {
  const invalid: Record<string, RegExp> = {
    '/api/channels/1/posts?before=garbage': /before/,
    '/api/channels/1/posts?after=W10': /after/,
    '/api/channels/1/posts?before=%00': /before/,
    '/api/channels/1/posts?before=': /before/,
    '/api/channels/1/posts?limit=0': /limit/,
    '/api/channels/1/posts?limit=101': /limit/,
    '/api/channels/1/posts?limit=ten': /limit/,
    '/api/channels/1/posts?limit=1.5': /limit/,
    '/api/channels/1/posts?limit=true': /limit/,
    '/api/channels/1/posts?limit=1&limit=2': /limit/,
    '/api/channels/1/posts?around=-1': /around/,
    '/api/channels/1/posts?around=9&before=x': /Only one/,
    '/api/channels/1/posts?date=yesterday': /date/,
    '/api/channels/1/posts?date=-1': /date/,
    '/api/channels/1/posts?date=9&around=9': /Only one/,
    '/api/channels/1/posts?media=maybe': /media/,
    '/api/posts/1/zero': /id/,
    '/api/posts/1/1.9': /id/,
    '/api/search': /\bq\b/,
    '/api/search?q=%20': /\bq\b/,
    '/api/search?q=a&from=yesterday': /from/,
    '/api/unread?marks=1': /marks/,
    [`/api/feed?channels=${Array.from({ length: 201 }, (_, index) => index)}`]: /201 channels/,
    '/api/%E0%A4%A': /escape/,
  };
  for (const [url, detail] of Object.entries(invalid)) {
    it(`returns 400 with a detail that names the error: ${url.slice(0, 60)}`, async (t) => {
      const response = await (await withChannels(t)).app.inject(url);
      assert.equal(response.statusCode, 400, response.body);
      assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
      assert.match(response.json().detail, detail);
    });
  }

  it('returns a problem for an unknown route under /api and for an unsupported method', async (t) => {
    const { app } = await makeApp(t);
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/channels'],
      ['GET', '/api'],
      ['PUT', '/main'],
    ] as const) {
      const response = await app.inject({ method, url });
      assert.equal(response.statusCode, 404);
      assert.match(response.json().detail, new RegExp(`${method} ${url}`));
    }
  });

  it('is rejected if a number is larger than the largest safe integer, and never reaches the store', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const big = 1e300;
    const send = (method: 'PUT' | 'POST', url: string, payload: object) => testApp.app.inject({ method, url, headers, payload });
    const responses = await Promise.all([
      send('PUT', '/api/channels/1/read', { messageId: big }),
      send('PUT', '/api/lineup', { entries: [{ channelId: '1', changed: big }] }),
      send('PUT', '/api/lineup', { entries: [{ channelId: '1', mutedUntil: big }] }),
      send('POST', '/api/me/merge', { entries: [], marks: [{ channelId: '1', messageId: big }], stars: [] }),
      send('POST', '/api/me/merge', { entries: [], marks: [], stars: [{ channelId: '1', postId: big, at: 1 }] }),
      send('POST', '/api/me/merge', { entries: [], marks: [], stars: [{ channelId: '1', postId: 1, at: big }] }),
      testApp.app.inject('/api/posts/1/99999999999999999999'),
      testApp.app.inject('/api/channels/1/posts?around=99999999999999999999'),
    ]);
    assert.deepEqual(
      responses.map((response) => response.statusCode),
      Array(8).fill(400),
    );
    for (const url of ['/api/marks', '/api/lineup', '/api/stars'])
      assert.equal((await testApp.app.inject({ url, headers })).statusCode, 200);
  });

  it('rejects the complete body', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const put = (payload: object) => testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload });
    assert.match((await put({})).json().detail, /entries/);
    assert.match((await put({ entries: [{ channelId: '' }] })).json().detail, /channelId/);
    assert.match((await put({ entries: [{ channelId: 'a' }, { channelId: 'a' }] })).json().detail, /a twice/);
    assert.equal((await put({ entries: Array(1001).fill({ channelId: 'a' }) })).statusCode, 400);
    const text = await testApp.app.inject({
      method: 'PUT',
      url: '/api/lineup',
      headers: { ...headers, 'content-type': 'text/csv' },
      payload: 'a',
    });
    assert.equal(text.statusCode, 415);
  });
});
