// Published feeds: RSS, Atom and JSON Feed of channels, line-ups and searches.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { parseAtomFeed, parseJsonFeed, parseOpml, parseRssFeed } from 'feedsmith';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Media } from '../../../contract/post.ts';
import { isPublished } from '../../../contract/published.ts';
import type { Message } from '../../../server/domain/model.ts';
import { toLineupRows } from '../../../src/data/lineup/selectors.ts';
import { writeLineupOpml as writeLineup } from '../../../src/features/import-export/model/opml-write.ts';
import { channelPath } from '../../../src/lib/links.ts';
import { channel, fill, makeApp, message, type TestApp, withChannels } from '../support/make-app.ts';

const SITE = 'https://channels.example';
const FORMATS = ['rss', 'atom', 'json'] as const;

const makeSite = (t: TestContext, environment: Record<string, string> = {}): Promise<TestApp> =>
  withChannels(t, { PUBLIC_URL: SITE, BRAND_NAME: 'City', ...environment });

async function read({ app }: TestApp, url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await app.inject({ url, headers });
  assert.equal(response.statusCode, 200, `${url}: ${response.body.slice(0, 200)}`);
  return response.body;
}

/** The content of an item in every format, in one common form. */
interface ItemContent {
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly html: string | undefined;
  readonly url: string | undefined;
  readonly updated: number;
  readonly files: readonly (string | undefined)[];
}

async function readItems(testApp: TestApp, feed: string, format: (typeof FORMATS)[number]): Promise<ItemContent[]> {
  const [path = '', query] = feed.split('?');
  const body = await read(testApp, `${path}.${format}${query ? `?${query}` : ''}`);
  if (format === 'rss') {
    return (parseRssFeed(body).items ?? []).map((item) => ({
      id: item.guid?.value,
      title: item.title,
      html: item.content?.encoded,
      url: item.link,
      updated: Date.parse(item.atom?.updated ?? ''),
      files: item.media?.contents?.map(({ url }) => url) ?? [],
    }));
  }
  if (format === 'atom') {
    return (parseAtomFeed(body).entries ?? []).map((entry) => ({
      id: entry.id,
      title: entry.title?.value,
      html: entry.content?.value,
      url: entry.links?.find(({ rel }) => rel === 'alternate')?.href,
      updated: Date.parse(entry.updated ?? ''),
      files: entry.links?.filter(({ rel }) => rel === 'enclosure').map(({ href }) => href) ?? [],
    }));
  }
  return (parseJsonFeed(body).items ?? []).map((item) => ({
    id: item.id,
    title: item.title,
    html: item.content_html,
    url: item.url,
    updated: Date.parse(item.date_modified ?? ''),
    files: item.attachments?.map(({ url }) => url) ?? [],
  }));
}

const PYTHON = `
import json, sys, feedparser
feed = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({'bozo': bool(feed.bozo), 'why': str(feed.get('bozo_exception', '')), 'version': feed.version, 'items': [
  {'id': item.id, 'title': item.title, 'html': item.content[0].value, 'url': item.link, 'updated': item.get('updated'),
   'files': [link.href for link in item.links if link.rel == 'enclosure']} for item in feed.entries]}))
`;

const ByPython = Type.Object({
  bozo: Type.Boolean(),
  why: Type.String(),
  version: Type.String(),
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      html: Type.String(),
      url: Type.String(),
      files: Type.Array(Type.String()),
    }),
  ),
});

/**
 * Python interpreters. Packages of Debian are available only to the Python of Debian, and another one may come first in PATH.
 */
const PYTHONS = ['python3', '/usr/bin/python3'];
const python = PYTHONS.find((each) => spawnSync(each, ['-c', 'import feedparser']).status === 0);
const WITHOUT_FEEDPARSER = python === undefined && 'python3-feedparser is not installed';

function readByPython(body: string) {
  const { stdout, stderr } = spawnSync(python ?? 'python3', ['-c', PYTHON], {
    input: body,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  assert.equal(stderr, '');
  return Value.Parse(ByPython, JSON.parse(stdout));
}

const photo = (messageId: number, more: Partial<Media> = {}): Media => ({
  ...{ type: 'photo', messageId, src: `/media/${'a'.repeat(63)}${messageId}.jpg`, width: 1280, height: 720 },
  ...{ mime: 'image/jpeg', size: 1000 + messageId },
  ...more,
});

const HOSTILE = [
  ']]> ]]]]> <![CDATA[ x ]]>',
  '</script><script>alert(1)</script><!-- --> & &amp; &lt;b&gt; "quoted" \'so\'',
  'nul \u0000 bell \u0007 escape \u001b tab \t c1 \u0085 noncharacters \ufffe \uffff',
  'half \ud83d of a pair, other half \udc00',
  'turned \u202e over \u2067 and isolated',
  `${'word '.repeat(20_000)}end`,
  `family ${'👨‍👩‍👧‍👦'.repeat(200)}`,
  `a${'\u0301'.repeat(50_000)}`,
  '<p>&nbsp;</p>',
];

/** Characters that an XML document must not contain. */
const UNFIT = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{NChar}/u;

describe('the feeds of a channel', () => {
  for (const format of FORMATS) {
    it(`contain the content of each post, with stable ids and absolute URLs: ${format}`, async (t) => {
      const testApp = await makeSite(t);
      const items = await readItems(testApp, '/feeds/alpha', format);
      assert.equal(items.length, 30);
      assert.equal(items[0]?.title, 'Post 50 of Channel 1');
      assert.equal(items[0]?.html, '<p dir="auto">Post 50 of Channel 1</p>');
      assert.equal(items[0]?.url, `${SITE}/channel/alpha?post=50`);
      assert.match(items[0]?.id ?? '', /^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      assert.equal(new Set(items.map(({ id }) => id)).size, 30);
    });

    it(`keep every id after a rename and an edit, and show when a post was edited: ${format}`, async (t) => {
      const testApp = await makeSite(t);
      const before = await readItems(testApp, '/feeds/alpha?limit=100', format);
      await testApp.store.putChannel(channel('1', { username: 'omega', title: 'Renamed' }));
      const edited = message('1', 50, 'Said anew');
      await testApp.store.putMessages([
        { ...edited, post: { ...edited.post, edited: 1_800_000_000 }, modifiedAt: 1_800_000_000 },
      ]);
      const after = await readItems(testApp, '/feeds/omega?limit=100', format);
      assert.deepEqual(
        after.map(({ id }) => id),
        before.map(({ id }) => id),
      );
      assert.equal(after[0]?.title, 'Said anew');
      assert.equal(after[0]?.updated, 1_800_000_000_000);
      assert.equal(after[1]?.updated, before[1]?.updated);
    });

    it(`exclude hidden posts and service messages: ${format}`, async (t) => {
      const testApp = await makeSite(t);
      const pinned = message('2', 6, '');
      await testApp.store.putMessages([{ ...pinned, post: { ...pinned.post, service: { action: 'pinned', messageId: 1 } } }]);
      await testApp.store.hidePost('2', 5, 1);
      assert.deepEqual(
        (await readItems(testApp, '/feeds/2', format)).map(({ title }) => title),
        [4, 3, 2, 1].map((id) => `Post ${id} of Channel 2`),
      );
    });

    it(`contain all pictures of an album: ${format}`, async (t) => {
      const testApp = await makeSite(t);
      const albumItems = [1, 2, 3].map(
        (id): Message => ({ ...message('2', id, id === 1 ? 'Album' : '', [photo(id)]), albumId: 'x' }),
      );
      await testApp.store.putMessages(
        albumItems.map((albumItem) => ({
          ...albumItem,
          post: { ...albumItem.post, edited: 1_800_000_000 },
          modifiedAt: 1_800_000_000,
        })),
      );
      const album = (await readItems(testApp, '/feeds/2', format)).find(({ title }) => title === 'Album');
      const expectedUrls = [1, 2, 3].map((id) => `${SITE}/media/${'a'.repeat(63)}${id}.jpg`);
      assert.deepEqual(album?.files, expectedUrls);
      for (const url of expectedUrls) assert.ok(album?.html?.includes(`<img src="${url}" width="1280" height="720" alt="">`));
    });

    it(`are valid feeds even for an empty channel: ${format}`, async (t) => {
      const testApp = await makeSite(t);
      await testApp.store.putChannel(channel('3', { username: 'empty' }));
      assert.deepEqual(await readItems(testApp, '/feeds/empty', format), []);
      const response = await testApp.app.inject(`/feeds/empty.${format}`);
      assert.equal(response.headers['last-modified'], undefined);
    });

    it(`escape all texts, and exclude characters that the format forbids: ${format}`, async (t) => {
      const testApp = await makeApp(t, { PUBLIC_URL: SITE });
      await testApp.store.putChannel(channel('1', { title: `T ${HOSTILE.slice(0, 5).join('')}`, about: HOSTILE[1] ?? '' }));
      await testApp.store.putMessages(
        HOSTILE.map((text, at): Message => {
          const { post, ...rest } = message('1', at + 1, text);
          const bold = { type: 'bold' as const, offset: 1, length: Math.max(1, text.length - 2) };
          const link = { type: 'text_link' as const, offset: 0, length: 3, url: 'javascript:alert(1)//' };
          return { ...rest, post: { ...post, entities: [bold, link], author: HOSTILE[at] ?? '' } };
        }),
      );
      const body = await read(testApp, `/feeds/1.${format}`);
      assert.doesNotMatch(body, UNFIT);
      const items = await readItems(testApp, '/feeds/1', format);
      assert.equal(items.length, HOSTILE.length);
      for (const { title = '', html = '' } of items) {
        assert.doesNotMatch(html, /<(?!\/?(p|strong)\b)|javascript:|on\w+=/i);
        assert.ok([...new Intl.Segmenter().segment(title)].length <= 101, title);
        assert.ok(title.length < 4000);
      }
      const family = items.find(({ title }) => title?.startsWith('family'));
      assert.match(family?.title ?? '', /^family (👨‍👩‍👧‍👦){93}…$/u);
      assert.ok(
        items.some(({ html }) => html?.endsWith('end</p>') || html?.endsWith('en</strong>d</p>')),
        'the long one is whole',
      );
    });
  }

  for (const format of ['rss', 'atom'] as const) {
    it(`are parsed completely by Python's feedparser: ${format}`, { skip: WITHOUT_FEEDPARSER }, async (t) => {
      const testApp = await makeSite(t);
      await testApp.store.putMessages(
        HOSTILE.map((text, at) => message('1', 60 + at, text, at === 0 ? [photo(1), photo(2, { mime: 'image/png' })] : [])),
      );
      const ownItems = await readItems(testApp, '/feeds/alpha?limit=100', format);
      const pythonFeed = readByPython(await read(testApp, `/feeds/alpha.${format}?limit=100`));
      assert.equal(pythonFeed.bozo, false, pythonFeed.why);
      assert.equal(pythonFeed.version, format === 'rss' ? 'rss20' : 'atom10');
      assert.deepEqual(
        pythonFeed.items.map(({ id, url }) => [id, url]),
        ownItems.map(({ id, url }) => [id, url]),
      );
      const plain = pythonFeed.items.find(({ url }) => url.endsWith('post=50'));
      assert.equal(plain?.title, 'Post 50 of Channel 1');
      assert.match(plain?.html ?? '', /^<p( dir="auto")?>Post 50 of Channel 1<\/p>$/);
      const files = pythonFeed.items.find(({ url }) => url.endsWith('post=60'))?.files ?? [];
      assert.equal(files.length, format === 'rss' ? 1 : 2);
    });
  }

  it('render the entities of a text', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await testApp.store.putChannel(channel('1', { username: 'alpha' }));
    const text = 'bold link @name #tag secret\nquoted\ncode <x>\n\nlast';
    const part = (type: 'bold', excerpt: string, more = {}) => ({
      type,
      offset: text.indexOf(excerpt),
      length: excerpt.length,
      ...more,
    });
    const post = {
      ...message('1', 1, text).post,
      entities: [
        part('bold', 'bold'),
        { ...part('bold', 'link'), type: 'text_link' as const, url: 'https://a.example/?b&c="' },
        { ...part('bold', '@name'), type: 'mention' as const },
        { ...part('bold', '#tag'), type: 'hashtag' as const },
        { ...part('bold', 'secret'), type: 'spoiler' as const },
        { ...part('bold', 'quoted'), type: 'blockquote' as const },
        { ...part('bold', 'code <x>'), type: 'pre' as const, language: 'html' },
      ],
    };
    await testApp.store.putMessages([{ ...message('1', 1, text), post }]);
    const [item] = parseJsonFeed(await read(testApp, '/feeds/alpha.json')).items ?? [];
    assert.deepEqual(item?.content_html?.split('\n'), [
      `<div dir="auto"><strong>bold</strong> <a href="https://a.example/?b&amp;c=%22">link</a> <a href="https://t.me/name">@name</a> <a href="${SITE}/channel/alpha?q=%23tag">#tag</a> <details><summary>▒▒▒</summary>secret</details></div>`,
      '<blockquote><p dir="auto">quoted</p></blockquote>',
      '<pre dir="ltr"><code class="language-html">code &lt;x&gt;</code></pre>',
      '<p dir="auto">last</p>',
    ]);
    assert.equal(item?.title, 'bold link @name #tag ▒▒▒');
    assert.deepEqual(item?.tags, ['tag']);
  });

  it('list nothing that a spoiler hides', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await testApp.store.putChannel(channel('1', { username: 'alpha' }));
    const text = 'Who did it: #butler #news';
    const media = [{ ...photo(1), name: 'butler.jpg', spoiler: true }, photo(2)];
    const entities = ['#butler', '#news'].map((tag) => ({
      type: 'hashtag' as const,
      offset: text.indexOf(tag),
      length: tag.length,
    }));
    const spoiler = { type: 'spoiler' as const, offset: text.indexOf('#butler'), length: 7 };
    const { post, ...rest } = message('1', 1, text, media);
    await testApp.store.putMessages([
      { ...rest, post: { ...post, entities: [...entities, spoiler] } },
      message('1', 2, '', [{ ...photo(3), name: 'butler.jpg', spoiler: true }]),
    ]);
    const [textless, item] = parseJsonFeed(await read(testApp, '/feeds/alpha.json')).items ?? [];
    assert.equal(item?.title, 'Who did it: ▒▒▒ #news');
    assert.deepEqual(item?.tags, ['news']);
    assert.deepEqual(
      item?.attachments?.map(({ url }) => url),
      [SITE + photo(2).src],
    );
    assert.doesNotMatch(textless?.title ?? '', /butler/);
    assert.equal(textless?.attachments, undefined);
    for (const format of ['rss', 'atom']) {
      const written = await read(testApp, `/feeds/alpha.${format}`);
      assert.doesNotMatch(written, /(?:category|enclosure|media:content|link)[^<>]*(?:butler|spoiler)/);
      const files = [...written.matchAll(/ (?:url|href)="[^"]*\/media\/([^"]*)"/g)].map(([, name]) => `/media/${name}`);
      assert.deepEqual([...new Set(files)], [photo(2).src], format);
    }
  });

  it('title a post without text by its content', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await testApp.store.putChannel(channel('1', { title: 'News' }));
    const poll = message('1', 2, '');
    await testApp.store.putMessages([
      message('1', 1, '', [photo(1)]),
      { ...poll, post: { ...poll.post, poll: { question: 'Which?', closed: false, options: [{ text: 'A <b>', votes: 3 }] } } },
      message('1', 3, '', [
        { type: 'document', messageId: 3, src: '/media/x.pdf?name=plan.pdf', name: 'plan.pdf', mime: 'application/pdf' },
      ]),
      message('1', 4, '', [{ type: 'video', messageId: 4, missing: 'too-large', name: 'long.mp4' }]),
    ]);
    const items = parseJsonFeed(await read(testApp, '/feeds/1.json')).items ?? [];
    assert.deepEqual(
      items.map(({ title }) => title),
      ['long.mp4', 'plan.pdf', 'Which?', 'News, 2023-11-14'],
    );
    assert.equal(items[0]?.content_html, '<p><a href="https://t.me/c/1/4">long.mp4</a></p>');
    assert.equal(items[0]?.attachments, undefined);
    assert.match(items[2]?.content_html ?? '', /<strong>Which\?<\/strong><\/p><ul><li dir="auto">A &lt;b&gt; \(3\)<\/li><\/ul>/);
  });

  it('contain the blocks of a rich message, with its files in their positions', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await testApp.store.putChannel(channel('1', { username: 'alpha' }));
    const richText = (text: string) => ({ text, entities: [] });
    const blocks = [
      { type: 'heading', size: 1, ...richText('Title <1>') },
      { type: 'paragraph', text: 'bold', entities: [{ type: 'bold', offset: 0, length: 4 }] },
      {
        type: 'list',
        items: [
          { label: '•', blocks: [{ type: 'paragraph', ...richText('one') }] },
          { label: '2.', checked: true, blocks: [] },
        ],
      },
      {
        type: 'table',
        rows: [[{ ...richText('a'), header: true, colspan: 2 }], [richText('b'), richText('c')]],
        caption: richText('cap'),
      },
      { type: 'media', layout: 'single', media: [0, 7], caption: richText('a picture') },
      { type: 'details', summary: richText('more'), blocks: [{ type: 'pre', language: 'c"', ...richText('x < y') }] },
      { type: 'quote', blocks: [{ type: 'divider' }], credit: richText('Ann') },
      {
        type: 'buttons',
        buttons: [
          { text: 'go', url: 'https://a.example/' },
          { text: 'bad', url: 'javascript:alert(1)' },
        ],
      },
      { type: 'hologram' },
    ];
    const rich = message('1', 1, 'Title', [photo(1)]);
    const malformed = message('1', 2, 'Torn');
    await testApp.store.putMessages([
      { ...rich, post: { ...rich.post, extra: { type: 'rich', blocks } } },
      { ...malformed, post: { ...malformed.post, extra: { type: 'rich', blocks: 'no' } } },
    ]);
    const [second, first] = parseJsonFeed(await read(testApp, '/feeds/alpha.json')).items ?? [];
    assert.equal(second?.content_html, '<p dir="auto">Torn</p>');
    const post = `${SITE}/channel/alpha?post=1`;
    assert.deepEqual(first?.content_html?.split('\n'), [
      '<h2 dir="auto">Title &lt;1&gt;</h2>',
      '<p dir="auto"><strong>bold</strong></p>',
      '<ul><li><p dir="auto">one</p></li><li>☑ </li></ul>',
      '<table><caption>cap</caption><tr><th colspan="2" dir="auto">a</th></tr><tr><td dir="auto">b</td><td dir="auto">c</td></tr></table>',
      `<figure><img src="${SITE}/media/${'a'.repeat(63)}1.jpg" width="1280" height="720" alt=""></figure><p dir="auto">a picture</p>`,
      '<details><summary>more</summary><pre dir="ltr"><code class="language-c&quot;">x &lt; y</code></pre></details>',
      '<blockquote><hr><p dir="auto">— <cite>Ann</cite></p></blockquote>',
      `<p><a href="https://a.example/">go</a> · <a href="${post}">bad</a></p>`,
      `<p><a href="${post}">hologram</a></p>`,
    ]);
  });

  it('redirect from every current and previous name of the channel', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.putChannel(channel('1', { username: 'Omega' }));
    for (const name of ['1', 'alpha', 'ALPHA', 'omega']) {
      const response = await testApp.app.inject(`/feeds/${name}.atom?limit=5`);
      assert.equal(response.statusCode, 301);
      assert.equal(response.headers.location, `${SITE}/feeds/Omega.atom?limit=5`);
    }
    const feed = parseAtomFeed(await read(testApp, '/feeds/Omega.atom?limit=5'));
    assert.equal(feed.links?.find(({ rel }) => rel === 'self')?.href, `${SITE}/feeds/Omega.atom?limit=5`);
  });

  it('use the id of a channel in the URL if its username is the name of another feed', async (t) => {
    const testApp = await makeSite(t);
    await fill(testApp.store, channel('7', { username: 'Search' }), 1);
    assert.equal(parseJsonFeed(await read(testApp, '/feeds/7.json')).feed_url, `${SITE}/feeds/7.json`);
  });

  it('are paged from the newest post to the oldest', async (t) => {
    const testApp = await makeSite(t);
    const seen: (string | undefined)[] = [];
    let url: string | undefined = '/feeds/alpha.json?limit=20';
    while (url !== undefined) {
      const page: ReturnType<typeof parseJsonFeed> = parseJsonFeed(await read(testApp, url));
      seen.push(...(page.items ?? []).map(({ title }) => title));
      url = page.next_url?.replace(SITE, '');
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 50 }, (_, at) => `Post ${50 - at} of Channel 1`),
    );
    for (const [format, links] of [
      ['rss', parseRssFeed(await read(testApp, '/feeds/alpha.rss')).atom?.links],
      ['atom', parseAtomFeed(await read(testApp, '/feeds/alpha.atom')).links],
    ] as const) {
      const next = links?.find(({ rel }) => rel === 'next')?.href ?? '';
      const [first] = await readItems(testApp, next.replace(SITE, '').replace(`.${format}`, ''), format);
      assert.equal(first?.title, 'Post 20 of Channel 1');
    }
  });

  it('are not found for a channel that is private, a demo, reader-added, unpublished or unknown', async (t) => {
    const testApp = await makeSite(t, { OPERATOR_IDS: '7' });
    await fill(testApp.store, channel('5', { demo: true }), 1);
    await fill(testApp.store, channel('f-1', { elsewhere: true, source: 'feed' }), 1);
    await fill(testApp.store, channel('6'), 1);
    await testApp.store.setSoftDeleted('6', true);
    for (const name of ['9', 'secret', '5', 'f-1', '6', 'nobody']) {
      for (const format of FORMATS) {
        const response = await testApp.app.inject(`/feeds/${name}.${format}`);
        assert.equal(response.statusCode, 404);
        assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
        assert.doesNotMatch(response.body, /Channel \w|Post/);
      }
      assert.equal((await testApp.app.inject(`/feeds/line-up.rss?channels=${name}`)).statusCode, 404);
      assert.equal((await testApp.app.inject(`/feeds/search.rss?q=post&channels=${name}`)).statusCode, 404);
    }
    for (const url of ['/feeds/line-up.json?limit=100', '/feeds/search.json?q=post&limit=100', '/feeds/network.opml']) {
      assert.doesNotMatch(await read(testApp, url), /Channel (9|5|f-1|6)\b/);
    }
  });
});

describe('the feeds of a line-up and of a search', () => {
  it('contain the requested channels in one order, whatever order the URL has, and name the channel of each post', async (t) => {
    const testApp = await makeSite(t);
    const one = parseAtomFeed(await read(testApp, '/feeds/line-up.atom?channels=alpha,2&limit=100'));
    const other = parseAtomFeed(await read(testApp, '/feeds/line-up.atom?channels=@2,%201,alpha,nobody,secret&limit=100'));
    assert.deepEqual(other, one);
    assert.equal(one.links?.find(({ rel }) => rel === 'self')?.href, `${SITE}/feeds/line-up.atom?channels=2%2Calpha&limit=100`);
    assert.equal(one.entries?.length, 55);
    assert.equal(one.title?.value, 'City: Channel 2, Channel 1');
    const [first] = one.entries ?? [];
    assert.equal(first?.source?.title?.value, 'Channel 1');
    assert.equal(first?.source?.links?.[0]?.href, `${SITE}/feeds/alpha.atom`);
    const own = parseAtomFeed(await read(testApp, '/feeds/alpha.atom'));
    assert.equal(own.id, first?.source?.id);
    assert.equal(own.entries?.[0]?.source, undefined);
    assert.notEqual(own.id, one.id);
  });

  it('contain all channels if the request names none', async (t) => {
    const testApp = await makeSite(t);
    const feed = parseRssFeed(await read(testApp, '/feeds/line-up.rss?limit=100'));
    assert.equal(feed.items?.length, 55);
    assert.equal(feed.title, 'City');
    assert.equal(feed.link, `${SITE}/main`);
  });

  it('return the same posts as the search of the API', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.putMessages([message('2', 9, 'The bridge opens', [photo(9)])]);
    const feed = parseJsonFeed(await read(testApp, '/feeds/search.json?q=bridges'));
    assert.deepEqual(
      feed.items?.map(({ title }) => title),
      ['The bridge opens'],
    );
    assert.equal(feed.title, '“bridges” · City');
    assert.equal(feed.home_page_url, `${SITE}/main?search=bridges`);
    assert.equal(parseJsonFeed(await read(testApp, '/feeds/search.json?media=photo')).items?.length, 1);
    const paged = parseJsonFeed(await read(testApp, '/feeds/search.json?q=post&channels=1,2&limit=20'));
    assert.match(paged.next_url ?? '', /\/feeds\/search\.json\?q=post&channels=2%2Calpha&limit=20&before=/);
    assert.equal((await testApp.app.inject('/feeds/search.rss')).statusCode, 400);
    assert.equal((await testApp.app.inject('/feeds/search.rss?q=x&before=wrong')).statusCode, 400);
  });

  it('of all channels read the same posts as a list of them, but only the channels of these posts', async (t) => {
    const testApp = await makeSite(t);
    const { channelPage } = testApp.store;
    let pages = 0;
    testApp.store.channelPage = (...query) => {
      pages += 1;
      return channelPage(...query);
    };
    const idsOf = (items: readonly ItemContent[]) => items.map(({ id }) => id);
    const listed = idsOf(await readItems(testApp, '/feeds/line-up?channels=1,2&limit=100', 'json'));
    assert.equal(listed.length, 55);
    assert.deepEqual(idsOf(await readItems(testApp, '/feeds/line-up?limit=100', 'json')), listed);
    assert.deepEqual(idsOf(await readItems(testApp, '/feeds/search?q=post&limit=100', 'json')).sort(), listed.toSorted());
    assert.equal(pages, 0);
    await fill(testApp.store, channel('5', { demo: true }), 3);
    assert.deepEqual(idsOf(await readItems(testApp, '/feeds/line-up?limit=100', 'json')), listed);
  });

  it('are all listed in a network.opml, also hundreds', async (t) => {
    const testApp = await makeSite(t);
    for (let id = 1000; id < 1450; id += 1) await testApp.store.putChannel(channel(String(id)));
    const { body } = parseOpml(await read(testApp, '/feeds/network.opml'));
    const titles = body?.outlines?.[0]?.outlines?.map(({ text }) => text);
    assert.deepEqual(
      titles,
      ['1', '2', ...Array.from({ length: 450 }, (_, at) => 1000 + at)].map((id) => `Channel ${id}`),
    );
  });

  it('are all listed in a network.opml', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.putChannel(channel('1', { title: 'A & <B>', about: 'x "y"' }));
    const { head, body } = parseOpml(await read(testApp, '/feeds/network.opml'));
    assert.equal(head?.title, 'City');
    assert.deepEqual(
      body?.outlines?.[0]?.outlines?.map(({ text, type, xmlUrl, htmlUrl }) => ({ text, type, xmlUrl, htmlUrl })),
      [
        { text: 'A & <B>', type: 'rss', xmlUrl: `${SITE}/feeds/alpha.rss`, htmlUrl: `${SITE}/channel/alpha` },
        { text: 'Channel 2', type: 'rss', xmlUrl: `${SITE}/feeds/2.rss`, htmlUrl: `${SITE}/channel/2` },
      ],
    );
  });

  it('include every feed that the OPML export of a reader lists', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.putChannel(channel('3', { username: 'search' }));
    const channels = await testApp.store.channels({ privateChannels: [] });
    const entries = channels.map(({ id: channelId }) => ({ channelId }));
    const text = writeLineup({
      ...{ title: 'Mine', createdAt: new Date(0), presets: [] },
      rows: toLineupRows(channels, { entries }, new Map(), 0),
      origin: SITE,
      pagePath: (row) => channelPath(row.channel),
    });
    const outlines = parseOpml(text).body?.outlines ?? [];
    const feeds = outlines.flatMap(({ xmlUrl }) => (xmlUrl === undefined ? [] : xmlUrl));
    assert.ok(feeds.includes(`${SITE}/feeds/3.rss`));
    assert.deepEqual(feeds.length, channels.filter(isPublished).length);
    for (const feed of feeds) assert.match(await read(testApp, feed.slice(SITE.length)), /<rss/);
  });

  it('are valid if the site has no channels', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    assert.deepEqual(await readItems(testApp, '/feeds/line-up', 'rss'), []);
    assert.match(await read(testApp, '/feeds/network.opml'), /<outline text="Channel Changer"/);
  });
});

describe('published responses', () => {
  it('may be cached for a minute, and are then revalidated', async (t) => {
    const testApp = await makeSite(t);
    for (const format of FORMATS) {
      const url = `/feeds/alpha.${format}`;
      const { headers } = await testApp.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
      assert.equal(headers['cache-control'], 'public, max-age=60, s-maxage=30, stale-while-revalidate=60');
      assert.equal(headers['content-encoding'], 'br');
      assert.equal(headers.vary, 'Accept-Encoding, Origin');
      const etag = String(headers.etag);
      const since = String(headers['last-modified']);
      const again = (conditions: Record<string, string>) => testApp.app.inject({ url, headers: conditions });
      assert.equal((await again({ 'if-none-match': etag })).statusCode, 304);
      assert.equal((await again({ 'if-modified-since': since })).statusCode, 304);
      assert.equal((await again({ 'if-none-match': '"other"', 'if-modified-since': since })).statusCode, 200);
      await testApp.store.hidePost('1', 50, 1);
      assert.equal((await again({ 'if-none-match': etag })).statusCode, 200);
      assert.equal((await again({ 'if-modified-since': since })).statusCode, 200);
      await testApp.store.hidePost('1', 50, null);
    }
  });

  it('can be read by the pages that may embed', async (t) => {
    const origin = 'https://a.example';
    const limited = await makeSite(t, { EMBED_ORIGINS: origin });
    const statusFor = async (testApp: TestApp, headers: Record<string, string>) =>
      (await testApp.app.inject({ url: '/feeds/alpha.json', headers })).statusCode;
    assert.equal(await statusFor(limited, { origin }), 200);
    assert.equal(await statusFor(limited, {}), 200);
    assert.equal(await statusFor(limited, { origin: 'https://b.example' }), 403);
    assert.equal(await statusFor(await makeSite(t), { origin: 'https://b.example' }), 200);
  });

  it('answer a HEAD request, and are gzipped if the client accepts it', async (t) => {
    const testApp = await makeSite(t);
    const head = await testApp.app.inject({ method: 'HEAD', url: '/feeds/alpha.rss' });
    assert.equal(head.statusCode, 200);
    assert.equal(head.body, '');
    assert.ok(Number(head.headers['content-length']) > 1000);
    const gzipped = await testApp.app.inject({ url: '/feeds/alpha.rss', headers: { 'accept-encoding': 'gzip' } });
    assert.equal(gzipped.headers['content-encoding'], 'gzip');
  });

  it('link to the requested host if no public URL is set, and reject an invalid host', async (t) => {
    const testApp = await withChannels(t);
    const requestFrom = (host: string) => testApp.app.inject({ url: '/feeds/alpha.json', headers: { host } });
    assert.equal(
      parseJsonFeed((await requestFrom('news.example:8080')).json()).feed_url,
      'http://news.example:8080/feeds/alpha.json',
    );
    for (const host of ['my_server:8080', '[::1]:8080', '10.0.0.1'])
      assert.equal(parseJsonFeed((await requestFrom(host)).json()).feed_url, `http://${host}/feeds/alpha.json`);
    for (const host of ['evil.example/path', 'a"b', 'a b', '<x>']) assert.equal((await requestFrom(host)).statusCode, 400);
  });

  it('are the same for every client: a token changes nothing', async (t) => {
    const testApp = await makeSite(t, { OPERATOR_IDS: '7' });
    const response = await testApp.app.inject({ url: '/feeds/secret.rss', headers: { 'access-token': 'whatever' } });
    assert.equal(response.statusCode, 404);
  });
});
