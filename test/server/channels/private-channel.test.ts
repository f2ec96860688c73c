// Private channel: hidden from callers without access.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signIn, withChannels } from '../support/make-app.ts';

describe('a private channel', () => {
  const urls = [
    '/api/channels/9',
    '/api/channels/secret',
    '/api/channels/9/posts',
    '/api/channels/secret/posts?around=1',
    '/api/channels/secret/posts?date=1',
    '/api/channels/9/posts?q=post',
    '/api/posts/9/1',
    '/api/posts/secret/1',
    '/api/feed?channels=9',
    '/api/search?q=post&channels=secret',
    '/api/search?from=0&channels=secret',
  ];
  for (const url of urls) {
    it(`is not found by anonymous clients and readers, and is found by an operator: ${url}`, async (t) => {
      const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
      for (const headers of [{}, await signIn(testApp, 8)]) {
        const response = await testApp.app.inject({ url, headers });
        assert.equal(response.statusCode, 404);
        assert.doesNotMatch(response.body, /Channel 9/);
      }
      const response = await testApp.app.inject({ url, headers: await signIn(testApp, 7) });
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers['cache-control'], 'no-store');
    });
  }

  it('does not appear in any list, count, read marker or star', async (t) => {
    const testApp = await withChannels(t);
    const headers = await signIn(testApp, 8);
    const entries = [{ channelId: '9' }, { channelId: '2' }];
    await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries } });
    assert.equal((await testApp.app.inject({ method: 'PUT', url: '/api/stars/9/1', headers })).statusCode, 404);
    const merge = { entries: [], marks: [{ channelId: '9', messageId: 0 }], stars: [{ channelId: '9', postId: 1, at: 1 }] };
    await testApp.app.inject({ method: 'POST', url: '/api/me/merge', headers, payload: merge });
    const read = await testApp.app.inject({ method: 'PUT', url: '/api/channels/9/read', headers, payload: { messageId: 1 } });
    assert.equal(read.statusCode, 404);
    for (const url of [
      '/api/feed?limit=100',
      '/api/search?q=post',
      '/api/search?q=pos',
      '/api/search?from=0&limit=100',
      '/api/search?media=1',
      '/api/channels',
      '/api/unread',
      '/api/unread?marks=9.0',
      '/api/stars',
    ]) {
      assert.doesNotMatch(
        (await testApp.app.inject({ url, headers })).body,
        /Channel 9|"channelId":"9","count"|Post 1 of Channel 9/,
        url,
      );
    }
  });
});
