// Head of a page: title, description, Open Graph and canonical link.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Media } from '../../../contract/post.ts';
import { createRenderCache } from '../../../server/publishing/pages/cache.ts';
import { readPageHead } from '../../../server/publishing/pages/head.ts';
import { channel, fill, makeApp, message, type TestApp, withChannels } from '../support/make-app.ts';

const SITE = 'https://channels.example';

const makeSite = (t: TestContext): Promise<TestApp> => withChannels(t, { PUBLIC_URL: SITE, BRAND_NAME: 'City' });

const head = ({ store, context }: TestApp, url: string) => readPageHead(url, SITE, store, context.brands.get());

async function readParsedHead(testApp: TestApp, url: string) {
  const found = await head(testApp, url);
  assert.ok(found?.exists, url);
  return { ...found, ...readElements(found.elements + found.dataBlock) };
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const decode = (text: string): string => text.replace(/&(lt|gt|quot|#39|amp);/g, (each) => ENTITIES[each] ?? each);

/** Parses elements strictly. Anything that does not match the expected form fails. */
function readElements(elements: string) {
  const meta: Record<string, string> = {};
  const links: Record<string, string>[] = [];
  const structuredData: unknown[] = [];
  const titles: string[] = [];
  const one =
    /<title>([^<>]*)<\/title>|<meta (?:name|property)="([^"<>]*)" content="([^"<>]*)">|<link((?: \w+="[^"<>]*")+)>|<script type="application\/ld\+json">([^<>&]*)<\/script>/y;
  while (one.lastIndex < elements.length) {
    const at = one.lastIndex;
    const [, title, name, content = '', link, jsonLd] =
      one.exec(elements) ?? assert.fail(`not read: ${elements.slice(at, at + 120)}`);
    if (title !== undefined) titles.push(decode(title));
    if (name !== undefined) meta[name] = decode(content);
    if (link !== undefined)
      links.push(
        Object.fromEntries([...link.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)])),
      );
    if (jsonLd !== undefined) structuredData.push(JSON.parse(jsonLd));
  }
  return { meta, links, structuredData, titles };
}

const picture: Media = { type: 'photo', messageId: 60, src: '/media/p.jpg', width: 1280, height: 960, mime: 'image/jpeg' };

describe('the head of a page', () => {
  it('describes a post', async (t) => {
    const testApp = await makeSite(t);
    const { post, ...rest } = message('1', 60, 'The bridge opens\nToday at noon.', [picture]);
    const fullPost = {
      ...post,
      edited: post.date + 60,
      author: 'Ann',
      reactions: [
        { emoji: '🔥', count: 3 },
        { emoji: '👍', count: 2 },
      ],
    };
    await testApp.store.putMessages([{ ...rest, post: fullPost, modifiedAt: post.date + 60 }]);
    const found = await readParsedHead(testApp, '/channel/1?post=60&utm_source=x');
    const url = `${SITE}/channel/alpha?post=60`;
    assert.deepEqual(found.titles, ['The bridge opens · Channel 1']);
    assert.equal(found.title, 'The bridge opens · Channel 1');
    assert.equal(found.indexable, true);
    assert.deepEqual(found.meta, {
      description: 'The bridge opens Today at noon.',
      'og:type': 'article',
      'og:title': 'The bridge opens',
      'og:description': 'The bridge opens Today at noon.',
      'og:url': url,
      'og:site_name': 'City',
      'og:image': `${SITE}/media/p.jpg`,
      'og:image:width': '1280',
      'og:image:height': '960',
      'og:image:alt': 'The bridge opens',
      'article:published_time': '2023-11-14T23:13:20.000Z',
      'article:modified_time': '2023-11-14T23:14:20.000Z',
      'article:author': `${SITE}/channel/alpha`,
      'twitter:card': 'summary_large_image',
    });
    const author = {
      '@type': 'Organization',
      '@id': `${SITE}/channel/alpha#channel`,
      name: 'Channel 1',
      url: `${SITE}/channel/alpha`,
    };
    assert.deepEqual(found.structuredData, [
      {
        ...{ '@context': 'https://schema.org', '@type': 'SocialMediaPosting', '@id': url, url, mainEntityOfPage: url },
        ...{ headline: 'The bridge opens', articleBody: 'The bridge opens\nToday at noon.' },
        ...{ datePublished: '2023-11-14T23:13:20.000Z', dateModified: '2023-11-14T23:14:20.000Z' },
        author: [{ '@type': 'Person', name: 'Ann' }, author],
        image: [`${SITE}/media/p.jpg`],
        interactionStatistic: {
          ...{ '@type': 'InteractionCounter', interactionType: 'https://schema.org/LikeAction', userInteractionCount: 5 },
        },
      },
    ]);
    assert.deepEqual(found.links, [
      { rel: 'canonical', href: url },
      { rel: 'alternate', type: 'application/rss+xml', title: 'Channel 1', href: `${SITE}/feeds/alpha.rss` },
      { rel: 'alternate', type: 'application/atom+xml', title: 'Channel 1', href: `${SITE}/feeds/alpha.atom` },
      { rel: 'alternate', type: 'application/feed+json', title: 'Channel 1', href: `${SITE}/feeds/alpha.json` },
      { rel: 'alternate', type: 'application/json+oembed', href: `${SITE}/oembed?${new URLSearchParams({ url })}` },
      { rel: 'alternate', type: 'text/xml+oembed', href: `${SITE}/oembed?${new URLSearchParams({ url, format: 'xml' })}` },
    ]);
  });

  it('links only to feeds and embeds that exist', async (t) => {
    const testApp = await makeSite(t);
    for (const page of ['/main', '/channel/alpha', '/channel/alpha?post=5']) {
      const { links } = await readParsedHead(testApp, page);
      const alternates = links.filter(({ rel }) => rel === 'alternate');
      assert.equal(alternates.length, page === '/main' ? 3 : 5);
      for (const { href = '', type = '' } of alternates) {
        const response = await testApp.app.inject(href.replace(SITE, ''));
        assert.equal(response.statusCode, 200, href);
        assert.ok(String(response.headers['content-type']).startsWith(type.replace('+oembed', '')), href);
      }
    }
  });

  it('describes a channel, with its newest posts', async (t) => {
    const testApp = await makeSite(t);
    const shown = { src: '/media/c.jpg', width: 320, height: 320 };
    await testApp.store.putChannel(channel('1', { about: 'All\nabout  it', members: 70, picture: shown }));
    const { titles, meta, structuredData, indexable } = await readParsedHead(testApp, '/channel/alpha');
    assert.deepEqual(titles, ['Channel 1 · City']);
    assert.equal(indexable, true);
    assert.equal(meta.description, 'All about it');
    assert.equal(meta['og:type'], 'profile');
    assert.equal(meta['og:image'], `${SITE}/media/c.jpg`);
    assert.equal(meta['twitter:card'], 'summary');
    const [page] = JSON.parse(JSON.stringify(structuredData));
    assert.equal(page['@type'], 'ProfilePage');
    assert.equal(page.mainEntity.alternateName, '@alpha');
    assert.equal(page.mainEntity.interactionStatistic.userInteractionCount, 70);
    assert.equal(page.hasPart.length, 10);
    assert.equal(page.hasPart[0].headline, 'Post 50 of Channel 1');
    assert.equal(page.dateModified, page.hasPart[0].datePublished);
  });

  it('describes all channels, and omits counts that no source has reported', async (t) => {
    const testApp = await makeSite(t);
    for (const page of ['/', '/main', '/main?utm_source=x']) {
      const { titles, meta, links, structuredData, indexable } = await readParsedHead(testApp, page);
      assert.deepEqual(titles, ['City']);
      assert.equal(indexable, true);
      assert.equal(meta.description, 'Channel 1 · Channel 2');
      assert.equal(meta['og:image'], `${SITE}/icon-512.png`);
      assert.equal(links[0]?.href, `${SITE}/main`);
      const [all] = JSON.parse(JSON.stringify(structuredData));
      assert.equal(all['@type'], 'CollectionPage');
      assert.deepEqual(
        all.about.map(({ name }: { name: string }) => name),
        ['Channel 1', 'Channel 2'],
      );
      assert.doesNotMatch(JSON.stringify(all), /InteractionCounter/);
    }
  });

  it('excludes a search, a filter and a date from search engines', async (t) => {
    const testApp = await makeSite(t);
    for (const page of [
      '/main?search=bridge',
      '/main?show=media',
      '/channel/alpha?q=bridge',
      '/channel/alpha?media=photo',
      '/channel/alpha?date=2024-03-12',
    ]) {
      const { meta, indexable } = await readParsedHead(testApp, page);
      assert.equal(indexable, false, page);
      assert.equal(meta.robots, 'noindex');
    }
  });

  it('is the same for private, hidden and unknown pages: empty', async (t) => {
    const testApp = await makeSite(t);
    await testApp.store.hidePost('1', 7, 1);
    const heads = await Promise.all(
      ['/channel/secret', '/channel/9?post=1', '/channel/nobody', '/channel/alpha?post=7', '/channel/alpha?post=999'].map(
        (page) => head(testApp, page),
      ),
    );
    for (const found of heads) {
      assert.deepEqual(found, {
        ...{ title: 'City', exists: false, indexable: false },
        elements: '<title>City</title><meta name="robots" content="noindex">',
        dataBlock: '',
      });
    }
  });

  it('describes a demo channel or a reader-added one only on its own page', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE });
    await fill(testApp.store, channel('5', { demo: true }), 2);
    await fill(testApp.store, channel('f-1', { elsewhere: true, source: 'feed' }), 2);
    for (const page of ['/main', '/channel/5', '/channel/5?post=1', '/channel/f-1', '/channel/f-1?post=1']) {
      const { meta, structuredData, links, indexable } = await readParsedHead(testApp, page);
      assert.equal(indexable, false, page);
      assert.equal(meta.robots, 'noindex');
      assert.deepEqual(structuredData, []);
      assert.ok(links.every(({ href }) => !href?.includes('/feeds/')));
    }
    assert.doesNotMatch((await readParsedHead(testApp, '/main')).elements, /Channel (5|f-1)/);
  });

  it('is null for pages without public metadata', async (t) => {
    const testApp = await makeSite(t);
    for (const page of ['/changer', '/test', '/webapp/close', '/nowhere', '/channel/', '/channel/a/b', '/channel/%E0%A4%A']) {
      assert.equal(await head(testApp, page), null, page);
    }
  });

  it('escapes every text', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: SITE, BRAND_NAME: 'C"><script>' });
    const hostile = '</script></title><!--"><meta name="x" content="y"> & \u2028 \u0000 \ud83d \u202e turned secret';
    await testApp.store.putChannel(channel('1', { title: hostile, about: hostile }));
    const { post, ...rest } = message('1', 1, hostile, [{ ...picture, name: hostile }]);
    const spoiler = { type: 'spoiler' as const, offset: hostile.indexOf('secret'), length: 6 };
    await testApp.store.putMessages([{ ...rest, post: { ...post, author: hostile, entities: [spoiler] } }]);
    for (const page of ['/main', '/channel/1', '/channel/1?post=1']) {
      const { elements, dataBlock, structuredData, titles, meta } = await readParsedHead(testApp, page);
      assert.doesNotMatch(elements + dataBlock, /[^\P{Cc}\t\n\r]|\p{Cs}|\u2028/u);
      for (const text of [...titles, ...Object.values(meta)]) assert.doesNotMatch(text, /\u202e/);
      assert.doesNotMatch(elements, /<\/?script/);
      assert.deepEqual([dataBlock.split('<script').length, dataBlock.split('</script>').length], [2, 2]);
      assert.equal(structuredData.length, 1);
    }
    const { titles, meta, structuredData } = await readParsedHead(testApp, '/channel/1?post=1');
    assert.match(titles[0] ?? '', /turned ▒▒▒ · /);
    assert.match(meta.description ?? '', /turned ▒▒▒$/);
    const [item] = JSON.parse(JSON.stringify(structuredData));
    assert.ok(item.articleBody.startsWith('</script></title><!--"><meta name="x" content="y"> & '));
    assert.ok(item.articleBody.endsWith('turned ▒▒▒'));
  });
});

describe('the render cache', () => {
  it('renders again after a clock that was ahead is corrected', async (t) => {
    const { context, clock, store } = await makeApp(t);
    const render = createRenderCache<string>(context);
    clock.ahead = 3_600_000;
    assert.equal(await render('/main', async () => 'former'), 'former');
    await store.putChannel(channel('1'));
    [clock.ahead, clock.now] = [0, clock.now + 1000];
    assert.equal(await render('/main', async () => 'next'), 'former');
    clock.now += 1000;
    assert.equal(await render('/main', async () => 'next'), 'next');
  });

  it('passes the time of the app’s clock to the renderer', async (t) => {
    const { context, clock } = await makeApp(t);
    clock.ahead = 3_600_000;
    const render = createRenderCache<number>(context);
    assert.equal(await render('/main', async ({ at }) => at), clock.now + clock.ahead);
  });
});
