// Static files: the shell, the built files, and the assets of a previous build.

import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createRetainedFile, readRetainedAsset, retainAssets } from '../../../server/web/retained-files.ts';
import { readBuiltApp } from '../../../server/web/web-app.ts';
import { INLINE_HASH, makeApp, makeDist, makeFolder } from '../support/make-app.ts';

describe('the shell', () => {
  it('is the response for every page URL', async (t) => {
    const { app } = await makeApp(t);
    for (const url of [
      '/',
      '/main',
      '/main/',
      '/main?show=unread',
      '/changer',
      '/test',
      '/channel/city',
      '/channel/1?post=3',
      '/webapp/close',
    ]) {
      const response = await app.inject(url);
      assert.equal(response.statusCode, 200, url);
      assert.match(response.body, /id="q-app"/);
      assert.equal(response.headers['cache-control'], 'no-cache');
    }
  });

  it('is returned with 404 for every other URL, also for a malformed escape', async (t) => {
    const { app } = await makeApp(t);
    const urls = [
      '/nothing',
      '/channel',
      '/channel/a/b',
      '/webapp',
      '/MAIN',
      '/%E0%A4%A',
      '/channel/%E0%A4%A',
      '/main%',
      '/a%00',
      '/apis',
      '//x',
    ];
    for (const url of urls) {
      const response = await app.inject(url);
      assert.equal(response.statusCode, 404, url);
      assert.match(response.body, /id="q-app"/, url);
      assert.match(String(response.headers['content-security-policy']), /script-src 'self'/);
    }
  });

  it('loads the chunks of the page in parallel with those of the app', async (t) => {
    const { app } = await makeApp(t);
    const link = async (url: string) => (await app.inject(url)).headers.link;
    const feed = '</assets/feed-1.js>; rel=modulepreload, </assets/posts-1.js>; rel=modulepreload';
    assert.deepEqual([await link('/'), await link('/main?show=unread')], [feed, feed]);
    assert.equal(await link('/nothing'), '</assets/lost-1.js>; rel=modulepreload');
    assert.equal(await link('/changer'), undefined);
  });

  it('has the escaped branding in its head', async (t) => {
    const { app } = await makeApp(t, {
      BRAND_NAME: `City & "News" </title><script>`,
      BRAND_COLOR: '#AA0011',
      BOT_APP: 'https://t.me/city_bot/app',
    });
    const { body } = await app.inject('/main');
    assert.match(body, /<title>City &amp; &quot;News&quot; &lt;\/title&gt;&lt;script&gt;<\/title>/);
    assert.match(body, /<meta name="theme-color" content="#aa0011">/);
    const content = /name="changer-brand" content="([^"]+)"/.exec(body)?.[1]?.replaceAll('&quot;', '"').replaceAll('&lt;', '<');
    const brand = JSON.parse(content?.replaceAll('&gt;', '>').replaceAll('&amp;', '&') ?? '');
    assert.deepEqual(brand, { name: `City & "News" </title><script>`, color: '#aa0011', botApp: 'https://t.me/city_bot/app' });
  });

  it('omits the colour if it is the default of the product, because nothing must be corrected', async (t) => {
    const { body } = await (await makeApp(t, { BRAND_COLOR: '#3A5BD9' })).app.inject('/main');
    assert.match(body, /<meta name="theme-color" content="#3a5bd9">/);
    assert.match(body, /&quot;color&quot;:null/);
  });

  it('allows only its own scripts, and frames only by itself and Telegram', async (t) => {
    const { headers } = await (await makeApp(t)).app.inject('/main');
    const policy = String(headers['content-security-policy']);
    for (const line of [`script-src 'self' '${INLINE_HASH}'`, "default-src 'none'", "base-uri 'none'", "connect-src 'self'"]) {
      assert.ok(policy.split('; ').includes(line), line);
    }
    assert.ok(policy.includes("frame-ancestors 'self' https://web.telegram.org"));
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(headers['x-frame-options'], undefined);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
  });

  it('lies, immutable and with the same policy, where the worker is told to take it from', async (t) => {
    const { app } = await makeApp(t);
    const worker = await app.inject('/sw.js');
    assert.equal(worker.headers['cache-control'], 'no-cache');
    const address = /"(\/assets\/shell-[0-9a-f]{16}\.html)"/.exec(worker.body)?.[1];
    const [copy, shell] = [await app.inject(String(address)), await app.inject('/main')];
    assert.equal(copy.body, shell.body);
    assert.match(String(copy.headers['cache-control']), /immutable/);
    assert.equal(copy.headers['content-security-policy'], shell.headers['content-security-policy']);
  });

  it('returns an error if the app was not built', async (t) => {
    const { app } = await makeApp(t, {}, makeFolder(t));
    assert.match((await app.inject('/main')).body, /npm run build/);
  });
});

describe('built files', () => {
  it('are immutable under /assets, and are revalidated elsewhere', async (t) => {
    const { app } = await makeApp(t);
    assert.equal((await app.inject('/assets/app-AAAA1111.js')).headers['cache-control'], 'public, max-age=31536000, immutable');
    const stub = await app.inject('/elements/changer-feed.js');
    assert.equal(stub.headers['cache-control'], 'no-cache');
    assert.match(String(stub.headers['content-type']), /^text\/javascript/);
    const again = await app.inject({ url: '/elements/changer-feed.js', headers: { 'if-none-match': String(stub.headers.etag) } });
    assert.equal(again.statusCode, 304);
  });

  it('are compressed, and decompress to the original bytes', async (t) => {
    const { app } = await makeApp(t);
    const get = (encoding: string) => app.inject({ url: '/assets/app-AAAA1111.js', headers: { 'accept-encoding': encoding } });
    const original = (await get('identity')).rawPayload;
    const brotli = await get('gzip, deflate, br');
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.deepEqual(brotliDecompressSync(brotli.rawPayload), original);
    assert.deepEqual(gunzipSync((await get('br;q=0, gzip')).rawPayload), original);
  });

  it('return a problem and not the shell if they are missing', async (t) => {
    const { app } = await makeApp(t);
    for (const url of ['/assets/gone-1.js', '/elements/changer-gone.js', '/assets/..%2f..%2fbuild.json']) {
      const response = await app.inject(url);
      assert.equal(response.statusCode, 404);
      assert.match(String(response.headers['content-type']), /problem\+json/);
    }
  });

  it('include a manifest with the branding', async (t) => {
    const { app } = await makeApp(t, { BRAND_NAME: 'City Channels', BRAND_COLOR: '#112233' });
    const response = await app.inject('/manifest.webmanifest');
    assert.match(String(response.headers['content-type']), /^application\/manifest\+json/);
    const { name, short_name, theme_color, start_url } = response.json();
    assert.deepEqual([name, short_name, theme_color, start_url], ['City Channels', 'City Channels', '#112233', '/main']);
  });
});

describe('the assets of a previous build', () => {
  it('are served for seven days after a start without them, however long the server ran before', async (t) => {
    const testApp = await makeApp(t);
    const [dist, day] = [makeDist(t), 86_400_000];
    const start = (at: number) => retainAssets(readBuiltApp(dist), testApp.store, at);
    await start(0);
    renameSync(path.join(dist, 'web/assets/app-AAAA1111.js'), path.join(dist, 'web/assets/app-BBBB2222.js'));
    await start(100 * day);
    assert.match(String((await readRetainedAsset('/assets/app-AAAA1111.js', testApp.store))?.body), /aaa/);
    await start(106 * day);
    assert.ok(await readRetainedAsset('/assets/app-AAAA1111.js', testApp.store));
    await start(108 * day);
    assert.equal(await readRetainedAsset('/assets/app-AAAA1111.js', testApp.store), null);
    assert.ok(await readRetainedAsset('/assets/app-BBBB2222.js', testApp.store));
  });

  it('are served for seven days each, however many builds have followed', async (t) => {
    const testApp = await makeApp(t);
    const [dist, day] = [makeDist(t), 86_400_000];
    const assetPath = (build: string) => path.join(dist, `web/assets/app-${build}.js`);
    const start = (at: number) => retainAssets(readBuiltApp(dist), testApp.store, at);
    const served = async () => {
      const builds = ['AAAA1111', 'BBBB2222', 'CCCC3333'];
      const found = await Promise.all(builds.map((build) => readRetainedAsset(`/assets/app-${build}.js`, testApp.store)));
      return builds.filter((_, index) => found[index] !== null);
    };
    await start(0);
    renameSync(assetPath('AAAA1111'), assetPath('BBBB2222'));
    await start(1 * day);
    renameSync(assetPath('BBBB2222'), assetPath('CCCC3333'));
    await start(6 * day);
    assert.deepEqual(await served(), ['AAAA1111', 'BBBB2222', 'CCCC3333']);
    await start(9 * day);
    assert.deepEqual(await served(), ['BBBB2222', 'CCCC3333']);
    await start(14 * day);
    assert.deepEqual(await served(), ['CCCC3333']);
  });

  it('are served under their own address', async (t) => {
    const testApp = await makeApp(t);
    await testApp.store.putRetainedFiles([createRetainedFile('/assets/old-CCCC3333.js', Buffer.from('old'), 0)]);
    const response = await testApp.app.inject('/assets/old-CCCC3333.js');
    assert.deepEqual([response.statusCode, response.body], [200, 'old']);
    assert.match(String(response.headers['cache-control']), /immutable/);
    for (const url of ['/assets/none-CCCC3333.js', '/assets/..%2fchanger.sqlite', '/assets/old-CCCC3333.js%00'])
      assert.equal((await testApp.app.inject(url)).statusCode, 404, url);
  });

  it('come back into use with a build that has them again', async (t) => {
    const testApp = await makeApp(t);
    const [dist, day] = [makeDist(t), 86_400_000];
    const start = (at: number) => retainAssets(readBuiltApp(dist), testApp.store, at);
    await start(0);
    const assetPath = path.join(dist, 'web/assets/app-AAAA1111.js');
    rmSync(assetPath);
    await start(day);
    writeFileSync(assetPath, 'again');
    await start(2 * day);
    rmSync(assetPath);
    await start(20 * day);
    assert.ok(await readRetainedAsset('/assets/app-AAAA1111.js', testApp.store));
  });
});
