// Lossy network for tests: a proxy between a device and the server that loses requests and responses.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SentChange } from './idempotency-model.ts';

export interface WireOptions {
  /** The origin of the server. */
  readonly origin: string;
  random(below: number): number;
  /** Runs each write alone, so that the order in which the server receives the writes is known. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Called when a write is on its way to the server. */
  onWrite(): void;
  /** Called when the server responded to a write, or when it may not have received it. */
  onSent(change: SentChange, isHeard: 'yes' | 'perhaps'): void;
}

/** The network of a device. It can be cut. When it is not cut, it loses some requests and some responses. */
export interface Wire {
  readonly origin: string;
  state: 'cut' | 'lossy' | 'sound';
  close(): Promise<void>;
}

/** Loss rate: one of this many requests is lost on its way, and as many responses. */
const LOSSES = 8;

export async function openWire(options: WireOptions): Promise<Wire> {
  const server = createServer((asked, answer) => void carry(asked, answer));
  let state: Wire['state'] = 'lossy';
  const isCut = (): boolean => state === 'cut';
  async function carry(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { url = '' } = asked;
    if (url.startsWith('/api/events')) return isCut() ? lose(answer) : stream(new URL(url, options.origin), asked, answer);
    const body = await buffer(asked).catch(() => null);
    // The device closed the connection before it sent the whole request, for example because its tab was closed.
    if (body === null) return lose(answer);
    // The files of the app are never lost. Broken downloads have their own test.
    const fate = state === 'lossy' && url.startsWith('/api/') ? options.random(LOSSES) : 2;
    if (isCut() || fate === 0) return lose(answer);
    // A sign-in changes nothing that the test checks.
    const isChange = asked.method === 'PUT' || asked.method === 'DELETE';
    const given = isChange ? await options.alone(() => write(asked, body)) : await forward(asked, body);
    if (isCut() || fate === 1 || typeof given === 'string') return lose(answer);
    answer.writeHead(given.status, given.headers).end(given.body);
  }
  async function write(asked: IncomingMessage, body: Buffer): Promise<Outcome> {
    if (isCut()) return 'unreached';
    const coming = forward(asked, body);
    options.onWrite();
    const given = await coming;
    const { method = '', url: path = '' } = asked;
    const change = { key: String(asked.headers['idempotency-key']), method, path, body: body.toString() };
    if (given === 'broken') options.onSent(change, 'perhaps');
    else if (given !== 'unreached' && given.status < 300) options.onSent(change, 'yes');
    return given;
  }
  const forward = (asked: IncomingMessage, body: Buffer): Promise<Outcome> =>
    ask(new URL(asked.url ?? '', options.origin), asked, body);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The type assertion is safe, because the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const wire: Wire = {
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

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The outcome of a request: no server listened, the connection broke before the response was complete, or the response. */
type Outcome = Answer | 'unreached' | 'broken';

const lose = (answer: ServerResponse): void => void answer.socket?.destroy();

/** Forwards a response that does not end by itself. */
function stream(url: URL, { headers }: IncomingMessage, answer: ServerResponse): void {
  const going = request(url, { headers: { ...headers, host: url.host }, agent: false }, (given) => {
    answer.writeHead(given.statusCode ?? 500, given.headers);
    given.pipe(answer);
    given.on('error', () => lose(answer));
  });
  going.on('error', () => lose(answer));
  answer.on('close', () => going.destroy());
  going.end();
}

function ask(url: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<Outcome> {
  return new Promise((done) => {
    // Without a body, a browser sends no content type, but the client in Node does.
    const { 'content-type': type, ...others } = headers;
    const told = { ...others, host: url.host, ...(body.length > 0 && { 'content-type': type }) };
    const going = request(url, { method, headers: told, agent: false }, (answer) => {
      buffer(answer).then(
        (whole) => done({ status: answer.statusCode ?? 500, headers: answer.headers, body: whole }),
        () => done('broken'),
      );
    });
    going.on('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED' ? 'unreached' : 'broken'));
    going.end(body);
  });
}
