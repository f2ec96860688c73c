import type { Config } from '../config.ts';
import { notFound } from '../http/errors.ts';
import { type App, markOwn } from '../http/request.ts';
import { createMetrics, type MetricsDeps, mayReadMetrics } from '../observability/metrics.ts';

/** Services that this module uses. */
export type MetricsRouteDeps = MetricsDeps & {
  readonly config: Config;
};

/** What the server counts of itself, for whoever watches over it; to everybody else it is not there. */
export function metricsRoutes(app: App, deps: MetricsRouteDeps): void {
  const metrics = createMetrics(app, deps);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    markOwn(reply);
    if (!mayReadMetrics(request, deps.config.metricsToken)) throw notFound('/metrics');
    return reply.type(metrics.type).send(await metrics.write());
  });
}
