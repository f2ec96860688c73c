// Sockets of PostgreSQL connections: failover between hosts, and a timeout for silent connections.

import { Socket } from 'node:net';

/** The address that a pool connects to: a socket path, or hosts, of which the next one is tried after a failure. */
export interface ConnectTarget {
  readonly path: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

/** Number of checks of the sockets within the time limit. */
const CHECKS_PER_LIMIT = 12;

interface SocketActivity {
  bytesRead: number;
  bytesWritten: number;
  /** Time of the last detected read or write, ms of `performance.now()`. */
  lastActivityAt: number;
}

export interface SilenceLimit {
  /** A socket without traffic for this long is destroyed while a response is overdue, ms. */
  readonly maxMs: number;
  /** Returns whether a statement has waited too long for its response. */
  readonly hasOverdueStatement: () => boolean;
}

/**
 * Returns the socket factory of a pool. While a response is overdue, it destroys sockets without traffic for `maxMs`.
 * If a network drops packets, the operating system would otherwise retransmit them for a quarter of an hour. The server
 * must respond to each statement sooner, because of its `statement_timeout`. An idle socket is destroyed too, and the
 * pool opens another one.
 */
export function createSocketFactory({ maxMs, hasOverdueStatement }: SilenceLimit): (target: ConnectTarget) => Socket {
  const sockets = new Map<Socket, SocketActivity>();
  /** Index of the host for the next connection. After an error, the next host is used. */
  let currentHost = 0;
  let timer: NodeJS.Timeout | undefined;

  function inspect(): void {
    const now = performance.now();
    for (const [socket, activity] of sockets) {
      const { bytesRead, bytesWritten } = socket;
      if (bytesRead !== activity.bytesRead || bytesWritten !== activity.bytesWritten) activity.lastActivityAt = now;
      activity.bytesRead = bytesRead;
      activity.bytesWritten = bytesWritten;
      // Without an error argument: after an error, the driver (postgres 3.4.9) loses statements that it sends before
      // the socket has closed.
      if (now - activity.lastActivityAt >= maxMs && hasOverdueStatement()) socket.destroy();
      if (socket.destroyed) sockets.delete(socket);
    }
    if (sockets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return ({ path, host, port }) => {
    const socket = new Socket();
    const hostIndex = currentHost;
    socket.once('error', () => {
      if (currentHost === hostIndex) currentHost = (hostIndex + 1) % host.length;
    });
    if (path) socket.connect(path);
    else {
      // The driver uses the host in its errors, and checks the certificate against it.
      const [usedHost, usedPort] = [host[hostIndex], port[hostIndex]];
      Object.assign(socket, { host: usedHost, port: usedPort }).connect(usedPort ?? 0, usedHost ?? '');
    }
    sockets.set(socket, { bytesRead: 0, bytesWritten: 0, lastActivityAt: performance.now() });
    timer ??= setInterval(inspect, maxMs / CHECKS_PER_LIMIT).unref();
    return socket;
  };
}
