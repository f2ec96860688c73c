import type { Context } from '../context.ts';
import { type App, markOwn } from '../http/request.ts';
import { createMetrics, mayReadMetrics } from '../metrics.ts';
import { notFound } from '../problems.ts';

/** What the server counts of itself, for whoever watches over it; to everybody else it is not there. */
export function metricsRoutes(app: App, context: Context): void {
  const metrics = createMetrics(app, context);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    markOwn(reply);
    if (!mayReadMetrics(request, context.config.metricsToken)) throw notFound('/metrics');
    return reply.type(metrics.type).send(await metrics.write());
  });
}
