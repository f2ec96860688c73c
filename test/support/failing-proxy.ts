// Proxy in front of a server, for tests of failing networks.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a server. A test can make it fail. Until then it forwards everything. */
export interface Gate {
  readonly origin: string;
  /** Forwards to another server from now on. */
  lead(to: string): void;
  /** Responds with 404 to matching requests. */
  miss(path: RegExp): void;
  /** Leaves matching requests without a response. Returns a promise that resolves at the first such request. */
  hold(path: RegExp): Promise<void>;
  /** Breaks all held connections and all later ones. */
  cut(): void;
  /** Forwards everything again. */
  open(): void;
  stop(): void;
}

/** Opens a proxy in front of a server. Call stop() when done. */
export async function openGate(server: string): Promise<Gate> {
  let to = server;
  let missed: RegExp | null = null;
  let held: { readonly path: RegExp; readonly came: () => void } | null = null;
  let isCut = false;
  const way = createServer((request, response) => {
    const path = request.url ?? '/';
    if (isCut) request.socket.destroy();
    else if (held?.path.test(path)) held.came();
    else if (missed?.test(path)) response.writeHead(404).end();
    else pass(to, request, response);
  });
  way.listen(0, 'localhost');
  await once(way, 'listening');
  return {
    origin: `http://localhost:${(way.address() as AddressInfo).port}`,
    lead(next) {
      to = next;
    },
    miss(path) {
      missed = path;
    },
    hold: (path) =>
      new Promise((came) => {
        held = { path, came };
      }),
    cut() {
      isCut = true;
      way.closeAllConnections();
    },
    open() {
      isCut = false;
      missed = null;
      held = null;
    },
    stop() {
      way.closeAllConnections();
      way.close();
    },
  };
}

/** If the server is stopped, the connection breaks, as it would without the proxy. */
function pass(to: string, request: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(to);
  const onward = send({ hostname, port, path: request.url, method: request.method, headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
