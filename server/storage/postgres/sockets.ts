import { Socket } from 'node:net';

/** Names what a pool connects to: the path of a socket, or hosts, of which the next is tried after a failure. */
export interface Target {
  readonly path: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

interface Watched {
  read: number;
  written: number;
  /** When something was last seen to be written or read, ms of `performance.now()`. */
  movedAt: number;
}

export interface Silence {
  /** A socket on which nothing moves for so long is given up where something is waited for, ms. */
  readonly max: number;
  /** Returns whether a statement waits for an answer for longer than any should. */
  readonly isWaitedFor: () => boolean;
}

/**
 * Returns what makes a pool's sockets. While a statement is waited for, sockets on which nothing moved for `max` ms are destroyed: where
 * a network drops packets the system would send them again for a quarter of an hour. The server must answer each statement sooner, by
 * its `statement_timeout`. A socket that is only idle is destroyed with them, and the pool opens another.
 */
export function createSockets({ max, isWaitedFor }: Silence): (target: Target) => Socket {
  const sockets = new Map<Socket, Watched>();
  /** The host that accepted the last connection, by its index. */
  let current = 0;
  let timer: NodeJS.Timeout | undefined;

  function inspect(): void {
    const now = performance.now();
    for (const [socket, watched] of sockets) {
      const { bytesRead, bytesWritten } = socket;
      if (bytesRead !== watched.read || bytesWritten !== watched.written) watched.movedAt = now;
      watched.read = bytesRead;
      watched.written = bytesWritten;
      // Without an error: after one the driver (postgres 3.4.9) forgets what it sends before the socket has closed.
      if (now - watched.movedAt >= max && isWaitedFor()) socket.destroy();
      if (socket.destroyed) sockets.delete(socket);
    }
    if (sockets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return ({ path, host, port }) => {
    const socket = new Socket();
    const used = current;
    socket.once('error', () => {
      if (current === used) current = (used + 1) % host.length;
    });
    if (path) socket.connect(path);
    // The driver names the host in its errors, and checks a certificate against it.
    else Object.assign(socket, { host: host[used], port: port[used] }).connect(port[used] ?? 0, host[used] ?? '');
    sockets.set(socket, { read: 0, written: 0, movedAt: performance.now() });
    timer ??= setInterval(inspect, max / 12).unref();
    return socket;
  };
}
