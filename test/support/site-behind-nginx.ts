// A site behind nginx: the built server and a real nginx in front of it, and requests to it by HTTP/2.

import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import type { Store } from '../../server/storage/ports/store.ts';
import { type Nginx, SITE, startNginx } from './nginx.ts';
import { type RunningServer, startServer } from './server.ts';

export interface SiteBehindNginx {
  readonly server: RunningServer;
  /** The store of the server. */
  readonly store: Store;
  readonly nginx: Nginx;
  /** A connection to nginx. */
  readonly session: ClientHttp2Session;
  stop(): Promise<void>;
}

/** Starts a server with these environment variables, and nginx in front of it. Call stop() when done. */
export async function startSiteBehindNginx(env: Readonly<Record<string, string>>): Promise<SiteBehindNginx> {
  const server = await startServer({ isSingle: true, env: { HOST: '127.0.0.1', PUBLIC_URL: `https://${SITE}`, ...env } });
  const store = await server.openStore();
  const nginx = await startNginx(new URL(server.origin).host);
  const session = nginx.connect();
  return {
    server,
    store,
    nginx,
    session,
    async stop() {
      session.destroy();
      await nginx.stop();
      await store.close();
      await server.stop();
    },
  };
}

export interface Http2Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Returns the headers of a response. */
export const headOf = (stream: ClientHttp2Stream): Promise<IncomingHttpHeaders & IncomingHttpStatusHeader> =>
  new Promise((done, failed) => stream.once('response', done).once('error', failed));

/** Sends a GET request, or a POST request with a body. */
export async function send(
  session: ClientHttp2Session,
  path: string,
  extraHeaders: Record<string, string> = {},
  body?: Buffer,
): Promise<Http2Response> {
  const stream = session.request({ ':path': path, ':method': body === undefined ? 'GET' : 'POST', ...extraHeaders });
  stream.end(body);
  const headers = await headOf(stream);
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return { status: Number(headers[':status']), headers, body: Buffer.concat(parts) };
}
