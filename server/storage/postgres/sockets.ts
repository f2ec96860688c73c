// Sockets of PostgreSQL connections: a timeout for silent connections, and the end of all of them.

import { Socket } from 'node:net';

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

/** The open sockets of a pool. */
export interface SocketSet {
  /** Creates a socket that is not connected. */
  open(): Socket;
  /** Destroys all sockets, and from then on each new one. */
  destroy(): void;
  /** Resolves when no socket is open. */
  closed(): Promise<void>;
}

/**
 * Creates the socket set of a pool. While a response is overdue, it destroys sockets without traffic for `maxMs`. If a
 * network drops packets, the operating system would otherwise retransmit them for a quarter of an hour. The server must
 * respond to each statement sooner, because of its `statement_timeout`. An idle socket is destroyed too, and the pool
 * opens another one. Without a limit, sockets stay open.
 */
export function createSocketSet(silence: SilenceLimit | null): SocketSet {
  const sockets = new Map<Socket, SocketActivity>();
  let timer: NodeJS.Timeout | undefined;
  let isDestroyed = false;
  let notifyClosed = () => {};

  function inspect({ maxMs, hasOverdueStatement }: SilenceLimit): void {
    const now = performance.now();
    for (const [socket, activity] of sockets) {
      const { bytesRead, bytesWritten } = socket;
      if (bytesRead !== activity.bytesRead || bytesWritten !== activity.bytesWritten) activity.lastActivityAt = now;
      activity.bytesRead = bytesRead;
      activity.bytesWritten = bytesWritten;
      if (now - activity.lastActivityAt >= maxMs && hasOverdueStatement()) socket.destroy();
    }
  }

  function remove(socket: Socket): void {
    sockets.delete(socket);
    if (sockets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    notifyClosed();
  }

  return {
    open() {
      const socket = new Socket().once('close', () => remove(socket));
      sockets.set(socket, { bytesRead: 0, bytesWritten: 0, lastActivityAt: performance.now() });
      if (silence !== null) timer ??= setInterval(() => inspect(silence), silence.maxMs / CHECKS_PER_LIMIT).unref();
      // After the call of `connect`, because that would open a destroyed socket again.
      if (isDestroyed) process.nextTick(() => socket.destroy());
      return socket;
    },
    destroy() {
      isDestroyed = true;
      for (const socket of sockets.keys()) socket.destroy();
    },
    async closed() {
      if (sockets.size > 0)
        await new Promise<void>((resolve) => {
          notifyClosed = resolve;
        });
    },
  };
}
