// oEmbed: posts and channels as tags, in JSON and XML.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Media } from '../../../contract/post.ts';
import { channel, fill, makeApp, makeDist, message, type TestApp, withChannels } from '../support/make-app.ts';

const SITE = 'https://channels.example';
const HASH = 'b'.repeat(64);

const makeSite = (t: TestContext): Promise<TestApp> => withChannels(t, { PUBLIC_URL: SITE, BRAND_NAME: 'City' });

const requestOembed = (testApp: TestApp, query: Record<string, string>) =>
  testApp.app.inject(`/oembed?${new URLSearchParams(query)}`);

async function embed(testApp: TestApp, page: string, query: Record<string, string> = {}) {
  const response = await requestOembed(testApp, { url: SITE + page, ...query });
  assert.equal(response.statusCode, 200, response.body);
  return response.json();
}

const picture: Media = { type: 'photo', messageId: 60, src: `/media/${HASH}.jpg`, width: 1280, height: 960, mime: 'image/jpeg' };

describe('GET /oembed', () => {
  it('returns a post as its tag, with the content of the post inside', async (t) => {
    const testApp = await makeSite(t);
    const response = await embed(testApp, '/channel/alpha?post=7&utm_source=x');
    const { html, ...rest } = response;
    assert.deepEqual(rest, {
      ...{ type: 'rich', version: '1.0', title: 'Post 7 of Channel 1' },
      ...{ author_name: 'Channel 1', author_url: `${SITE}/channel/alpha`, provider_name: 'City', provider_url: `${SITE}/` },
      ...{ cache_age: 3600, width: 600, height: rest.height },
    });
    assert.ok(rest.height > 100 && rest.height < 1000);
    assert.equal(
      html,
      `<changer-post channel-id="1" post-id="7"><blockquote cite="${SITE}/channel/alpha?post=7"><p dir="auto">Post 7 of Channel 1</p>` +
        `<p>— <a href="${SITE}/channel/alpha">Channel 1</a>, <a href="${SITE}/channel/alpha?post=7"><time datetime="2023-11-14T22:20:20.000Z">2023-11-14</time></a></p></blockquote></changer-post>`,
    );
  });

  it('returns a channel as its tag, with its newest posts inside, for any of its names', async (t) => {
    const testApp = await makeSite(t);
    const response = await embed(testApp, '/channel/1');
    assert.equal(response.title, 'Channel 1');
    assert.match(response.html, /^<changer-channel channel-id="1" limit="5"><blockquote /);
    assert.deepEqual(
      [...response.html.matchAll(/Post (\d+) of/g)].map(([, id]) => id),
      ['50', '49', '48', '47', '46'],
    );
    await testApp.store.putChannel(channel('3', { title: 'Empty' }));
    assert.match((await embed(testApp, '/channel/3')).html, /<a href="[^"]*\/channel\/3">Empty<\/a><\/changer-channel>/);
  });

  it('includes the script of the tag if the site has it', async (t) => {
    const dist = makeDist(t);
    for (const tag of ['changer-post', 'changer-channel']) {
      mkdirSync(path.join(dist, 'web/elements'), { recursive: true });
      writeFileSync(path.join(dist, `web/elements/${tag}.js`), '');
    }
    const testApp = await makeApp(t, { PUBLIC_URL: SITE }, dist);
    await fill(testApp.store, channel('1'), 1);
    for (const [page, tag] of [
      ['/channel/1?post=1', 'changer-post'],
      ['/channel/1', 'changer-channel'],
    ] as const) {
      assert.ok(
        (await embed(testApp, page)).html.endsWith(`</${tag}><script type="module" src="${SITE}/elements/${tag}.js"></script>`),
      );
    }
  });

  it('respects the maximum width and height', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.putMessages([message('1', 60, 'With a picture', [picture])]);
    const sized = async (query: Record<string, string>) => {
      const { width, height, thumbnail_url, thumbnail_width, thumbnail_height } = await embed(
        testApp,
        '/channel/alpha?post=60',
        query,
      );
      return { width, low: height <= Number(query.maxheight ?? 2000), thumbnail_url, thumbnail_width, thumbnail_height };
    };
    const thumbnail = (name: string, width: number, height: number) => ({
      ...{ thumbnail_url: `${SITE}/media/${name}`, thumbnail_width: width, thumbnail_height: height },
    });
    assert.deepEqual(await sized({}), { width: 600, low: true, ...thumbnail(`${HASH}.w320.webp`, 320, 240) });
    assert.deepEqual(await sized({ maxwidth: '2000' }), { width: 600, low: true, ...thumbnail(`${HASH}.jpg`, 1280, 960) });
    assert.deepEqual(await sized({ maxwidth: '400', maxheight: '250' }), {
      ...{ width: 400, low: true },
      ...thumbnail(`${HASH}.w320.webp`, 320, 240),
    });
    const narrow = await sized({ maxwidth: '200', maxheight: '100' });
    assert.deepEqual([narrow.width, narrow.low, narrow.thumbnail_url], [200, true, undefined]);
  });

  it('uses the smaller size of a WebP picture', async (t) => {
    const testApp = await makeSite(t);
    const src = `/media/${HASH}.webp`;
    await testApp.store.putMessages([message('1', 60, 'With a picture', [{ ...picture, src, mime: 'image/webp' }])]);
    const { thumbnail_url, thumbnail_width, thumbnail_height } = await embed(testApp, '/channel/alpha?post=60');
    assert.deepEqual([thumbnail_url, thumbnail_width, thumbnail_height], [`${SITE}/media/${HASH}.w320.webp`, 320, 240]);
  });

  it('escapes all texts, and shows no spoiler text', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.putChannel(channel('2', { title: '<b>"Two" & co</b>' }));
    const hostile = message('2', 9, '</changer-post><script>alert(1)</script> secret \u0000');
    const spoiler = { type: 'spoiler' as const, offset: hostile.post.text.indexOf('secret'), length: 6 };
    await testApp.store.putMessages([{ ...hostile, post: { ...hostile.post, entities: [spoiler] } }]);
    const { html, title } = await embed(testApp, '/channel/2?post=9');
    assert.doesNotMatch(html, /<script|<b>|secret|[^\P{Cc}\n]/u);
    assert.match(html, /&lt;\/changer-post&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; ▒▒▒/);
    assert.doesNotMatch(title, /secret/);
    const xml = (await requestOembed(testApp, { url: `${SITE}/channel/2?post=9`, format: 'xml' })).body;
    assert.match(xml, /<author_name>&lt;b&gt;&quot;Two&quot; &amp; co&lt;\/b&gt;<\/author_name>/);
    assert.doesNotMatch(xml, /<script|<blockquote|[^\P{Cc}\n]/u);
  });

  it('returns the same data as XML', async (t) => {
    const testApp = await makeSite(t);
    const json = await embed(testApp, '/channel/alpha?post=7');
    const response = await requestOembed(testApp, { url: `${SITE}/channel/alpha?post=7`, format: 'xml' });
    assert.equal(response.headers['content-type'], 'text/xml; charset=utf-8');
    for (const [name, value] of Object.entries(json)) {
      const [, escaped = ''] = new RegExp(`<${name}>(.*)</${name}>`, 's').exec(response.body) ?? [];
      const text = escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      assert.equal(text, String(value));
    }
  });

  it('finds no private or hidden data, and no pages of other sites', async (t) => {
    const testApp = await makeSite(t);
    await fill(testApp.store, channel('f-1', { elsewhere: true, source: 'feed' }), 1);
    await testApp.store.hidePost('1', 7, 1);
    const bodies = new Set<string>();
    for (const url of [
      ...['/channel/9', '/channel/secret?post=1', '/channel/nobody', '/channel/f-1', '/channel/alpha?post=7', '/main', '/x'].map(
        (page) => SITE + page,
      ),
      'https://other.example/channel/alpha',
      'ftp://channels.example/channel/alpha',
      'nonsense',
      `${SITE}/channel/%E0%A4%A`,
    ]) {
      const response = await requestOembed(testApp, { url });
      assert.equal(response.statusCode, 404, url);
      bodies.add(JSON.stringify({ ...response.json(), requestId: '' }));
    }
    assert.equal(bodies.size, 1);
  });

  it('embeds a demo channel, so that it can be tried out', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await fill(testApp.store, channel('5', { demo: true }), 1);
    assert.equal((await embed(testApp, '/channel/5?post=1')).title, 'Post 1 of Channel 5');
  });

  it('rejects another format, and a missing or invalid parameter', async (t) => {
    const testApp = await makeSite(t);
    assert.equal((await requestOembed(testApp, { url: `${SITE}/channel/alpha`, format: 'yaml' })).statusCode, 501);
    assert.equal((await testApp.app.inject('/oembed')).statusCode, 400);
    assert.equal((await requestOembed(testApp, { url: `${SITE}/channel/alpha`, maxwidth: 'wide' })).statusCode, 400);
  });

  it('can be requested by any page, even if few may embed', async (t) => {
    const testApp = await withChannels(t, { PUBLIC_URL: SITE, EMBED_ORIGINS: 'https://a.example' });
    const url = `/oembed?${new URLSearchParams({ url: `${SITE}/channel/alpha` })}`;
    const response = await testApp.app.inject({ url, headers: { origin: 'https://editor.example' } });
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.equal(
      (await testApp.app.inject({ url, headers: { 'if-none-match': String(response.headers.etag) } })).statusCode,
      304,
    );
  });
});
