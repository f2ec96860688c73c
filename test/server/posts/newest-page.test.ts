// Newest page of the feed of all channels: loaded once for anonymous callers, and again after every change.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message } from '../../../server/domain/model.ts';
import { channel, getPage, idsOf, makeApp, message, signIn, withChannels } from '../support/make-app.ts';

const PRIVATE_CHANNEL = '9';

const post = (id: number, text: string): Message => ({ ...message('1', id, text), source: 'bot' });

describe('the newest page of the feed of all channels', () => {
  it('is loaded once for anonymous callers, while nothing changes', async (t) => {
    const testApp = await withChannels(t);
    const { mock } = t.mock.method(testApp.store, 'posts');
    const [first, second] = await Promise.all([getPage(testApp, '/api/feed'), getPage(testApp, '/api/feed?limit=20')]);
    const third = await getPage(testApp, '/api/feed');
    assert.equal(first.items.length, 20);
    assert.deepEqual([second, third], [first, first]);
    assert.equal(mock.callCount(), 1);
  });

  it('is loaded for each request with a filter, another length or a reader', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    await testApp.store.putMessages([message(PRIVATE_CHANNEL, 60, 'The newest post')]);
    const first = await getPage(testApp, '/api/feed');
    assert.equal((await getPage(testApp, '/api/feed?limit=3')).items.length, 3);
    assert.deepEqual(idsOf(await getPage(testApp, '/api/feed?media=1')), []);
    assert.notDeepEqual(await getPage(testApp, `/api/feed?before=${first.next}`), first);
    const ofOperator = await getPage(testApp, '/api/feed', await signIn(testApp, 7));
    assert.equal(ofOperator.items[0]?.channelId, PRIVATE_CHANNEL);
    assert.deepEqual(await getPage(testApp, '/api/feed'), first);
    assert.equal((await testApp.app.inject({ url: '/api/feed', headers: { 'access-token': 'unknown' } })).statusCode, 401);
  });

  it('shows every change at once', async (t) => {
    const testApp = await makeApp(t);
    const { store } = testApp;
    const shown = async () => (await getPage(testApp, '/api/feed')).items.map(({ id, text }) => `${id} ${text}`);
    await store.putChannel(channel('1'));
    assert.deepEqual(await shown(), []);
    await store.putMessages([post(1, 'One')]);
    assert.deepEqual(await shown(), ['1 One']);
    await store.putMessages([post(2, 'Two')]);
    assert.deepEqual(await shown(), ['2 Two', '1 One']);
    await store.hidePost('1', 2, 500);
    assert.deepEqual(await shown(), ['1 One']);
    await store.putChannel(channel('1', { private: true }));
    assert.deepEqual(await shown(), []);
  });

  it('is loaded again after ten seconds, for the few changes that append no event', async (t) => {
    const testApp = await withChannels(t);
    const { mock } = t.mock.method(testApp.store, 'posts');
    for (const ageMs of [0, 9999, 1]) {
      testApp.clock.now += ageMs;
      await getPage(testApp, '/api/feed');
    }
    assert.equal(mock.callCount(), 2);
  });

  it('is loaded again after a failure', async (t) => {
    const testApp = await withChannels(t);
    const { mock } = t.mock.method(testApp.store, 'posts');
    mock.mockImplementationOnce(() => Promise.reject(new Error('Not readable')));
    assert.equal((await testApp.app.inject('/api/feed')).statusCode, 500);
    assert.equal((await getPage(testApp, '/api/feed')).items.length, 20);
  });
});
