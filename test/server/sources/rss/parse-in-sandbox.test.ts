import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeFeed } from '../../../../server/sources/rss/items.ts';
import { parseFeedDocument } from '../../../../server/sources/rss/parse/parse-feed.ts';
import { parseInSandbox } from '../../../../server/sources/rss/parse/parse-in-sandbox.ts';
import { FeedError } from '../../../../server/sources/rss/types.ts';

const ADDRESS = 'https://feed.example/all.xml';
const feedOf = (items: string) => `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`;

describe('parseInSandbox', () => {
  it('returns the same in a worker thread as without one', async () => {
    const feed = feedOf(
      '<item><title>One</title><link>/1</link><description>a &lt;b&gt;b&lt;/b&gt;</description></item><item><title>Two</title></item>',
    );
    assert.deepEqual(await parseInSandbox(feed, ADDRESS, 0), composeFeed(parseFeedDocument(feed, ADDRESS)));
    await assert.rejects(parseInSandbox('<html></html>', ADDRESS, 0), {
      name: 'FeedError',
      message: /not an RSS, Atom or JSON feed/,
    });
  });

  it('does not block other requests while it parses a feed that is made to be slow', async () => {
    const slow = feedOf('<item><title>a</title></item>'.repeat(100_000));
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const { items } = await parseInSandbox(slow, ADDRESS);
    clearInterval(timer);
    assert.equal(items.length, 500);
    assert.ok(ticks > 20, `${ticks} turns`);
  });

  it('does not block other requests while it parses a small feed that takes as long', async () => {
    // For each bracket, the parser searches for the closing one up to the end of the text. That takes two minutes.
    const slow = feedOf(`<item><author>${'('.repeat(200_000)}</author></item>`);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await assert.rejects(parseInSandbox(slow, ADDRESS, undefined, 1000), { name: 'FeedError', message: /too long/ });
    clearInterval(timer);
    assert.ok(ticks > 20, `${ticks} turns`);
  });

  it('times out', async () => {
    const slow = feedOf('<item><title>a</title></item>'.repeat(100_000));
    await assert.rejects(parseInSandbox(slow, ADDRESS, 0, 50), (error) => {
      assert.ok(error instanceof FeedError);
      assert.match(error.message, /too long/);
      return true;
    });
  });
});
