// Reader data: line-up, read markers and stars.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getPage, makeApp, message, signIn, type TestApp, withChannels } from '../support/make-app.ts';

describe('the line-up', () => {
  it('contains A after A, B, A were put', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const [a, b] = [
      [{ channelId: '1' }, { channelId: '2' }],
      [{ channelId: '2' }, { channelId: '1' }],
    ];
    const put = async (entries: object[]) =>
      (await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries } })).json();
    assert.deepEqual([(await put(a)).version, (await put(b)).version, (await put(a)).version], [1, 2, 3]);
    assert.deepEqual((await testApp.app.inject({ url: '/api/lineup', headers })).json(), { entries: a, version: 3 });
  });

  it('is empty for an anonymous reader, who may not save one', async (t) => {
    const { app } = await makeApp(t);
    assert.deepEqual((await app.inject('/api/lineup')).json(), { entries: [], version: 0 });
    const response = await app.inject({ method: 'PUT', url: '/api/lineup', payload: { entries: [] } });
    assert.equal(response.statusCode, 401);
    assert.match(response.json().detail, /Sign in/);
  });
});

describe('read markers', () => {
  it('move forwards, and backwards only on an explicit request', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const put = async (payload: object) =>
      (await testApp.app.inject({ method: 'PUT', url: '/api/channels/alpha/read', headers, payload })).json();
    assert.deepEqual(await put({ messageId: 30 }), { channelId: '1', messageId: 30 });
    assert.deepEqual(await put({ messageId: 20 }), { channelId: '1', messageId: 30 });
    assert.deepEqual(await put({ messageId: 10, exact: true }), { channelId: '1', messageId: 10 });
    assert.deepEqual((await testApp.app.inject({ url: '/api/marks', headers })).json().items, [
      { channelId: '1', messageId: 10 },
    ]);
    assert.deepEqual((await testApp.app.inject({ url: '/api/unread', headers })).json().items, [{ channelId: '1', count: 40 }]);
  });

  it('return unread counts to any client that sends its own markers', async (t) => {
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

describe('stars', () => {
  it('are added and removed, are idempotent, and are paged from the latest', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const setStar = async (method: 'PUT' | 'DELETE', id: string) => {
      testApp.clock.now += 1000;
      return (await testApp.app.inject({ method, url: `/api/stars/${id}`, headers })).statusCode;
    };
    for (const id of ['alpha/3', '1/3', '2/1', '1/7']) assert.equal(await setStar('PUT', id), 204);
    for (const id of ['2/1', '2/1', 'gone/5']) assert.equal(await setStar('DELETE', id), 204);
    assert.equal(await setStar('PUT', '1/999'), 404);
    const first = (await testApp.app.inject({ url: '/api/stars?limit=1', headers })).json();
    assert.deepEqual([first.items[0].postId, first.posts[0].id, first.channels[0].id], [7, 7, '1']);
    const second = (await testApp.app.inject({ url: `/api/stars?limit=1&before=${first.next}`, headers })).json();
    assert.deepEqual([second.items[0].postId, second.next], [3, null]);
  });
});

describe('posts marked as unread', () => {
  const setKeptUnread = async (testApp: TestApp, headers: Record<string, string>, method: 'PUT' | 'DELETE', id: string) =>
    testApp.app.inject({ method, url: `/api/kept-unread/${id}`, headers });

  it('are added and removed, are part of the markers of every device, and are counted', async (t) => {
    const testApp = await withChannels(t);
    const [session, otherSession] = [await signIn(testApp, 1), await signIn(testApp, 1)];
    const get = async (url: string) => (await testApp.app.inject({ url, headers: otherSession })).json();
    await testApp.app.inject({ method: 'PUT', url: '/api/channels/1/read', headers: session, payload: { messageId: 50 } });
    for (const id of ['alpha/3', '1/3', '1/7', '2/1'])
      assert.equal((await setKeptUnread(testApp, session, 'PUT', id)).statusCode, 204);
    assert.equal((await setKeptUnread(testApp, session, 'PUT', '1/999')).statusCode, 404);
    assert.deepEqual((await get('/api/marks')).keptUnread, ['1/3', '1/7', '2/1']);
    assert.deepEqual((await get('/api/unread')).items, [
      { channelId: '1', count: 2 },
      { channelId: '2', count: 1 },
    ]);
    for (const id of ['2/1', '2/1', 'alpha/7', 'gone/5'])
      assert.equal((await setKeptUnread(testApp, otherSession, 'DELETE', id)).statusCode, 204);
    assert.deepEqual((await get('/api/marks')).keptUnread, ['1/3']);
    assert.deepEqual((await testApp.app.inject('/api/marks')).json(), { items: [], next: null, keptUnread: [] });
  });

  it('are counted for any client that names them', async (t) => {
    const { app } = await withChannels(t);
    assert.deepEqual((await app.inject('/api/unread?marks=1.49.3.4.999,2.5')).json().items, [
      { channelId: '1', count: 3 },
      { channelId: '2', count: 0 },
    ]);
    assert.equal((await app.inject('/api/unread?marks=1.49.x')).statusCode, 400);
  });

  it('have a limit, which the error message names', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    const many = Array.from({ length: 500 }, (_, at) => message('1', 1000 + at, 'Far'));
    await testApp.store.putMessages(many);
    const payload = { entries: [], marks: [], stars: [], keptUnread: many.map(({ post }) => `1/${post.id}`) };
    const send = (state: object) => testApp.app.inject({ method: 'POST', url: '/api/me/merge', headers, payload: state });
    assert.equal((await send({ ...payload, keptUnread: [...payload.keptUnread, '1/1'] })).statusCode, 400);
    assert.equal((await send({ ...payload, keptUnread: ['1/x'] })).statusCode, 400);
    assert.equal((await send(payload)).statusCode, 204);
    const rejected = await setKeptUnread(testApp, headers, 'PUT', '1/1');
    assert.equal(rejected.statusCode, 422);
    assert.match(rejected.json().detail, /No more than 500 posts/);
    await setKeptUnread(testApp, headers, 'DELETE', '1/1000');
    assert.equal((await setKeptUnread(testApp, headers, 'PUT', '1/1')).statusCode, 204);
  });
});

describe('POST /api/me/merge', () => {
  it('merges the state of the device with that of the reader, and is idempotent', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    await testApp.app.inject({ method: 'PUT', url: '/api/channels/1/read', headers, payload: { messageId: 30 } });
    const payload = {
      entries: [{ channelId: '2' }, { channelId: '1' }],
      marks: [
        { channelId: '1', messageId: 20 },
        { channelId: '2', messageId: 4 },
      ],
      stars: [{ channelId: '1', postId: 5, at: 1000 }],
    };
    for (const _ of [1, 2])
      assert.equal((await testApp.app.inject({ method: 'POST', url: '/api/me/merge', headers, payload })).statusCode, 204);
    const get = async (url: string) => (await testApp.app.inject({ url, headers })).json();
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
    assert.equal((await testApp.app.inject({ method: 'POST', url: '/api/me/merge', payload })).statusCode, 401);
  });
});

describe('the data of one reader', () => {
  it('accept no more from devices than the limits of a line-up and its reader', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 7);
    const some = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at));
    for (const device of [0, 1, 2]) {
      const payload = {
        entries: some(700, (at) => ({ channelId: `e${device}-${at}` })),
        presets: some(70, (at) => ({ id: `${device}-${at}`, name: 'Morning', channelIds: [] })),
        marks: [
          { channelId: 'm0-1', messageId: device + 1 },
          ...some(700, (at) => ({ channelId: `m${device}-${at}`, messageId: 1 })),
        ],
        stars: some(7000, (at) => ({ channelId: `s${device}`, postId: at + 1, at })),
      };
      const response = await testApp.app.inject({ method: 'POST', url: '/api/me/merge', headers, payload });
      assert.equal(response.statusCode, 204, response.body);
    }
    const { entries, presets } = await testApp.store.lineup('7');
    const readMarkers = await testApp.store.readMarkers('7');
    assert.deepEqual(
      [entries.length, presets?.length, readMarkers.length, (await testApp.store.stars('7', null, 20_000)).length],
      [1000, 100, 1000, 10_000],
    );
    assert.deepEqual([entries[0]?.channelId, entries[700]?.channelId], ['e0-0', 'e1-0'], 'what came first stays');
    assert.equal(readMarkers.find(({ channelId }) => channelId === 'm0-1')?.messageId, 3, 'what is known goes on');
  });

  it('contain no field that the schema does not define, at any depth', async (t) => {
    const testApp = await withChannels(t);
    const headers = { ...(await signIn(testApp, 7)), 'content-type': 'application/json' };
    // Larger bodies have a limit of depth (json-body.ts).
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    for (const [method, url, fields] of [
      ['PUT', '/api/lineup', '"entries":[{"channelId":"1","odd":1}]'],
      ['POST', '/api/me/merge', '"entries":[],"marks":[],"stars":[]'],
    ] as const) {
      const response = await testApp.app.inject({ method, url, headers, payload: `{${fields},"extra":${deep}}` });
      assert.ok(response.statusCode < 300, `${url}: ${response.statusCode}`);
    }
    assert.deepEqual((await testApp.store.lineup('7')).entries, [{ channelId: '1' }]);
  });

  it('are not shown to another reader', async (t) => {
    const testApp = await withChannels(t);
    const [ada, bob] = [await signIn(testApp, 1), await signIn(testApp, 2)];
    await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers: ada, payload: { entries: [{ channelId: '2' }] } });
    await testApp.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers: ada });
    await testApp.app.inject({ method: 'PUT', url: '/api/channels/1/read', headers: ada, payload: { messageId: 3 } });
    for (const url of ['/api/stars', '/api/marks', '/api/unread']) {
      assert.deepEqual((await testApp.app.inject({ url, headers: bob })).json().items, [], url);
    }
    assert.deepEqual((await testApp.app.inject({ url: '/api/lineup', headers: bob })).json().entries, []);
    assert.equal((await getPage(testApp, '/api/feed?limit=100', bob)).items.length, 55);
    assert.equal((await testApp.app.inject({ url: '/api/me', headers: bob })).json().user.id, '2');
  });

  it('are never stored by a cache', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 1);
    for (const url of ['/api/me', '/api/lineup', '/api/marks', '/api/unread', '/api/stars', '/api/feed']) {
      const response = await testApp.app.inject({ url, headers });
      assert.deepEqual([response.headers['cache-control'], response.headers.etag], ['no-store', undefined], url);
    }
  });
});
