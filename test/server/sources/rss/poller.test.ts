// Feed poller: adding feeds, intervals, conditional requests, failures and limits per host.

import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { Channel } from '../../../../contract/channel.ts';
import type { AccessScope } from '../../../../server/domain/model.ts';
import { createDownloadQueue } from '../../../../server/media/download-queue.ts';
import { createFolderMediaStore } from '../../../../server/media/folder-media-store.ts';
import { combineFileSources } from '../../../../server/sources/file-sources.ts';
import { addFeed } from '../../../../server/sources/rss/add-feed.ts';
import { createFeedFileSource } from '../../../../server/sources/rss/file-source.ts';
import { createFeedPoller } from '../../../../server/sources/rss/poller.ts';
import { openStore } from '../../../../server/storage/open.ts';
import { SHORT_DELAYS } from '../../media/download-fixture.ts';
import { makeFolder } from '../../support/make-app.ts';
import { serve, testFetcher } from './feed-server.ts';

const PUBLIC: AccessScope = { privateChannels: [] };
const HOUR = 3600;
const START = Date.UTC(2024, 5, 1) / 1000;

interface Item {
  readonly id: number;
  readonly text?: string;
  readonly date?: string;
  readonly more?: string;
}

const rss = (
  items: readonly Item[],
  head = '',
) => `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel><title>The feed</title><link>https://site.example/</link><description>About it</description>${head}${items
    .map(
      ({ id, text = `Text ${id}`, date = new Date((START - HOUR + id * 60) * 1000).toUTCString(), more = '' }) =>
        `<item><guid>g${id}</guid><link>https://site.example/${id}</link><pubDate>${date}</pubDate><description>${text}</description>${more}</item>`,
    )
    .reverse()
    .join('')}</channel></rss>`;

const xml = (response: ServerResponse, body: string, headers: Record<string, string> = {}) =>
  void response.writeHead(200, { 'content-type': 'application/rss+xml', ...headers }).end(body);

/** Creates a server whose feed a test can change, a store, and a poller whose clock a test can move. */
async function setUp(t: TestContext, first: RequestListener) {
  const requests: IncomingMessage[] = [];
  const site = { handler: first };
  const port = await serve(t, (request, response) => {
    requests.push(request);
    site.handler(request, response);
  });
  const dataDir = makeFolder(t);
  const store = await openStore({ dataDir });
  const clock = { now: START };
  const lines: string[] = [];
  const fetchPublic = testFetcher();
  const options = { store, fetchPublic, now: () => clock.now * 1000, log: (line: string) => void lines.push(line) };
  const poller = createFeedPoller(options);
  t.after(async () => {
    await poller.stop();
    await store.close();
    assert.deepEqual(lines, []);
  });
  const origin = `http://feed.test:${port}`;
  const fetchFiles = () => {
    const source = combineFileSources(null, createFeedFileSource(fetchPublic));
    const mediaStore = createFolderMediaStore(dataDir);
    const fetcher = createDownloadQueue({ store, mediaStore, source, limits: SHORT_DELAYS, now: Date.now, log: options.log });
    t.after(() => fetcher.stop());
    fetcher.start();
  };
  const add = () => addFeed(`${origin}/feed`, options);
  const posts = async ({ id }: Channel) => (await store.posts({ channelIds: [id], limit: 100 }, PUBLIC)).toReversed();
  const texts = async (channel: Channel) => (await posts(channel)).map(({ text }) => text);
  const channel = async ({ id }: Channel) => {
    const found = await store.channel(id, PUBLIC);
    assert.ok(found);
    return found;
  };
  /** Checks the feed again, `after` seconds later. */
  const check = async ({ id }: Channel, after = 60) => {
    clock.now += after;
    const feed = await poller.check(id);
    assert.ok(feed);
    return feed;
  };
  return { requests, site, store, clock, options, poller, origin, add, posts, texts, channel, check, fetchFiles };
}

const until = async (isSo: () => Promise<boolean> | boolean) => {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
};

const picture = (colour: string, size = 100) =>
  sharp({ create: { width: size, height: size, channels: 3, background: colour } })
    .png()
    .toBuffer();

describe('addFeed', () => {
  it('creates a channel with the posts of the feed, numbered by date', async (t) => {
    const { add, posts, channel, options, origin } = await setUp(t, (_request, response) =>
      xml(response, rss([{ id: 1 }, { id: 2 }])),
    );
    const added = await add();
    assert.match(added.id, /^f-[0-9a-f]{16}$/);
    const { latest, ...rest } = await channel(added);
    assert.deepEqual(rest, {
      id: added.id,
      title: 'The feed',
      source: 'feed',
      state: 'live',
      private: false,
      demo: false,
    });
    const [one, two] = await posts(added);
    assert.equal(latest?.id, two?.id);
    assert.ok(one && two && one.id < two.id);
    assert.equal(two.text, 'Text 2');
    assert.equal(two.link, 'https://site.example/2');
    assert.equal(two.gap, undefined);
    assert.deepEqual(await addFeed(` feed:${origin}/feed `, options), await channel(added));
    assert.equal((await posts(added)).length, 2);
  });

  it('finds the feed that a web page links to', async (t) => {
    const { options, origin, texts, store } = await setUp(t, (request, response) => {
      if (request.url?.startsWith('/feeds/all')) return xml(response, rss([{ id: 1 }]));
      response.writeHead(200, { 'content-type': 'text/html' }).end(
        `<html><head><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">
         <link rel="alternate" type="application/json" href="/wp-json/x"><link rel="stylesheet" href="/feeds/x">
         <link rel="alternate home" type="application/rss+xml" href="feeds/all?a=1&amp;b=2"></head><body>Page</body></html>`,
      );
    });
    const added = await addFeed(`${origin}/`, options);
    assert.deepEqual(await texts(added), ['Text 1']);
    assert.equal((await store.feed(added.id))?.url, `${origin}/feeds/all?a=1&b=2`);
  });

  it('reports why a feed cannot be added, and stores nothing', async (t) => {
    const { options, origin, site, store } = await setUp(t, (_request, response) => response.end('<html><p>No feed</p></html>'));
    await assert.rejects(addFeed(origin, options), /^FeedError: This is not an RSS, Atom or JSON feed\.$/);
    site.handler = (_request, response) => void response.writeHead(404).end();
    await assert.rejects(addFeed(origin, options), /status 404/);
    await assert.rejects(addFeed('http://10.0.0.1/feed', options), /not on the public internet/);
    await assert.rejects(addFeed('file:///etc/passwd', options), /Only http and https/);
    assert.equal(await store.isEmpty(), true);
  });

  it('identifies a feed by the target of permanent redirects', async (t) => {
    const { add, options, origin } = await setUp(t, (request, response) => {
      if (request.url === '/feed') response.writeHead(301, { location: '/new' }).end();
      else xml(response, rss([{ id: 1 }]));
    });
    assert.equal((await add()).id, (await addFeed(`${origin}/new`, options)).id);
  });
});

describe('a feed that is polled again', () => {
  it('changes no post and logs no event if the response is the same, byte for byte', async (t) => {
    const { add, check, posts, store } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }, { id: 2 }])));
    const added = await add();
    const before = await posts(added);
    await check(added);
    const events = await store.lastEventId();
    await check(added);
    assert.deepEqual(await posts(added), before);
    assert.equal(await store.lastEventId(), events);
  });

  it('adds new items, keeps items that left the feed, and updates changed items', async (t) => {
    const { add, check, posts, site, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }, { id: 2 }])));
    const added = await add();
    const [one, two] = await posts(added);
    site.handler = (_request, response) => xml(response, rss([{ id: 2, text: 'Better' }, { id: 3 }]));
    await check(added);
    const [first, second, third] = await posts(added);
    assert.deepEqual(first, one);
    assert.deepEqual(second, { ...two, text: 'Better', edited: clock.now });
    assert.equal(third?.text, 'Text 3');
    const later = await posts(added);
    await check(added);
    assert.deepEqual(await posts(added), later);
  });

  it('dates items without a date by their first fetch, in the order of the feed, and clamps future dates', async (t) => {
    const { add, check, posts } = await setUp(t, (_request, response) =>
      xml(
        response,
        rss([
          { id: 1, date: '' },
          { id: 2, date: 'soon' },
          { id: 3, date: 'Fri, 01 Jan 2100 00:00:00 GMT' },
        ]),
      ),
    );
    const added = await add();
    const before = await posts(added);
    assert.deepEqual(
      before.map(({ text, date }) => [text, date - START]),
      [
        ['Text 1', 0],
        ['Text 2', 0],
        ['Text 3', 0],
      ],
    );
    await check(added, HOUR);
    assert.deepEqual(await posts(added), before);
  });

  it('is requested by ETag and Last-Modified, and a 304 counts as no change', async (t) => {
    const { add, check, site, requests, texts } = await setUp(t, (_request, response) =>
      xml(response, rss([{ id: 1 }]), { etag: 'W/"1"', 'last-modified': 'Sat, 01 Jun 2024 00:00:00 GMT' }),
    );
    const added = await add();
    await check(added);
    site.handler = (_request, response) => void response.writeHead(304).end();
    const feed = await check(added);
    const { headers } = requests.at(-1) ?? {};
    assert.equal(headers?.['if-none-match'], 'W/"1"');
    assert.equal(headers?.['if-modified-since'], 'Sat, 01 Jun 2024 00:00:00 GMT');
    assert.deepEqual([feed.failures, feed.error, feed.etag], [0, null, 'W/"1"']);
    assert.deepEqual(await texts(added), ['Text 1']);
  });

  it('is polled less often while there are no new items, and at the interval that its server requests, up to a day', async (t) => {
    const { add, check, site, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    const intervals: number[] = [];
    for (let round = 0; round < 20; round += 1) intervals.push((await check(added)).interval);
    assert.ok(intervals.every((interval, at) => interval > (intervals[at - 1] ?? 0) || interval === 6 * HOUR));
    assert.equal(intervals.at(-1), 6 * HOUR);
    let id = 1;
    site.handler = (_request, response) => xml(response, rss([{ id }]));
    for (id = 2; id < 10; id += 1) intervals.push((await check(added)).interval);
    assert.equal(intervals.at(-1), 600);
    site.handler = (_request, response) => xml(response, rss([{ id }], '<ttl>720</ttl>'));
    assert.equal((await check(added)).interval, 12 * HOUR);
    site.handler = (_request, response) => void response.writeHead(304).end();
    assert.equal((await check(added)).interval, 12 * HOUR);
    site.handler = (_request, response) => void response.writeHead(304, { 'cache-control': 'public, max-age=99999999' }).end();
    const feed = await check(added);
    assert.equal(feed.interval, 24 * HOUR);
    assert.ok(feed.due !== null && feed.due >= clock.now + 24 * HOUR && feed.due <= clock.now + 26.4 * HOUR);
  });

  it('changes its URL after a permanent redirect, and after no other redirect', async (t) => {
    const { add, check, site, origin, store } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    const redirect =
      (status: number): RequestListener =>
      (request, response) => {
        if (request.url !== '/feed') xml(response, rss([{ id: 1 }]));
        else response.writeHead(status, { location: `/moved-${status}` }).end();
      };
    site.handler = redirect(307);
    await check(added);
    assert.equal((await store.feed(added.id))?.url, `${origin}/feed`);
    site.handler = (request, response) =>
      response.writeHead(301, { location: request.url === '/feed' ? '/page' : 'http://10.0.0.1/' }).end();
    assert.match((await check(added)).error ?? '', /not on the public internet/);
    assert.equal((await store.feed(added.id))?.url, `${origin}/feed`);
    site.handler = redirect(308);
    await check(added);
    assert.equal((await store.feed(added.id))?.url, `${origin}/moved-308`);
  });
});

describe('a feed that fails', () => {
  const broken: Record<string, readonly [RequestListener, RegExp]> = {
    'an error status': [(_request, response) => void response.writeHead(500).end('no'), /status 500/],
    'an HTML page': [
      (_request, response) => void response.end('<!doctype html><html><p>Hello</p></html>'),
      /not an RSS, Atom or JSON feed/,
    ],
    'broken XML': [(_request, response) => xml(response, rss([{ id: 1 }]).slice(0, -40)), /broken/],
    'an empty response': [(_request, response) => void response.end(), /empty/],
    'a truncated response': [
      (_request, response) => {
        response.writeHead(200, { 'content-length': '10000' }).write(rss([{ id: 9 }]).slice(0, -16));
        setImmediate(() => response.destroy());
      },
      /was interrupted/,
    ],
    'a truncated gzip response': [
      (_request, response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(rss([{ id: 9 }])).subarray(0, 99)),
      /was interrupted/,
    ],
    'a picture': [(_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('x'), /image\/png/],
    'a closed connection': [(_request, response) => void response.destroy(), /could not be reached/],
  };
  for (const [name, [handler, error]] of Object.entries(broken))
    it(`keeps its posts and reports ${name}`, async (t) => {
      const { add, check, site, texts, channel } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
      const added = await add();
      site.handler = handler;
      const feed = await check(added);
      assert.match(feed.error ?? '', error);
      assert.equal(feed.failures, 1);
      assert.deepEqual(await texts(added), ['Text 1']);
      assert.equal((await channel(added)).state, 'live');
    });

  it('is polled less and less often, but at least once a day', async (t) => {
    const { add, check, site, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    site.handler = (_request, response) => void response.writeHead(503).end();
    const pauses: number[] = [];
    for (let round = 0; round < 10; round += 1) pauses.push(((await check(added)).due ?? 0) - clock.now);
    assert.ok(
      pauses.every((pause, at) => pause > (pauses[at - 1] ?? 0) || pause >= 24 * HOUR),
      String(pauses),
    );
    assert.ok(pauses.every((pause) => pause <= 26.4 * HOUR));
  });

  it('is polled again after the Retry-After of a busy server', async (t) => {
    const { add, check, site, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    site.handler = (_request, response) => void response.writeHead(429, { 'retry-after': '20000' }).end();
    const feed = await check(added);
    assert.ok(feed.due !== null && feed.due >= clock.now + 20_000 && feed.due <= clock.now + 22_000);
    const until = clock.now + 60 + 40_000;
    site.handler = (_request, response) =>
      void response.writeHead(429, { 'retry-after': new Date(until * 1000).toUTCString() }).end();
    assert.ok(((await check(added)).due ?? 0) >= until);
  });

  it('is paused after three days, with the time of the first failure, and live again after the first response', async (t) => {
    const { add, check, site, channel, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    site.handler = (_request, response) => void response.writeHead(500).end();
    await check(added);
    const since = clock.now;
    await check(added, 71 * HOUR);
    assert.equal((await channel(added)).state, 'live');
    await check(added, HOUR);
    const paused = await channel(added);
    assert.deepEqual([paused.state, paused.since], ['paused', since]);
    await check(added, 24 * HOUR);
    assert.equal((await channel(added)).since, since);
    site.handler = (_request, response) => void response.writeHead(304).end();
    assert.equal((await check(added)).failures, 0);
    const back = await channel(added);
    assert.deepEqual([back.state, back.since], ['live', undefined]);
  });

  it('is archived after a 410, and polled again after it was added again', async (t) => {
    const { add, check, site, channel, store, texts } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    const ok = site.handler;
    site.handler = (_request, response) => void response.writeHead(410).end();
    assert.equal((await check(added)).due, null);
    assert.equal((await channel(added)).state, 'archived');
    assert.equal(await store.claimFeed(START * 2, START * 2 + 1), null);
    site.handler = ok;
    await add();
    assert.deepEqual([(await channel(added)).state, await texts(added)], ['live', ['Text 1']]);
    assert.ok(await store.claimFeed(START * 2, START * 2 + 1));
  });
});

describe('files of a feed', () => {
  it('are downloaded by the server, and shown with their dimensions or with the reason why they are missing', async (t) => {
    const red = await picture('red');
    const named = (origin: string) =>
      `<enclosure url="${origin}/red.png" type="image/png" length="1"/><enclosure url="${origin}/red-300x300.png" type="image/png"/>
       <enclosure url="${origin}/big.mp3" type="audio/mpeg" length="99999999"/><enclosure url="${origin}/gone.mp3" type="audio/mpeg"/>
       <enclosure url="http://10.0.0.1/in.mp3" type="audio/mpeg"/><enclosure url="${origin}/page.mp4" type="video/mp4"/>`;
    const { add, check, posts, requests, channel, store, origin, fetchFiles } = await setUp(t, (request, response) => {
      if (request.url?.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(red);
      else if (request.url === '/page.mp4') response.writeHead(200, { 'content-type': 'text/html' }).end('Sign in');
      else if (request.url === '/feed')
        xml(response, rss([{ id: 1, more: named(origin) }], `<image><url>${origin}/icon.png</url></image>`));
      else response.writeHead(404).end();
    });
    const added = await add();
    await check(added);
    const mediaOf = async () =>
      (await posts(added))[0]?.media.map(({ type, missing, width, src }) => [type, missing ?? src?.slice(0, 7), width]);
    assert.deepEqual(await mediaOf(), [
      ['photo', 'pending', undefined],
      ['audio', 'too-large', undefined],
      ['audio', 'pending', undefined],
      ['audio', 'pending', undefined],
      ['video', 'pending', undefined],
    ]);
    fetchFiles();
    await until(async () => (await store.fileCounts()).waiting === 0);
    const fetched = [
      ['photo', '/media/', 100],
      ['audio', 'too-large', undefined],
      ['audio', 'lost', undefined],
      ['audio', 'lost', undefined],
      ['video', 'lost', undefined],
    ];
    assert.deepEqual(await mediaOf(), fetched);
    const [post] = await posts(added);
    assert.equal(new Set(post?.media.map(({ messageId }) => messageId)).size, 5);
    assert.equal(post?.edited, undefined);
    assert.equal((await channel(added)).picture?.width, 100);
    assert.equal((await channel(added)).about, 'About it');
    assert.equal((await store.mediaFile(post?.media[0]?.src?.replace('/media/', '') ?? ''))?.private, false);
    const times = requests.length;
    await check(added);
    assert.deepEqual(await mediaOf(), fetched);
    assert.deepEqual(
      requests.slice(times).map(({ url }) => url),
      ['/feed'],
    );
  });

  it('are downloaded for the newest 40 items of an added feed, and for all later items', async (t) => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: at + 1,
        more: `<enclosure url="https://site.example/${at + 1}.mp3" type="audio/mpeg"/>`,
      }));
    const { add, check, posts, site } = await setUp(t, (_request, response) => xml(response, rss(items(50))));
    const added = await add();
    const counts = async () => (await posts(added)).map(({ media }) => media.length);
    assert.deepEqual(await counts(), [...Array(10).fill(0), ...Array(40).fill(1)]);
    site.handler = (_request, response) => xml(response, rss(items(80)));
    await check(added);
    assert.deepEqual(await counts(), [...Array(10).fill(0), ...Array(70).fill(1)]);
  });
});

describe('createFeedPoller', () => {
  it('polls the due feeds, up to four hosts in parallel but only one feed per host at a time', async (t) => {
    const open = new Map<string, number>();
    const maxOpen = { host: 0, all: 0 };
    let responseCount = 0;
    const { options, poller, origin, store, site } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const port = new URL(origin).port;
    const ids: string[] = [];
    for (const name of ['a/1', 'a/2', 'b/1', 'c/1', 'd/1', 'e/1'])
      ids.push((await addFeed(`http://${name.replace('/', `.test:${port}/`)}`, options)).id);
    site.handler = ({ headers }, response) => {
      const host = headers.host ?? '';
      open.set(host, (open.get(host) ?? 0) + 1);
      maxOpen.host = Math.max(maxOpen.host, open.get(host) ?? 0);
      maxOpen.all = Math.max(
        maxOpen.all,
        [...open.values()].reduce((sum, count) => sum + count, 0),
      );
      const end = () => {
        open.set(host, (open.get(host) ?? 0) - 1);
        responseCount += 1;
        response.writeHead(304).end();
      };
      // The first response is held until the maximum number of concurrent requests is reached.
      if (responseCount > 0) end();
      else void until(() => maxOpen.all === 4).then(end);
    };
    poller.start();
    await until(async () => (await Promise.all(ids.map((id) => store.feed(id)))).every((feed) => feed?.checkedAt !== null));
    assert.deepEqual(maxOpen, { host: 1, all: 4 });
    assert.equal(responseCount, 6);
  });

  it('aborts the request when it is stopped, and the feed is due at once for the next poller', async (t) => {
    const { add, poller, site, store, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    let isRequested = false;
    site.handler = () => {
      isRequested = true;
    };
    poller.start();
    await until(() => isRequested);
    assert.equal(await poller.check(added.id), null);
    await poller.stop();
    const feed = await store.claimFeed(clock.now, clock.now + 1);
    assert.deepEqual([feed?.channelId, feed?.failures], [added.id, 0]);
  });

  it('does not restore a channel that was removed during the request', async (t) => {
    const { add, site, poller, store, clock } = await setUp(t, (_request, response) => xml(response, rss([{ id: 1 }])));
    const added = await add();
    site.handler = async (_request, response) => {
      await store.removeChannels([added.id]);
      xml(response, rss([{ id: 2 }]));
    };
    clock.now += 60;
    await poller.check(added.id);
    assert.equal(await store.isEmpty(), true);
  });
});
