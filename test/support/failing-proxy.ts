// Proxy in front of a server, for tests of failing networks.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a server. A test can make it fail. Until then it forwards everything. */
export interface FailingProxy {
  readonly origin: string;
  /** Forwards to another server from now on. */
  forwardTo(target: string): void;
  /** Responds with 404 to matching requests. */
  respondNotFound(path: RegExp): void;
  /** Leaves matching requests without a response. Returns a promise that resolves at the first such request. */
  hold(path: RegExp): Promise<void>;
  /** Breaks all held connections and all later ones. */
  cut(): void;
  /** Forwards everything again. */
  open(): void;
  stop(): void;
}

/** Opens a proxy in front of a server. Call stop() when done. */
export async function openFailingProxy(server: string): Promise<FailingProxy> {
  let target = server;
  let notFoundPattern: RegExp | null = null;
  let heldRequest: { readonly path: RegExp; readonly onArrival: () => void } | null = null;
  let isCut = false;
  const proxy = createServer((request, response) => {
    const path = request.url ?? '/';
    if (isCut) request.socket.destroy();
    else if (heldRequest?.path.test(path)) heldRequest.onArrival();
    else if (notFoundPattern?.test(path)) response.writeHead(404).end();
    else pass(target, request, response);
  });
  proxy.listen(0, 'localhost');
  await once(proxy, 'listening');
  return {
    origin: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    forwardTo(next) {
      target = next;
    },
    respondNotFound(path) {
      notFoundPattern = path;
    },
    hold: (path) =>
      new Promise((onArrival) => {
        heldRequest = { path, onArrival };
      }),
    cut() {
      isCut = true;
      proxy.closeAllConnections();
    },
    open() {
      isCut = false;
      notFoundPattern = null;
      heldRequest = null;
    },
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** If the server is stopped, the connection breaks, as it would without the proxy. */
function pass(target: string, request: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(target);
  const upstream = send(
    { hostname, port, path: request.url, method: request.method, headers: request.headers },
    (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    },
  );
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}
