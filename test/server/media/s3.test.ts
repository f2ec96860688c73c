// Media store in a bucket of a real S3 server, behind a proxy that fails.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { StorageError } from '../../../server/lib/infrastructure-errors.ts';
import { collectGarbage } from '../../../server/media/garbage-collection.ts';
import { createS3MediaStore } from '../../../server/media/s3/media-store.ts';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import { channel, makeApp, makeFolder, message } from '../support/make-app.ts';
import { startS3 } from '../support/s3-server.ts';
import { photo } from './download-fixture.ts';
import { mediaStoreTests, namesIn, readAll, saveBytes, totalBytesOf } from './media-store-conformance.ts';

const SHORT = { connectMs: 500, idleMs: 300, responseMs: 300, maxAttempts: 3, pageSize: 2 };
const PUBLIC_URL = 'https://media.example/files';

const makeStore = async (t: TestContext) => {
  const s3 = await startS3(t);
  return { s3, mediaStore: createS3MediaStore(s3.settings, join(makeFolder(t), 'tmp'), SHORT) };
};

/** Asserts that a call fails with a sentence that contains no credential. */
const assertMediaError = (call: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof StorageError && error.kind === 'media', String(error));
    assert.match(error.message, sentence);
    assert.doesNotMatch(error.message, /S3RVER/);
    return true;
  });

describe('media in a bucket', () => {
  mediaStoreTests(async (t) => (await startS3(t)).environment);
});

describe('a list of a bucket', () => {
  it('continues until its last page', async (t) => {
    const { s3, mediaStore } = await makeStore(t);
    const names = [];
    for (let file = 0; file < 5; file += 1) names.push(await saveBytes(mediaStore, randomBytes(10)));
    const before = s3.requestsOf('GET');
    assert.deepEqual(await namesIn(mediaStore), names.sort());
    assert.ok(s3.requestsOf('GET') - before >= 3);
    assert.equal(await totalBytesOf(mediaStore), 50);
  });
});

describe('a fault of object storage', () => {
  for (const [fault, sentence] of [
    ['slow-down', /too many requests/],
    ['silent', /does not respond in time/],
    ['cut-request', /closed the connection/],
  ] as const)
    it(`is retried a bounded number of times while a file is saved: ${fault}`, async (t) => {
      const { s3, mediaStore } = await makeStore(t);
      const bytes = randomBytes(9 * 1024 * 1024);
      s3.fail(fault, 'PUT', 2);
      const name = await saveBytes(mediaStore, bytes);
      assert.ok((await readAll(mediaStore, name))?.equals(bytes));
      s3.fail(fault, 'PUT', 100);
      const before = s3.requestsOf('PUT');
      await assertMediaError(saveBytes(mediaStore, randomBytes(1000)), sentence);
      assert.equal(s3.requestsOf('PUT') - before, SHORT.maxAttempts);
      assert.deepEqual(await namesIn(mediaStore), [name], 'half an upload is no file');
    });

  it('in the middle of a response is continued at the same byte', async (t) => {
    const { s3, mediaStore } = await makeStore(t);
    const bytes = randomBytes(3_000_000);
    const name = await saveBytes(mediaStore, bytes);
    s3.fail('cut-response', 'GET', 2);
    assert.ok((await readAll(mediaStore, name))?.equals(bytes));
  });

  it('of the settings is reported as a sentence that names the setting', async (t) => {
    const { s3, mediaStore } = await makeStore(t);
    const wrong = (more: object) => createS3MediaStore({ ...s3.settings, ...more }, makeFolder(t), SHORT).assertHealthy();
    await assertMediaError(wrong({ bucket: 'no-such-bucket' }), /^S3_BUCKET: there is no bucket/);
    await assertMediaError(
      wrong({ credentials: { accessKeyId: 'S3RVER2', secretAccessKey: 'x' } }),
      /^S3_ACCESS_KEY_ID: its server does not know this key\.$/,
    );
    await assertMediaError(wrong({ endpoint: 'http://127.0.0.1:9' }), /^S3_ENDPOINT: no server listens/);
    s3.fail('wrong-key', 'GET', 1);
    await assertMediaError(mediaStore.assertHealthy(), /^S3_SECRET_ACCESS_KEY: /);
  });

  it('is reported by the health check, which stays ready, and by a response that may be retried', async (t) => {
    const s3 = await startS3(t);
    const { app, store, mediaStore } = await makeApp(t, s3.environment);
    assert.deepEqual((await app.inject('/healthz')).json().failed, []);
    const other = await makeApp(t, { ...s3.environment, S3_BUCKET: 'no-such-bucket' });
    const response = await other.app.inject('/healthz');
    assert.deepEqual([response.statusCode, response.json().failed], [200, ['media']]);
    await store.putChannel(channel('1'));
    const { src } = await saveMediaFile(await photo(), { mediaStore, store });
    await store.putMessages([message('1', 1, '', [{ type: 'photo', messageId: 1, src, mime: 'image/jpeg' }])]);
    s3.fail('wrong-key', 'HEAD', 1);
    const failed = await app.inject(src);
    assert.deepEqual([failed.statusCode, failed.headers['retry-after']], [503, '30']);
  });
});

describe('S3_PUBLIC_URL', () => {
  const makeSite = async (t: TestContext) => {
    const s3 = await startS3(t, PUBLIC_URL);
    const testApp = await makeApp(t, { ...s3.environment, OPERATOR_IDS: '7' });
    const show = async (channelId: string, bytes: Buffer) => {
      await testApp.store.putChannel(channel(channelId, { private: channelId === '9' }));
      const { src, file } = await saveMediaFile(bytes, testApp);
      await testApp.store.putMessages([message(channelId, 1, '', [{ type: 'photo', messageId: 1, src, mime: file.mime }])]);
      return file.key;
    };
    return { testApp, show };
  };
  const published = async (mediaStore: Awaited<ReturnType<typeof makeApp>>['mediaStore'], key: string) => {
    const names = [];
    for await (const name of mediaStore.listPublished(key.slice(0, 2))) names.push(name);
    return names;
  };

  it('is allowed by the policy of pages for pictures, audio and video, and no other scripts', async (t) => {
    const { testApp } = await makeSite(t);
    const policy = String((await testApp.app.inject('/main')).headers['content-security-policy']).split('; ');
    for (const directive of ["img-src 'self' blob:", "media-src 'self' blob:", "connect-src 'self'"])
      assert.ok(policy.includes(`${directive} https://media.example`), directive);
    assert.doesNotMatch(policy.find((line) => line.startsWith('script-src')) ?? '', /media\.example/);
  });

  it('is the address of public pictures, and never that of private, hidden or dangerous files', async (t) => {
    const { testApp, show } = await makeSite(t);
    const { app, store, mediaStore } = testApp;
    const key = await show('1', await photo());
    const response = await app.inject(`/media/${key}`);
    assert.deepEqual([response.statusCode, response.headers.location], [302, `${PUBLIC_URL}/${key.slice(0, 2)}/${key}`]);
    assert.deepEqual(await published(mediaStore, key), [key]);
    const secret = await show('9', await photo());
    const grant = testApp.context.urlSigner.sign(secret, testApp.clock.now);
    const streamed = await app.inject(`/media/${secret}?grant=${grant}`);
    assert.deepEqual([streamed.statusCode, streamed.headers['cache-control']], [200, 'no-store']);
    assert.deepEqual(await published(mediaStore, secret), []);
    const pdf = await show('2', Buffer.from('%PDF-1.7 x'));
    assert.equal((await app.inject(`/media/${pdf}`)).statusCode, 200);
    assert.deepEqual(await published(mediaStore, pdf), []);
    await store.hidePost('1', 1, 500);
    assert.equal((await app.inject(`/media/${key}`)).statusCode, 404);
    await collectGarbage(testApp);
    assert.deepEqual(await published(mediaStore, key), []);
  });
});
