// API client against the server: the calls of the browser and the responses of the server fit together.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChannelsApi } from '../../../src/api/channels-api.ts';
import type { HttpClient } from '../../../src/api/types.ts';
import { channel, fill, makeApp, message, signIn, type TestApp } from '../support/make-app.ts';

/** Creates a client that sends its requests to the server in process, without a network. */
function clientOf({ app }: TestApp, headers: Record<string, string> = {}): HttpClient {
  async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<unknown> {
    const response = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: Object(body) }) });
    assert.ok(response.statusCode < 300, `${method} ${url}: ${response.statusCode} ${response.body}`);
    return response.body === '' ? null : response.json();
  }
  return {
    get(path, { params = {} } = {}) {
      const query = new URLSearchParams();
      for (const [key, value] of Object.entries(params)) if (value !== undefined) query.set(key, String(value));
      return send('GET', query.size > 0 ? `${path}?${query}` : path);
    },
    write: (method, path, body) => send(method === 'post' ? 'POST' : method === 'put' ? 'PUT' : 'DELETE', path, body),
    clearCache: () => {},
  };
}

describe('the API client of the browser', () => {
  it('sends requests that the server understands, and parses the responses', async (t) => {
    const testApp = await makeApp(t);
    await fill(testApp.store, channel('1', { username: 'alpha' }), 50);
    await fill(testApp.store, channel('2'), 5);
    await testApp.store.putMessages([message('2', 6, 'With a file', [{ type: 'document', messageId: 6, missing: 'pending' }])]);
    const anonymousApi = createChannelsApi(clientOf(testApp));

    assert.deepEqual((await anonymousApi.channels({})).items.map(({ id }) => id).sort(), ['1', '2']);
    assert.deepEqual(
      (await anonymousApi.channels({ ids: ['2', '3'] })).items.map(({ id }) => id),
      ['2'],
    );
    assert.deepEqual(
      (await anonymousApi.channels({ q: 'ALPHA' })).items.map(({ id }) => id),
      ['1'],
    );
    assert.equal((await anonymousApi.channel('alpha')).id, '1');
    const first = await anonymousApi.posts('alpha', { limit: 10 });
    const second = await anonymousApi.posts('alpha', { limit: 10, before: first.next ?? '' });
    assert.deepEqual([second.items[0]?.id, second.items.at(-1)?.id], [40, 31]);
    assert.equal((await anonymousApi.posts('alpha', { limit: 10, after: second.previous ?? '' })).items[0]?.id, 50);
    assert.ok((await anonymousApi.posts('1', { around: 25, limit: 10 })).items.some(({ id }) => id === 25));
    assert.equal((await anonymousApi.posts('2', { media: true })).items.length, 1);
    assert.equal((await anonymousApi.posts('2', { media: false })).items.length, 6);
    assert.equal((await anonymousApi.posts('2', { q: 'file' })).items[0]?.id, 6);
    assert.equal((await anonymousApi.post('1', 7)).post.id, 7);
    assert.equal((await anonymousApi.feed({ channels: ['2'] })).items.length, 6);
    assert.equal((await anonymousApi.feed({ channels: ['1', '2'], media: true, limit: 5 })).items.length, 1);
    assert.equal((await anonymousApi.search({ q: 'file' })).items.length, 1);
    const counts = await anonymousApi.unread([
      { channelId: '1', messageId: 45 },
      { channelId: '2', messageId: 0 },
    ]);
    assert.deepEqual(counts.map(({ count }) => count).sort(), [5, 6]);
    assert.equal((await anonymousApi.me()).user, null);
  });

  it('sends the changes of a reader: line-up, read markers, stars and a merge', async (t) => {
    const testApp = await makeApp(t);
    await fill(testApp.store, channel('1'), 5);
    const ownApi = createChannelsApi(clientOf(testApp, await signIn(testApp, 7)));
    assert.equal((await ownApi.me()).user?.id, '7');
    assert.deepEqual(await ownApi.lineup(), { entries: [], version: 0 });
    const entries = [{ channelId: '1', followed: true, mutedUntil: 0, changed: 5 }];
    assert.deepEqual(await ownApi.putLineup({ entries }), { entries, version: 1 });
    assert.deepEqual(await ownApi.putReadMarker({ channelId: '1', messageId: 4 }, false), { channelId: '1', messageId: 4 });
    assert.deepEqual(await ownApi.putReadMarker({ channelId: '1', messageId: 2 }, true), { channelId: '1', messageId: 2 });
    assert.deepEqual((await ownApi.readMarkers()).items, [{ channelId: '1', messageId: 2 }]);
    await ownApi.setKeptUnread('1/2', true);
    assert.deepEqual((await ownApi.readMarkers()).keptUnread, ['1/2']);
    assert.deepEqual(await ownApi.unread([{ channelId: '1', messageId: 4, keptUnread: ['2'] }]), [{ channelId: '1', count: 2 }]);
    await ownApi.setKeptUnread('1/2', false);
    assert.deepEqual((await ownApi.readMarkers()).keptUnread, []);
    await ownApi.putStar('1', 3);
    assert.deepEqual(
      (await ownApi.stars({ limit: 100 })).posts.map(({ id }) => id),
      [3],
    );
    await ownApi.deleteStar('1', 3);
    await ownApi.merge({ entries: [], marks: [{ channelId: '1', messageId: 5 }], stars: [{ channelId: '1', postId: 5, at: 1 }] });
    assert.deepEqual((await ownApi.stars({})).items, [{ channelId: '1', postId: 5, at: 1 }]);
    assert.deepEqual((await ownApi.readMarkers()).items, [{ channelId: '1', messageId: 5 }]);
    await ownApi.endSession();
  });
});
