// Hidden posts: a post that an operator hides disappears from every response.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { HiddenPage } from '../../../contract/operator.ts';
import type { Media } from '../../../contract/post.ts';
import { channel, makeApp, message, signIn, type TestApp } from '../support/make-app.ts';

const WORD = 'quicksilver';
const PHOTO = 'aa11.png';
const POSTER = 'bb22.png';

type Headers = Record<string, string>;

/** Creates a channel whose last post, an album of 2 and 3, is pinned and starred and has replies in two channels. */
async function withPost(t: TestContext, isPrivate = false): Promise<TestApp & { reader: Headers; operator: Headers }> {
  const testApp = await makeApp(t, { OPERATOR_IDS: '7,8' });
  const { store } = testApp;
  await store.putChannel(channel('1', { username: 'alpha', private: isPrivate }));
  await store.putChannel(channel('2'));
  for (const key of [PHOTO, POSTER]) await saveFile(testApp, key);
  const media: Media[] = [
    { type: 'photo', messageId: 2, src: `/media/${PHOTO}`, width: 4, height: 3 },
    { type: 'video', messageId: 3, missing: 'too-large', poster: { src: `/media/${POSTER}`, width: 4, height: 3 } },
  ];
  const albumMessages = media.map((item) => ({
    ...message('1', item.messageId, item.messageId === 2 ? `The ${WORD} word` : '', [item]),
    albumId: 'a',
  }));
  const reply = { id: 2, excerpt: `The ${WORD} word` };
  const replies = [
    { ...message('1', 5, 'An answer'), post: { ...message('1', 5, 'An answer').post, reply } },
    {
      ...message('2', 1, 'From elsewhere'),
      post: { ...message('2', 1, 'From elsewhere').post, reply: { ...reply, channelId: '1' } },
    },
  ];
  await store.putMessages([message('1', 1, 'First'), ...albumMessages, ...replies]);
  await store.putNewestPin('1', 2);
  // The reader of a private channel must have access to it. Here that is an operator, since a test without a bot cannot ask
  // Telegram for members.
  const reader = await signIn(testApp, isPrivate ? 8 : 1);
  await testApp.app.inject({ method: 'PUT', url: '/api/stars/1/2', headers: reader });
  return { ...testApp, reader, operator: await signIn(testApp, 7) };
}

async function saveFile({ store, dataDir }: TestApp, key: string): Promise<void> {
  const filePath = path.join(dataDir, 'media', key.slice(0, 2), key);
  mkdirSync(path.dirname(filePath), { recursive: true });
  writeFileSync(filePath, `bytes of ${key}`);
  await store.putMediaFile({ key, mime: 'image/png', size: 17 });
}

/** Every address at which a reader may find a post. */
const ADDRESSES = [
  '/api/channels',
  '/api/channels/1',
  '/api/channels/alpha/posts',
  '/api/channels/1/posts?media=1',
  '/api/channels/1/posts?around=5',
  '/api/channels/1/posts?date=1700000000',
  `/api/channels/1/posts?q=${WORD}`,
  '/api/channels/2/posts',
  '/api/posts/1/2',
  '/api/posts/1/3',
  '/api/posts/1/5',
  '/api/posts/2/1',
  '/api/feed',
  '/api/feed?channels=1,2',
  `/api/search?q=${WORD}`,
  `/api/search?q=${WORD.slice(0, 5)}`,
  '/api/search?media=photo,video',
  '/api/search?from=0',
  '/api/unread?marks=1.1',
  '/api/stars',
];

const setHidden = ({ app }: TestApp, method: 'PUT' | 'DELETE', headers: Headers, id = 2) =>
  app.inject({ method, url: `/api/operator/hidden/1/${id}`, headers });

/** Returns the responses to a reader, by address. */
async function seek({ app }: TestApp, headers: Headers): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const url of ADDRESSES) found.set(url, (await app.inject({ url, headers })).body);
  return found;
}

const traces = (responses: ReadonlyMap<string, string>): string[] =>
  [...responses].filter(([, body]) => [WORD, PHOTO, POSTER].some((trace) => body.includes(trace))).map(([url]) => url);

describe('a post that an operator hides', () => {
  for (const [channelType, isPrivate] of [
    ['a public channel', false],
    ['a private channel', true],
  ] as const)
    it(`disappears from every response at once, in ${channelType}, and comes back complete`, async (t) => {
      const testApp = await withPost(t, isPrivate);
      const before = await seek(testApp, testApp.reader);
      assert.ok(traces(before).length >= 10, traces(before).join(' '));
      const shown = JSON.parse(before.get('/api/posts/1/2') ?? '').post.media[0].src;
      assert.equal((await testApp.app.inject(shown)).statusCode, 200);

      assert.equal((await setHidden(testApp, 'PUT', testApp.operator, 3)).statusCode, 204);
      const after = await seek(testApp, testApp.reader);
      assert.deepEqual(traces(after), []);
      assert.equal((await testApp.app.inject({ url: '/api/posts/1/2', headers: testApp.reader })).statusCode, 404);
      assert.equal(JSON.parse(after.get('/api/channels/1') ?? '').pinned, undefined);
      assert.equal(JSON.parse(after.get('/api/unread?marks=1.1') ?? '').items[0].count, 1);
      for (const url of [shown, `/media/${PHOTO}`, `/media/${POSTER}`])
        assert.equal((await testApp.app.inject(url)).statusCode, 404, url);

      assert.equal((await setHidden(testApp, 'DELETE', testApp.operator, 2)).statusCode, 204);
      assert.deepEqual(await seek(testApp, testApp.reader), before);
      assert.equal((await testApp.app.inject(shown)).statusCode, 200);
    });

  it('sends events to connected readers, also for the replies to it', async (t) => {
    const testApp = await withPost(t);
    const last = await testApp.store.lastEventId();
    await setHidden(testApp, 'PUT', testApp.operator);
    const events = await testApp.store.eventsAfter(last, 9);
    assert.deepEqual(
      events?.map(({ kind, channelId, messageId }) => [kind, channelId, messageId]),
      [
        ['hidden', '1', 2],
        // They are replies to the post, and no longer quote it.
        ['edited', '2', 1],
        ['edited', '1', 5],
      ],
    );
  });

  it('has one audit event, however often it is hidden', async (t) => {
    const testApp = await withPost(t);
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE'] as const) await setHidden(testApp, method, testApp.operator);
    const auditEntries = await testApp.store.auditEntries({ limit: 9 });
    assert.deepEqual(
      auditEntries.map(({ act: did, actor, channelTitle, detail }) => [did, actor.id, channelTitle, detail]),
      [
        ['restore', '7', 'Channel 1', '2'],
        ['hide', '7', 'Channel 1', '2'],
      ],
    );
  });

  it('is identified by its first message when it is hidden and shown again, for any message of an album', async (t) => {
    const testApp = await withPost(t);
    await setHidden(testApp, 'PUT', testApp.operator, 3);
    await setHidden(testApp, 'DELETE', testApp.operator, 3);
    const auditEntries = await testApp.store.auditEntries({ limit: 9 });
    assert.deepEqual(
      auditEntries.map(({ act: did, detail }) => [did, detail]),
      [
        ['restore', '2'],
        ['hide', '2'],
      ],
    );
  });

  it('is shown to operators with its files, and to nobody else', async (t) => {
    const testApp = await withPost(t);
    await setHidden(testApp, 'PUT', testApp.operator);
    const list = async (headers: Headers, query = '') => testApp.app.inject({ url: `/api/operator/hidden${query}`, headers });
    const page: HiddenPage = (await list(testApp.operator)).json();
    assert.deepEqual(
      page.items.map(({ post, channel: of }) => [post.id, of.title, post.text]),
      [[2, 'Channel 1', `The ${WORD} word`]],
    );
    const src = page.items[0]?.post.media[0]?.src ?? '';
    assert.equal((await testApp.app.inject(src)).body, `bytes of ${PHOTO}`);
    assert.equal((await list(testApp.reader)).statusCode, 403);
    assert.deepEqual((await list(testApp.operator, '?channel=2')).json().items, []);
  });

  it('returns 404 if it does not exist', async (t) => {
    const testApp = await withPost(t);
    for (const method of ['PUT', 'DELETE'] as const) {
      const response = await setHidden(testApp, method, testApp.operator, 99);
      assert.deepEqual([response.statusCode, response.json().detail], [404, 'Post 99 of Channel 1 was not found.']);
    }
    const other = await testApp.app.inject({ method: 'PUT', url: '/api/operator/hidden/nobody/1', headers: testApp.operator });
    assert.equal(other.statusCode, 404);
  });
});

describe('a public response', () => {
  it('must be revalidated by every cache within a minute', async (t) => {
    const testApp = await withPost(t);
    for (const url of [...ADDRESSES, `/media/${PHOTO}`]) {
      const control = String((await testApp.app.inject(url)).headers['cache-control'] ?? '');
      const age = Number(/s-maxage=(\d+)/.exec(control)?.[1] ?? Number.POSITIVE_INFINITY);
      // Without an age, a browser revalidates a private response.
      assert.ok(/no-store|no-cache|^private$/.test(control) || age <= 60, `${url}: ${control}`);
    }
  });
});
