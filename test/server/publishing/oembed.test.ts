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

const ask = (made: TestApp, asked: Record<string, string>) => made.app.inject(`/oembed?${new URLSearchParams(asked)}`);

async function embed(made: TestApp, page: string, asked: Record<string, string> = {}) {
  const answer = await ask(made, { url: SITE + page, ...asked });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}

const picture: Media = { type: 'photo', messageId: 60, src: `/media/${HASH}.jpg`, width: 1280, height: 960, mime: 'image/jpeg' };

describe('GET /oembed', () => {
  it('returns a post as its tag, with the content of the post inside', async (t) => {
    const made = await makeSite(t);
    const answer = await embed(made, '/channel/alpha?post=7&utm_source=x');
    const { html, ...rest } = answer;
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
    const made = await makeSite(t);
    const answer = await embed(made, '/channel/1');
    assert.equal(answer.title, 'Channel 1');
    assert.match(answer.html, /^<changer-channel channel-id="1" limit="5"><blockquote /);
    assert.deepEqual(
      [...answer.html.matchAll(/Post (\d+) of/g)].map(([, id]) => id),
      ['50', '49', '48', '47', '46'],
    );
    await made.store.putChannel(channel('3', { title: 'Empty' }));
    assert.match((await embed(made, '/channel/3')).html, /<a href="[^"]*\/channel\/3">Empty<\/a><\/changer-channel>/);
  });

  it('includes the script of the tag if the site has it', async (t) => {
    const dist = makeDist(t);
    for (const tag of ['changer-post', 'changer-channel']) {
      mkdirSync(path.join(dist, 'web/elements'), { recursive: true });
      writeFileSync(path.join(dist, `web/elements/${tag}.js`), '');
    }
    const made = await makeApp(t, { PUBLIC_URL: SITE }, dist);
    await fill(made.store, channel('1'), 1);
    for (const [page, tag] of [
      ['/channel/1?post=1', 'changer-post'],
      ['/channel/1', 'changer-channel'],
    ] as const) {
      assert.ok(
        (await embed(made, page)).html.endsWith(`</${tag}><script type="module" src="${SITE}/elements/${tag}.js"></script>`),
      );
    }
  });

  it('respects the maximum width and height', async (t) => {
    const made = await makeSite(t);
    await made.store.putMessages([message('1', 60, 'With a picture', [picture])]);
    const sized = async (asked: Record<string, string>) => {
      const { width, height, thumbnail_url, thumbnail_width, thumbnail_height } = await embed(
        made,
        '/channel/alpha?post=60',
        asked,
      );
      return { width, low: height <= Number(asked.maxheight ?? 2000), thumbnail_url, thumbnail_width, thumbnail_height };
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

  it('escapes all texts, and shows no spoiler text', async (t) => {
    const made = await makeSite(t);
    await made.store.putChannel(channel('2', { title: '<b>"Two" & co</b>' }));
    const said = message('2', 9, '</changer-post><script>alert(1)</script> secret \u0000');
    const spoiler = { type: 'spoiler' as const, offset: said.post.text.indexOf('secret'), length: 6 };
    await made.store.putMessages([{ ...said, post: { ...said.post, entities: [spoiler] } }]);
    const { html, title } = await embed(made, '/channel/2?post=9');
    assert.doesNotMatch(html, /<script|<b>|secret|[^\P{Cc}\n]/u);
    assert.match(html, /&lt;\/changer-post&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; ▒▒▒/);
    assert.doesNotMatch(title, /secret/);
    const xml = (await ask(made, { url: `${SITE}/channel/2?post=9`, format: 'xml' })).body;
    assert.match(xml, /<author_name>&lt;b&gt;&quot;Two&quot; &amp; co&lt;\/b&gt;<\/author_name>/);
    assert.doesNotMatch(xml, /<script|<blockquote|[^\P{Cc}\n]/u);
  });

  it('returns the same data as XML', async (t) => {
    const made = await makeSite(t);
    const json = await embed(made, '/channel/alpha?post=7');
    const answer = await ask(made, { url: `${SITE}/channel/alpha?post=7`, format: 'xml' });
    assert.equal(answer.headers['content-type'], 'text/xml; charset=utf-8');
    for (const [name, value] of Object.entries(json)) {
      const [, said = ''] = new RegExp(`<${name}>(.*)</${name}>`, 's').exec(answer.body) ?? [];
      const text = said.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      assert.equal(text, String(value));
    }
  });

  it('finds no private or hidden data, and no pages of other sites', async (t) => {
    const made = await makeSite(t);
    await fill(made.store, channel('f-1', { elsewhere: true, source: 'feed' }), 1);
    await made.store.hidePost('1', 7, 1);
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
      const answer = await ask(made, { url });
      assert.equal(answer.statusCode, 404, url);
      bodies.add(JSON.stringify({ ...answer.json(), requestId: '' }));
    }
    assert.equal(bodies.size, 1);
  });

  it('embeds a demo channel, so that it can be tried out', async (t) => {
    const made = await makeApp(t, { PUBLIC_URL: SITE });
    await fill(made.store, channel('5', { demo: true }), 1);
    assert.equal((await embed(made, '/channel/5?post=1')).title, 'Post 1 of Channel 5');
  });

  it('rejects another format, and a missing or invalid parameter', async (t) => {
    const made = await makeSite(t);
    assert.equal((await ask(made, { url: `${SITE}/channel/alpha`, format: 'yaml' })).statusCode, 501);
    assert.equal((await made.app.inject('/oembed')).statusCode, 400);
    assert.equal((await ask(made, { url: `${SITE}/channel/alpha`, maxwidth: 'wide' })).statusCode, 400);
  });

  it('can be requested by any page, even if few may embed', async (t) => {
    const made = await withChannels(t, { PUBLIC_URL: SITE, EMBED_ORIGINS: 'https://a.example' });
    const url = `/oembed?${new URLSearchParams({ url: `${SITE}/channel/alpha` })}`;
    const answer = await made.app.inject({ url, headers: { origin: 'https://editor.example' } });
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal((await made.app.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } })).statusCode, 304);
  });
});
