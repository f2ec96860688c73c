// Full-text search: GET /api/search, its filters and its highlighted matches.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { PagedPosts } from '../../../contract/api.ts';
import type { Message } from '../../../server/domain/model.ts';
import { channel, getPage, idsOf, makeApp, message, signIn, type TestApp, withChannels } from '../support/make-app.ts';

const search = (testApp: TestApp, query: Record<string, string>, headers: Record<string, string> = {}): Promise<PagedPosts> =>
  getPage(testApp, `/api/search?${new URLSearchParams(query)}`, headers);

/** Returns the highlighted words of the posts of a page, by post. */
const highlights = ({ items, hits = {} }: PagedPosts): Record<string, string[]> => {
  const words = items.flatMap((post): [string, string[]][] => {
    const offsets = hits[`${post.channelId}/${post.id}`];
    if (offsets === undefined) return [];
    return [[`${post.channelId}/${post.id}`, runs(offsets).map(([start, end]) => post.text.slice(start, end))]];
  });
  return Object.fromEntries(words);
};

const runs = (offsets: readonly number[]): [number, number][] =>
  offsets.flatMap((start, at) => (at % 2 === 0 ? [[start, offsets[at + 1] ?? start]] : []));

async function withTexts(t: TestContext, ...texts: string[]): Promise<TestApp> {
  const testApp = await makeApp(t);
  await testApp.store.putChannel(channel('1', { username: 'alpha' }));
  await testApp.store.putMessages(texts.map((text, at) => message('1', at + 1, text)));
  return testApp;
}

describe('GET /api/search', () => {
  it('finds posts by words, within the requested channels and dates', async (t) => {
    const testApp = await withChannels(t);
    assert.equal((await search(testApp, { q: 'post', limit: '100' })).items.length, 55);
    assert.equal((await search(testApp, { q: 'post', channels: '2' })).items.length, 5);
    const day = 1_700_000_000;
    const time = { from: String(day + 120), to: String(day + 180) };
    assert.deepEqual(idsOf(await search(testApp, { q: 'post', channels: '1', ...time })), [3, 2]);
    const first = await search(testApp, { q: 'post', channels: '2', limit: '3' });
    assert.deepEqual(idsOf(await search(testApp, { q: 'post', channels: '2', limit: '3', before: first.next ?? '' })), [2, 1]);
  });

  it('needs no words if a kind or a date is given', async (t) => {
    const testApp = await withChannels(t);
    const poll: Message = message('2', 6, '');
    await testApp.store.putMessages([
      { ...poll, post: { ...poll.post, poll: { question: 'Which?', closed: false, options: [] } } },
      message('2', 7, 'A song', [{ type: 'audio', messageId: 7 }]),
    ]);
    assert.deepEqual(idsOf(await search(testApp, { media: 'poll' })), [6]);
    assert.deepEqual(idsOf(await search(testApp, { media: 'poll,audio', q: ' ' })), [7, 6]);
    assert.deepEqual(idsOf(await search(testApp, { media: 'poll', q: 'song' })), []);
    assert.deepEqual(idsOf(await search(testApp, { media: '1' })), [7]);
    assert.deepEqual(idsOf(await search(testApp, { channels: '2', to: String(1_700_000_000 + 120) })), [2, 1]);
    for (const path of ['/api/feed', '/api/channels/2/posts'])
      assert.deepEqual(idsOf(await getPage(testApp, `${path}?media=audio,poll`)), [7, 6], path);
  });

  it('requires at least one criterion, and only known kinds', async (t) => {
    const { app } = await withChannels(t);
    for (const url of ['/api/search', '/api/search?q=%20', '/api/search?channels=1'])
      assert.match((await app.inject(url)).json().detail, /^The search has no criteria: set words \(q\), a kind/, url);
    for (const path of ['/api/search', '/api/feed', '/api/channels/1/posts']) {
      const response = await app.inject(`${path}?media=photo,hologram`);
      assert.equal(response.statusCode, 400);
      assert.match(response.json().detail, /^media=photo,hologram is unknown: use 1, or any of photo, video,/);
    }
  });

  for (const [text, q, words] of [
    ['Новости города. Последняя новость', 'новостей', ['Новости', 'новость']],
    ['A tram runs; trams ran', 'trams running', ['tram', 'runs', 'trams']],
    ['😀 В городе', 'город', ['городе']],
    ['وصلت أخبار المدينة', 'مدينة', ['المدينة']],
    ['北京音乐节，音乐', '音乐节', ['音乐节']],
    ['北京音乐节，音乐', '音乐', ['音乐', '音乐']],
    ['𠮷野家で牛丼、𠮷野', '𠮷野家', ['𠮷野家']],
    ['カﾞスコーヒー', 'ガスコ', ['カﾞスコ']],
    ['בשלום עליכם', 'שלום', ['בשלום']],
    ['The city #City_News #cities', '#city_news', ['#City_News']],
    ['The city #City_News', 'city', ['city', 'City']],
    ['Faḍl ibn Muʿādh', 'muadh', ['Muʿādh']],
    ['A governor governs', 'gov', ['governor', 'governs']],
    ['A governor governs', 'governing ', ['governs']],
    ['Люди: город людей', 'людьми ', ['Люди', 'людей']],
  ] as const)
    it(`highlights the hits of ${JSON.stringify(q)} in ${JSON.stringify(text)}`, async (t) => {
      const testApp = await withTexts(t, text, 'other');
      assert.deepEqual(highlights(await search(testApp, { q })), { '1/1': words });
      assert.deepEqual(highlights(await getPage(testApp, `/api/channels/alpha/posts?${new URLSearchParams({ q })}`)), {
        '1/1': words,
      });
    });

  it('returns hits in order and without overlap, and none for a post that matched outside of its text', async (t) => {
    const testApp = await withTexts(t, 'one two one, #one', 'two');
    await testApp.store.putMessages([message('1', 3, 'two', [{ type: 'document', messageId: 3, name: 'one.pdf' }])]);
    const page = await search(testApp, { q: 'one #one ' });
    assert.deepEqual(page.hits, { '1/1': [0, 3, 8, 11, 13, 17] });
    assert.deepEqual((await search(testApp, { q: 'one ' })).hits, { '1/1': [0, 3, 8, 11, 14, 17] });
    assert.deepEqual(idsOf(await search(testApp, { q: 'one ' })), [3, 1]);
    assert.equal('hits' in (await getPage(testApp, '/api/channels/1/posts')), false);
  });

  it('discloses no private or hidden posts to anonymous clients, not even hits', async (t) => {
    const testApp = await makeApp(t, { OPERATOR_IDS: '7' });
    for (const id of ['1', '2']) await testApp.store.putChannel(channel(id));
    await testApp.store.putChannel(channel('9', { private: true }));
    const media = [{ type: 'photo' as const, messageId: 1 }];
    await testApp.store.putMessages([message('1', 1, 'quicksilver', media), message('9', 1, 'quicksilver', media)]);
    await testApp.store.hidePost('1', 1, 5);
    const queries = [
      { q: 'quicksilver' },
      { q: 'quicks' },
      { media: 'photo' },
      { media: '1' },
      { from: '0' },
      { q: 'q', to: '9' },
    ];
    for (const headers of [{}, await signIn(testApp, 8)])
      for (const query of queries) {
        const { items, hits = {}, channels } = await search(testApp, query, headers);
        assert.deepEqual({ items, hits, channels }, { items: [], hits: {}, channels: [] }, JSON.stringify(query));
      }
    assert.deepEqual((await search(testApp, { q: 'quicksilver' }, await signIn(testApp, 7))).hits, { '9/1': [0, 11] });
  });

  it('never fails, whatever the query', async (t) => {
    const { app } = await withChannels(t);
    const words = ['"', "'", '*', 'a AND', 'NEAR(', '(', 'col:x', '#', '#-', '-', '🎉', '\0', 'a"b', '^', '{x}', 'ﷺ', '½'];
    for (const q of [...words, '北'.repeat(200), 'a '.repeat(100), 'ש'.repeat(200), "a'".repeat(100)]) {
      const response = await app.inject(`/api/search?q=${encodeURIComponent(q)}`);
      assert.equal(response.statusCode, 200, `${q}: ${response.body}`);
    }
  });
});
