import { setTimeout as delay } from 'node:timers/promises';
import type { App } from './request.ts';

/** Interval at which idle connections are closed during shutdown, ms. */
const IDLE_CHECK_INTERVAL_MS = 100;

declare module 'fastify' {
  interface FastifyInstance {
    /** True from the beginning of the shutdown: the process still serves, but is no longer ready. */
    isShuttingDown: () => boolean;
    /** Begins the shutdown, and resolves after the drain time. */
    drain: (ms: number) => Promise<void>;
  }
}

/**
 * Graceful shutdown: stops within moments without cutting off clients. Requests in progress are finished, with
 * `connection: close`. Keep-alive connections are closed as soon as they are idle. Node alone would wait 72 s for their
 * next request.
 *
 * Before that, `drain` lets a load balancer remove this process: the health check returns 503, all requests are still
 * served, and each response closes its connection. Event streams end after the drain time. Their clients would
 * otherwise reconnect to this process while the load balancer still sends requests to it.
 */
export function enableGracefulShutdown(app: App): void {
  let isShuttingDown = false;
  let idleCheckTimer: ReturnType<typeof setInterval> | undefined;
  app.decorate('isShuttingDown', () => isShuttingDown);
  app.decorate('drain', async (ms) => {
    isShuttingDown = true;
    await delay(ms);
  });
  app.addHook('preClose', async () => {
    isShuttingDown = true;
    idleCheckTimer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isShuttingDown) reply.header('connection', 'close');
  });
  app.addHook('onClose', async () => clearInterval(idleCheckTimer));
}
