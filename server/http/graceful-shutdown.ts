import type { App } from './request.ts';

/** Interval at which idle connections are closed during shutdown, ms. */
const IDLE_CHECK_INTERVAL_MS = 100;

/**
 * Graceful shutdown: stops within moments without cutting off clients. Requests in progress are finished, with
 * `connection: close`. Keep-alive connections are closed as soon as they are idle. Node alone would wait 72 s for their
 * next request.
 */
export function enableGracefulShutdown(app: App): void {
  let idleCheckTimer: ReturnType<typeof setInterval> | undefined;
  app.addHook('preClose', async () => {
    idleCheckTimer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (idleCheckTimer !== undefined) reply.header('connection', 'close');
  });
  app.addHook('onClose', async () => clearInterval(idleCheckTimer));
}
