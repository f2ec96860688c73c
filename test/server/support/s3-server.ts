// S3 server for tests, and a proxy in front of it that fails as real servers do.

import crypto from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type S3rverClass from 's3rver';
import type { S3Settings } from '../../../server/config.ts';
import { makeFolder } from './make-app.ts';

/** Fault of a response. `slow-down`: 503. `silent`: no response. `cut`: the connection breaks within the body. */
type Fault = 'slow-down' | 'silent' | 'cut-request' | 'cut-response' | 'wrong-key';

export interface S3Server {
  readonly settings: S3Settings;
  /** Environment variables of a server that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the next `count` requests of a method fail. */
  fail(fault: Fault, method: string, count: number): void;
  /** Returns the number of requests of a method since the start. */
  requestsOf(method: string): number;
}

const errorBody = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>key S3RVER</Message></Error>`;
const BUCKET = 'media';

/** Loads the server. It encrypts the tokens of its lists with DES, which OpenSSL 3 does not have. */
const loadS3rver = async (): Promise<typeof S3rverClass> => {
  const { createCipheriv, createDecipheriv } = crypto;
  const [key, iv] = [Buffer.alloc(16), Buffer.alloc(16)];
  Object.assign(crypto, {
    createCipheriv: (name: string, ...rest: [Buffer, Buffer]) =>
      name === 'des' ? createCipheriv('aes-128-cbc', key, iv) : createCipheriv(name, ...rest),
    createDecipheriv: (name: string, ...rest: [Buffer, Buffer]) =>
      name === 'des' ? createDecipheriv('aes-128-cbc', key, iv) : createDecipheriv(name, ...rest),
  });
  return (await import('s3rver')).default;
};
let loading: ReturnType<typeof loadS3rver> | null = null;

/** Sends a request on. With a fault, the connection breaks in the middle of a body. */
const forward = (port: number, request: IncomingMessage, response: ServerResponse, fault: Fault | null): void => {
  const { url: path, method, headers } = request;
  const upstream = send({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault !== 'cut-response') return void answer.pipe(response);
    answer.once('data', (chunk: Buffer) => response.write(chunk.subarray(0, chunk.length >> 1), () => response.destroy()));
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
};

/** Starts an S3 server with an empty bucket, behind the proxy. Both are stopped after the test. */
export const startS3 = async (t: Pick<TestContext, 'after'>, publicUrl: string | null = null): Promise<S3Server> => {
  loading ??= loadS3rver();
  const S3rver = await loading;
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: makeFolder(t),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await s3.run();
  const faults: { readonly fault: Fault; readonly method: string; remaining: number }[] = [];
  const counts = new Map<string, number>();
  const proxy = createServer((request, response) => {
    const { method = '' } = request;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const current = faults.find((entry) => entry.method === method && entry.remaining > 0);
    if (current !== undefined) current.remaining -= 1;
    const fault = current?.fault ?? null;
    if (fault === 'silent') return;
    if (fault === 'cut-request') return void request.once('data', () => request.socket.destroy());
    if (fault === 'slow-down') return void request.resume().once('end', () => response.writeHead(503).end(errorBody('SlowDown')));
    if (fault === 'wrong-key')
      return void request.resume().once('end', () => response.writeHead(403).end(errorBody('SignatureDoesNotMatch')));
    forward(port, request, response, fault);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await s3.close();
  });
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return {
    settings: { endpoint, region: 'us-east-1', bucket: BUCKET, credentials, prefix: 'site/', publicUrl },
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      S3_PREFIX: 'site',
      ...(publicUrl === null ? {} : { S3_PUBLIC_URL: publicUrl }),
    },
    fail: (fault, method, count) => void faults.push({ fault, method, remaining: count }),
    requestsOf: (method) => counts.get(method) ?? 0,
  };
};
