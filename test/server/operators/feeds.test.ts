// Route of operators that adds a feed.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { Value } from 'typebox/value';
import { Problem } from '../../../contract/api.ts';
import { Channel } from '../../../contract/channel.ts';
import { serve } from '../sources/rss/feed-server.ts';
import { getPage, makeApp, signIn } from '../support/make-app.ts';

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Outside</title><item><title>One</title>
  <link>https://outside.example/1</link><pubDate>Tue, 02 Jan 2024 12:00:00 GMT</pubDate></item></channel></rss>`;

const OPERATOR = 7;

/** Creates a server with an operator, and a site with a feed. */
async function setUp(t: TestContext, handler: RequestListener = (_request, response) => void response.end(FEED)) {
  const testApp = await makeApp(t, { OPERATOR_IDS: String(OPERATOR) });
  const origin = `http://feed.test:${await serve(t, handler)}`;
  const add = async (url: string, reader: number | null = OPERATOR) => {
    const headers = reader === null ? {} : await signIn(testApp, reader);
    return testApp.app.inject({ method: 'POST', url: '/api/operator/feeds', payload: { url }, headers });
  };
  return { ...testApp, origin, add };
}

describe('POST /api/operator/feeds', () => {
  it('creates a channel that everyone can read at once, and logs the operator', async (t) => {
    const testApp = await setUp(t);
    const { add, origin, store } = testApp;
    const response = await add(`${origin}/feed`);
    assert.equal(response.statusCode, 200, response.body);
    const channel = Value.Parse(Channel, response.json());
    assert.deepEqual([channel.title, channel.source, channel.state], ['Outside', 'feed', 'live']);
    const page = await getPage(testApp, `/api/channels/${channel.id}/posts`);
    assert.deepEqual(
      page.items.map(({ text, link }) => [text, link]),
      [['One', 'https://outside.example/1']],
    );
    const [event] = await store.auditEntries({ limit: 1 });
    assert.deepEqual(
      [event?.act, event?.channelId, event?.detail, event?.actor.id],
      ['add-feed', channel.id, `${origin}/feed`, '7'],
    );
  });

  it('is for operators only, and sends no request for anyone else', async (t) => {
    let requestCount = 0;
    const { add, origin } = await setUp(t, (_request, response) => {
      requestCount += 1;
      response.end(FEED);
    });
    assert.equal((await add(origin, null)).statusCode, 401);
    assert.equal((await add(origin, 8)).statusCode, 403);
    assert.equal(requestCount, 0);
  });

  it('returns a sentence that explains why a feed cannot be added', async (t) => {
    const { add, origin, store } = await setUp(t, (_request, response) => void response.end('<html>Nothing</html>'));
    const cases: Record<string, RegExp> = {
      [origin]: /not an RSS, Atom or JSON feed/,
      'http://169.254.169.254/latest/meta-data/': /not on the public internet/,
      'http://[::1]/': /not on the public internet/,
      'file:///etc/passwd': /Only http and https/,
      'http://me:secret@feed.test/': /username or a password/,
      'no address': /no address/,
    };
    for (const [url, detail] of Object.entries(cases)) {
      const response = await add(url);
      assert.equal(response.statusCode, 422, url);
      assert.match(Value.Parse(Problem, response.json()).detail, detail);
    }
    assert.equal((await add('')).statusCode, 400);
    assert.equal(await store.isEmpty(), true);
  });

  it('adds a feed again while it is being disconnected', async (t) => {
    const { add, origin, store } = await setUp(t);
    const { id } = Value.Parse(Channel, (await add(origin)).json());
    assert.equal(await store.disconnect(id, { at: 1, due: 2, remove: true }), true);
    assert.equal(await store.channel(id, { privateChannels: 'all' }), null);
    assert.equal(await store.claimFeed(Number.MAX_SAFE_INTEGER / 2, Number.MAX_SAFE_INTEGER), null);
    assert.equal(Value.Parse(Channel, (await add(origin)).json()).state, 'live');
    assert.equal((await store.connection(id))?.due ?? null, null);
  });
});
