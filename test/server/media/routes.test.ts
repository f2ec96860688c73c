// Media routes: stored files, range requests, and files of private channels.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Post } from '../../../contract/post.ts';
import { channel, makeApp, message, signIn, type TestApp } from '../support/make-app.ts';

const BODY = 'abcdefghijklmnopqrstuvwxyz';

/** Stores a file and shows it in a post of the channel. */
async function storeFile({ store, dataDir }: TestApp, key: string, mime: string, channelId: string, body = BODY): Promise<void> {
  const filePath = path.join(dataDir, 'media', key.slice(0, 2), key);
  mkdirSync(path.dirname(filePath), { recursive: true });
  writeFileSync(filePath, body);
  await store.putMediaFile({ key, mime, size: body.length });
  const media = { type: 'document', messageId: 1, src: `/media/${key}`, mime, name: 'Bericht №1 "neu".pdf' } as const;
  await store.putMessages([message(channelId, 1, '', [media])]);
}

async function withFile(t: Parameters<typeof makeApp>[0], mime = 'image/png', key = 'aa11.png'): Promise<TestApp> {
  const testApp = await makeApp(t, { OPERATOR_IDS: '7' });
  await testApp.store.putChannel(channel('1'));
  await testApp.store.putChannel(channel('9', { private: true }));
  await storeFile(testApp, key, mime, '1');
  return testApp;
}

const get = ({ app }: TestApp, url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });

describe('GET /media/{key}', () => {
  it('serves a file as immutable, to any page, with a policy under which nothing runs', async (t) => {
    const response = await get(await withFile(t), '/media/aa11.png');
    assert.deepEqual([response.statusCode, response.body], [200, BODY]);
    assert.equal(response.headers['content-type'], 'image/png');
    assert.equal(response.headers['content-length'], '26');
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, s-maxage=60, immutable');
    assert.equal(response.headers['accept-ranges'], 'bytes');
    assert.equal(response.headers['x-content-type-options'], 'nosniff');
    assert.equal(response.headers['content-security-policy'], "sandbox; default-src 'none'");
    assert.equal(response.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(response.headers['access-control-allow-origin'], '*');
    assert.equal(response.headers['content-disposition'], undefined);
  });

  it('returns 304 for a matching ETag', async (t) => {
    const response = await get(await withFile(t), '/media/aa11.png', { 'if-none-match': '"aa11.png"' });
    assert.deepEqual([response.statusCode, response.body], [304, '']);
  });

  const ranges: [range: string, status: number, body: string, contentRange: string | undefined][] = [
    ['bytes=0-4', 206, 'abcde', 'bytes 0-4/26'],
    ['bytes=20-', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 206, 'xyz', 'bytes 23-25/26'],
    ['bytes=-100', 206, BODY, 'bytes 0-25/26'],
    ['bytes=20-999', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=26-', 416, '', 'bytes */26'],
    ['bytes=-0', 416, '', 'bytes */26'],
    ['bytes=5-2', 200, BODY, undefined],
    ['bytes=0-1,3-4', 200, BODY, undefined],
    ['bytes=-', 200, BODY, undefined],
    ['lines=0-1', 200, BODY, undefined],
  ];
  for (const [range, status, body, contentRange] of ranges) {
    it(`responds to the range ${range} with ${status}`, async (t) => {
      const testApp = await withFile(t);
      const response = await get(testApp, '/media/aa11.png', { range });
      assert.deepEqual([response.statusCode, response.body, response.headers['content-range']], [status, body, contentRange]);
      const head = await get(testApp, '/media/aa11.png', { range }, 'HEAD');
      assert.deepEqual([head.statusCode, head.body, head.headers['content-range']], [status, '', contentRange]);
      if (status !== 416) assert.equal(head.headers['content-length'], String(body.length));
    });
  }

  it('sends the complete file if If-Range names another version', async (t) => {
    const testApp = await withFile(t);
    const part = (ifRange: string) => get(testApp, '/media/aa11.png', { range: 'bytes=0-4', 'if-range': ifRange });
    assert.equal((await part('"other"')).statusCode, 200);
    assert.equal((await part('"aa11.png"')).statusCode, 206);
  });

  for (const mime of ['image/svg+xml', 'text/html', 'application/pdf', 'application/javascript', 'application/octet-stream']) {
    it(`serves a file only as a download if its type is ${mime}`, async (t) => {
      const { headers } = await get(await withFile(t, mime), '/media/aa11.png?name=x.html');
      assert.equal(headers['content-type'], 'application/octet-stream');
      assert.match(String(headers['content-disposition']), /^attachment; filename="x\.html"/);
    });
  }

  it('sends the file name of its post, in any script', async (t) => {
    const testApp = await withFile(t, 'application/pdf', 'aa11.pdf');
    const post: Post = (await get(testApp, '/api/posts/1/1')).json().post;
    const response = await get(testApp, String(post.media[0]?.src));
    assert.equal(
      response.headers['content-disposition'],
      `attachment; filename="Bericht _1 _neu_.pdf"; filename*=UTF-8''Bericht%20%E2%84%961%20%22neu%22.pdf`,
    );
  });

  it('quotes a hostile file name, so that it injects no header', async (t) => {
    const testApp = await withFile(t, 'application/pdf', 'aa11.pdf');
    const name = `../a\r\nset-cookie: x=1\\"\u202Egpj.exe`;
    const response = await get(testApp, `/media/aa11.pdf?name=${encodeURIComponent(name)}`);
    assert.equal(response.headers['set-cookie'], undefined);
    assert.doesNotMatch(String(response.headers['content-disposition']), /[\r\n\\]|%0D|%0A|%E2%80%AE|\//);
  });

  it('returns 404 for an unknown file, whatever path the URL contains', async (t) => {
    const testApp = await withFile(t);
    writeFileSync(path.join(testApp.dataDir, 'secret.txt'), 'secret');
    const urls = [
      'nothing.png',
      '%2e%2e%2fsecret.txt',
      '..%2f..%2fsecret.txt',
      'aa%2faa11.png',
      '%00',
      'a'.repeat(300),
      'aa11.png%00',
    ];
    for (const key of urls) {
      const response = await get(testApp, `/media/${key}`);
      assert.ok([404, 400, 414].includes(response.statusCode), `${key}: ${response.statusCode}`);
      assert.doesNotMatch(response.body, /^secret|abcdef/);
    }
  });

  it('returns 404 for a file that is missing on the disk', async (t) => {
    const testApp = await withFile(t);
    await testApp.store.putMediaFile({ key: 'bb22.png', mime: 'image/png', size: 3 });
    assert.equal((await get(testApp, '/media/bb22.png')).statusCode, 404);
  });

  it('serves an empty file', async (t) => {
    const testApp = await withFile(t);
    await storeFile(testApp, 'cc33.png', 'image/png', '1', '');
    const response = await get(testApp, '/media/cc33.png');
    assert.deepEqual([response.statusCode, response.body], [200, '']);
    assert.equal((await get(testApp, '/media/cc33.png', { range: 'bytes=0-' })).statusCode, 416);
  });
});

describe('a file of a private channel', () => {
  async function withPrivate(t: Parameters<typeof makeApp>[0]): Promise<{ testApp: TestApp; src: string }> {
    const testApp = await withFile(t);
    await storeFile(testApp, 'dd44.png', 'image/png', '9');
    const post: Post = (await get(testApp, '/api/posts/9/1', await signIn(testApp, 7))).json().post;
    return { testApp, src: String(post.media[0]?.src) };
  }

  it('is not found without a URL signature', async (t) => {
    const { testApp } = await withPrivate(t);
    for (const query of ['', '?grant=', '?grant=1.x', '?grant=9999999999.AAAA']) {
      assert.equal((await get(testApp, `/media/dd44.png${query}`)).statusCode, 404);
    }
  });

  it('is served at the signed URL of the response, with no-store', async (t) => {
    const { testApp, src } = await withPrivate(t);
    assert.match(src, /^\/media\/dd44\.png\?grant=\d+\.[\w-]{43}$/);
    const response = await get(testApp, src);
    assert.deepEqual([response.statusCode, response.headers['cache-control']], [200, 'no-store']);
  });

  it('is not found if the signature expired or belongs to another file', async (t) => {
    const { testApp, src } = await withPrivate(t);
    await storeFile(testApp, 'ee55.png', 'image/png', '9');
    assert.equal((await get(testApp, src.replace('dd44', 'ee55'))).statusCode, 404);
    const extendedUrl = src.replace(/grant=(\d+)/, (_, expiry) => `grant=${Number(expiry) + 3600}`);
    assert.equal((await get(testApp, extendedUrl)).statusCode, 404);
    testApp.clock.now += 14 * 3_600_000;
    assert.equal((await get(testApp, src)).statusCode, 404);
  });
});
