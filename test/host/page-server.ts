// Test server for scripts in a page: bundles an entry and serves it from two origins.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { browserOptions, buildInlineScript } from '../../build/app-bundle.mjs';

/** Responds to a request. Returns false to let the server respond itself. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse, body: string) => boolean | Promise<boolean>;

/**
 * A server for a script in a page: `/script.js` is the bundled entry, and every other path is the same document, which runs the
 * script. The test can respond to any request itself. As localhost and 127.0.0.1, the server has two origins.
 */
export interface PageServer {
  /** http://127.0.0.1:port */
  readonly origin: string;
  /** http://localhost:port, another origin. */
  readonly otherOrigin: string;
  answer: RequestHandler;
  stop(): Promise<void>;
}

/** Bundles an entry of test/host and serves it. Call stop() when done. */
export async function startPageServer(entry: string, head = ''): Promise<PageServer> {
  const [early, files] = await Promise.all([buildInlineScript('src/app/inline/early.ts'), bundle(entry)]);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><script>${early}</script>${head}</head><body><div id="q-app"></div><script type="module" src="/script.js"></script></body></html>`;
  let handle: RequestHandler = () => false;
  const server = createServer(async (request, response) => {
    const body = await read(request);
    if (await handle(request, response, body)) return;
    const path = new URL(request.url ?? '/', 'http://stand').pathname;
    const file = files.get(path);
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
    response.end(file ?? html);
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    get answer() {
      return handle;
    },
    set answer(next) {
      handle = next;
    },
    stop: () => close(server),
  };
}

async function bundle(entry: string): Promise<Map<string, string>> {
  const { outputFiles = [] } = await build({
    ...(browserOptions() as BuildOptions),
    entryPoints: { script: join(import.meta.dirname, entry) },
    outdir: '/',
    splitting: true,
    write: false,
    chunkNames: 'chunk-[hash]',
    logLevel: 'error',
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const close = (server: Server): Promise<void> =>
  new Promise((closed) => {
    server.closeAllConnections();
    server.close(() => closed());
  });

/** Responds with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}
