import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeFeed, ingestItems } from '../../../../server/sources/rss/items.ts';
import { parseFeedDocument } from '../../../../server/sources/rss/parse/parse-feed.ts';
import { channel, makeApp } from '../../support/make-app.ts';

const wordsFrom = (first: number) => Array.from({ length: 1500 }, (_, at) => (first * 5000 + at).toString(36)).join(' ');
const itemsOf = (count: number, textOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `<item><guid>${at}</guid><description>${textOf(at)}</description></item>`).join('');

describe('the posts of a feed', () => {
  async function sizesOf(t: Parameters<typeof makeApp>[0], items: string): Promise<[posts: number, characters: number][]> {
    const { store } = await makeApp(t);
    await store.putChannel(channel('f-1', { source: 'feed' }));
    const sizes: [number, number][] = [];
    const putMessages: typeof store.putMessages = (messages) => {
      sizes.push([messages.length, messages.reduce((sum, { post }) => sum + post.text.length, 0)]);
      return store.putMessages(messages);
    };
    const feed = composeFeed(parseFeedDocument(`<rss version="2.0"><channel>${items}</channel></rss>`, 'https://feed.example/'));
    const fetchPublic = () => Promise.reject(new Error('Nothing is fetched.'));
    assert.equal(await ingestItems('f-1', feed, 'Feed', { store: { ...store, putMessages }, fetchPublic, now: Date.now }), true);
    return sizes;
  }

  it('are written in batches of ten if they are short', async (t) => {
    const sizes = await sizesOf(
      t,
      itemsOf(25, (at) => `Post ${at}`),
    );
    assert.deepEqual(
      sizes.map(([posts]) => posts),
      [10, 10, 5],
    );
  });

  it('are written in batches of at most 8192 characters if possible, because each batch delays other requests', async (t) => {
    const sizes = await sizesOf(t, itemsOf(6, wordsFrom) + itemsOf(9, (at) => `Short ${at}`).replaceAll('<guid>', '<guid>s'));
    assert.equal(
      sizes.reduce((sum, [posts]) => sum + posts, 0),
      15,
    );
    for (const [posts, characters] of sizes)
      assert.ok(posts === 1 || characters <= 8192, `${posts} posts, ${characters} characters`);
    assert.ok(sizes.some(([posts]) => posts > 1));
  });
});
