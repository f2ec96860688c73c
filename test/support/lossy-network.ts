// Lossy network for tests: a proxy between a device and the server that loses requests and responses.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SentChange } from './idempotency-model.ts';

export interface LossyNetworkOptions {
  /** The origin of the server. */
  readonly origin: string;
  random(below: number): number;
  /** Runs each write alone, so that the order in which the server receives the writes is known. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Called when a write is on its way to the server. */
  onWrite(): void;
  /** Called when the server responded to a write, or when it may not have received it. */
  onSent(change: SentChange, arrived: 'yes' | 'perhaps'): void;
}

/** The network of a device. It can be cut. When it is not cut, it loses some requests and some responses. */
export interface LossyNetwork {
  readonly origin: string;
  state: 'cut' | 'lossy' | 'sound';
  close(): Promise<void>;
}

/** Loss rate: one of this many requests is lost on its way, and as many responses. */
const LOSSES = 8;

export async function openLossyNetwork(options: LossyNetworkOptions): Promise<LossyNetwork> {
  const server = createServer((incoming, response) => void handle(incoming, response));
  let state: LossyNetwork['state'] = 'lossy';
  const isCut = (): boolean => state === 'cut';
  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = incoming;
    if (url.startsWith('/api/events'))
      return isCut() ? dropConnection(response) : stream(new URL(url, options.origin), incoming, response);
    const body = await buffer(incoming).catch(() => null);
    // The device closed the connection before it sent the whole request, for example because its tab was closed.
    if (body === null) return dropConnection(response);
    // The files of the app are never lost. Broken downloads have their own test.
    const lossRoll = state === 'lossy' && url.startsWith('/api/') ? options.random(LOSSES) : 2;
    if (isCut() || lossRoll === 0) return dropConnection(response);
    // A sign-in changes nothing that the test checks.
    const isChange = incoming.method === 'PUT' || incoming.method === 'DELETE';
    const outcome = isChange ? await options.alone(() => write(incoming, body)) : await forward(incoming, body);
    if (isCut() || lossRoll === 1 || typeof outcome === 'string') return dropConnection(response);
    response.writeHead(outcome.status, outcome.headers).end(outcome.body);
  }
  async function write(incoming: IncomingMessage, body: Buffer): Promise<Outcome> {
    if (isCut()) return 'unreached';
    const forwarded = forward(incoming, body);
    options.onWrite();
    const outcome = await forwarded;
    const { method = '', url: path = '' } = incoming;
    const change = { key: String(incoming.headers['idempotency-key']), method, path, body: body.toString() };
    if (outcome === 'broken') options.onSent(change, 'perhaps');
    else if (outcome !== 'unreached' && outcome.status < 300) options.onSent(change, 'yes');
    return outcome;
  }
  const forward = (incoming: IncomingMessage, body: Buffer): Promise<Outcome> =>
    sendRequest(new URL(incoming.url ?? '', options.origin), incoming, body);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The type assertion is safe, because the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const wire: LossyNetwork = {
    origin: `http://127.0.0.1:${port}`,
    get state() {
      return state;
    },
    set state(next) {
      state = next;
      if (isCut()) server.closeAllConnections();
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return wire;
}

interface ForwardedResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The outcome of a request: no server listened, the connection broke before the response was complete, or the response. */
type Outcome = ForwardedResponse | 'unreached' | 'broken';

const dropConnection = (response: ServerResponse): void => void response.socket?.destroy();

/** Forwards a response that does not end by itself. */
function stream(url: URL, { headers }: IncomingMessage, response: ServerResponse): void {
  const upstreamRequest = request(url, { headers: { ...headers, host: url.host }, agent: false }, (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode ?? 500, upstreamResponse.headers);
    upstreamResponse.pipe(response);
    upstreamResponse.on('error', () => dropConnection(response));
  });
  upstreamRequest.on('error', () => dropConnection(response));
  response.on('close', () => upstreamRequest.destroy());
  upstreamRequest.end();
}

function sendRequest(url: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<Outcome> {
  return new Promise((resolve) => {
    // Without a body, a browser sends no content type, but the client in Node does.
    const { 'content-type': type, ...others } = headers;
    const sentHeaders = { ...others, host: url.host, ...(body.length > 0 && { 'content-type': type }) };
    const upstreamRequest = request(url, { method, headers: sentHeaders, agent: false }, (response) => {
      buffer(response).then(
        (content) => resolve({ status: response.statusCode ?? 500, headers: response.headers, body: content }),
        () => resolve('broken'),
      );
    });
    upstreamRequest.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'unreached' : 'broken'),
    );
    upstreamRequest.end(body);
  });
}
