// Push service for tests: an HTTP server on loopback that decrypts the messages with an implementation of RFC 8291 of its own,
// and browsers that subscribe to it.

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { PushPayload } from '../../../contract/notifications.ts';
import { pushPayload } from '../../../contract/parse-notifications.ts';
import { createPublicPost, type PostPublic } from '../../../server/sources/fetch/safe-post.ts';
import { isPublicAddress } from '../../../server/sources/fetch/ssrf-protection.ts';

/**
 * Returns a client that accepts this machine. `https://push.test` with any path leads to `port` of this machine over http: the
 * API accepts only https endpoints on the default port.
 */
export function testPost(port?: number): PostPublic {
  const post = createPublicPost({
    resolve: async () => ['127.0.0.1'],
    isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
    isAllowedPort: () => true,
    allowsHttp: true,
  });
  return (address, headers, body) =>
    post(port === undefined ? address : address.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${port}`), headers, body);
}

/** A browser's subscription, and its private keys. */
export interface TestBrowser {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  readonly token: string;
  /** Payloads that arrived, in order. */
  readonly received: PushPayload[];
}

interface Keys {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
}

const derive = (ikm: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', ikm, salt, info, length));

/** Decrypts a message: RFC 8188 with one record, and the keys of RFC 8291. Throws if it was encrypted for another browser. */
export function decrypt(message: Buffer, { ecdh, auth }: Keys): string {
  const salt = message.subarray(0, 16);
  const idLength = message.readUInt8(20);
  const senderKey = message.subarray(21, 21 + idLength);
  const record = message.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const ikm = derive(ecdh.computeSecret(senderKey), auth, info, 32);
  const key = derive(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString('utf8');
}

/** Verifies the signature of a request (RFC 8292), and returns its claims. */
function verifyAuthorization(header: string | undefined): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('The signature of the request is not valid.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

/** A push service. `respond` chooses the status of each request, and its headers. */
export interface PushService {
  readonly port: number;
  post: PostPublic;
  /** Number of requests by path. */
  readonly requests: Map<string, number>;
  readonly claims: Record<string, unknown>[];
  subscribe(): TestBrowser;
  respond: (path: string, attempt: number) => { status: number; headers?: Record<string, string>; delayMs?: number };
  /** Called after each request. */
  onRequest: (total: number) => void;
}

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Starts a push service that is stopped after the test. */
export async function startPushService(t: Pick<TestContext, 'after'>): Promise<PushService> {
  const browsers = new Map<string, { keys: Keys; browser: TestBrowser }>();
  const requests = new Map<string, number>();
  const claims: Record<string, unknown>[] = [];
  let total = 0;
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await readAll(request).catch(() => null);
    if (body === null) return;
    const attempt = (requests.get(path) ?? 0) + 1;
    requests.set(path, attempt);
    total += 1;
    service.onRequest(total);
    const { status, headers = {}, delayMs = 0 } = service.respond(path, attempt);
    const known = browsers.get(path);
    if (known !== undefined && status < 300) {
      claims.push(verifyAuthorization(request.headers.authorization));
      known.browser.received.push(pushPayload(JSON.parse(decrypt(body, known.keys)), 'payload'));
    }
    setTimeout(() => response.writeHead(status, headers).end(), delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const service: PushService = {
    port,
    post: testPost(port),
    requests,
    claims,
    respond: () => ({ status: 201 }),
    onRequest: () => {},
    subscribe() {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const keys = { ecdh, auth: randomBytes(16) };
      const path = `/${randomBytes(16).toString('base64url')}`;
      const browser: TestBrowser = {
        subscription: {
          endpoint: `https://push.test${path}`,
          keys: { p256dh: ecdh.getPublicKey('base64url'), auth: keys.auth.toString('base64url') },
        },
        token: randomBytes(32).toString('base64url'),
        received: [],
      };
      browsers.set(path, { keys, browser });
      return browser;
    },
  };
  return service;
}
