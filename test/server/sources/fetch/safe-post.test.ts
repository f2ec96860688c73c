import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPublicPost, PostError } from '../../../../server/sources/fetch/safe-post.ts';
import { isPublicAddress } from '../../../../server/sources/fetch/ssrf-protection.ts';
import { serve } from '../rss/feed-server.ts';

const body = Buffer.from('x');

const isUnsent = (error: unknown): boolean => error instanceof PostError && !error.wasSent;

describe('createPublicPost', () => {
  for (const address of [
    'http://push.example/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest',
    'https://localhost/x',
    'https://push.example:8443/x',
    'https://user@push.example/x',
    'https://2130706433/x',
  ])
    it(`rejects ${address} and sends nothing`, async () => {
      await assert.rejects(createPublicPost()(address, {}, body), isUnsent);
    });

  it('rejects a name if one of its addresses is in our network', async (t) => {
    let requestCount = 0;
    const port = await serve(t, (_request, response) => {
      requestCount += 1;
      response.end();
    });
    const post = createPublicPost({
      resolve: async () => ['93.184.215.14', '127.0.0.1'],
      isPublic: isPublicAddress,
      isAllowedPort: () => true,
      allowsHttp: true,
    });
    await assert.rejects(post(`http://push.test:${port}/`, {}, body), isUnsent);
    assert.equal(requestCount, 0);
  });

  it('connects to the checked address, sends the body, and follows no redirect', async (t) => {
    const bodies: string[] = [];
    const port = await serve(t, async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      response.writeHead(302, { location: 'http://127.0.0.1:1/', 'retry-after': '7' }).end('ignored');
    });
    const post = createPublicPost({
      resolve: async () => ['127.0.0.1'],
      isPublic: (address) => address === '127.0.0.1',
      isAllowedPort: () => true,
      allowsHttp: true,
    });
    const { status, headers } = await post(`http://push.test:${port}/`, { ttl: 5 }, body);
    assert.deepEqual([status, headers['retry-after'], bodies], [302, '7', ['x']]);
  });

  it('reports that the request may have been received if the connection breaks afterwards', async (t) => {
    const port = await serve(t, (request) => request.socket.destroy());
    const post = createPublicPost({
      resolve: async () => ['127.0.0.1'],
      isPublic: () => true,
      isAllowedPort: () => true,
      allowsHttp: true,
    });
    await assert.rejects(
      post(`http://push.test:${port}/`, {}, body),
      (error: unknown) => error instanceof PostError && error.wasSent,
    );
    await assert.rejects(post('http://push.test:1/', {}, body), isUnsent);
  });
});
