import type { App } from './request.ts';

/** How often connections are looked for on which nothing is under way any more, ms. */
const LOOK = 100;

/**
 * Stops within moments and cuts nobody off: what is under way is answered, with the word that its connection closes, and what is
 * kept open for another request is closed as soon as nothing is under way on it. Node would wait 72 s for the next request.
 */
export function stopGracefully(app: App): void {
  let closing: ReturnType<typeof setInterval> | undefined;
  app.addHook('preClose', async () => {
    closing = setInterval(() => app.server.closeIdleConnections(), LOOK);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing !== undefined) reply.header('connection', 'close');
  });
  app.addHook('onClose', async () => clearInterval(closing));
}
