/** Prometheus metrics: request durations, rejections and gauges of the store, the bot and the disk. */
import { timingSafeEqual } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BotHealth } from '../../contract/operator.ts';
import type { Config } from '../config.ts';
import { notFound } from '../http/errors.ts';
import { type App, markPrivate, REJECTION_REASONS, requireRequestState } from '../http/request.ts';
import { assertFreeSpace } from '../lib/free-space.ts';
import { withTimeout } from '../lib/time.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type MetricsDeps = {
  readonly config: Config;
  readonly store: Pick<
    Store,
    'connections' | 'countFailingFeeds' | 'isReplicaCurrent' | 'lastEventId' | 'nextFileDue' | 'nextNotificationDue'
  >;
  readonly eventHub: { count(): number };
  readonly bot: { health(): BotHealth } | null;
  readonly notifications: { totals(): { readonly sent: number; readonly failed: number } } | null;
  readonly web: () => { readonly build: { readonly version: string } };
  readonly now: () => number;
};

/** Metrics of the server: names of routes and sizes, and no data about clients. */
export interface Metrics {
  readonly contentType: string;
  serialize(): Promise<string>;
}

/** Histogram buckets, s: from a response that is served from memory to one for which no client waits long enough. */
const LATENCY_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Creates the metrics. Counters count requests; gauges read their value at each scrape. */
function createMetrics(app: App, deps: MetricsDeps): Metrics {
  requireRequestState(app);
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'changer_' });
  const requestSeconds = new Histogram({
    name: 'changer_request_seconds',
    help: 'Time until the response to a request was complete, by route and status; 429 and 503 are rejected requests',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const rejections = new Counter({
    name: 'changer_refused_total',
    help: 'Rejected requests that may be retried, by reason',
    labelNames: ['reason'],
    registers,
  });
  // Initialized to 0: if a series began with its first rejection, no rate would include that one.
  for (const reason of REJECTION_REASONS) rejections.inc({ reason }, 0);
  app.addHook('onResponse', async (request, reply) => {
    if (request.rejection !== null) rejections.inc({ reason: request.rejection });
    // The route pattern as it was declared. The URL may contain search terms, and there is no limit to the number of
    // URLs.
    const route = request.routeOptions.url ?? 'none';
    requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });

  registerGauges(registers, deps);
  new Gauge({
    name: 'changer_build',
    help: 'Always 1; the label is the running version',
    labelNames: ['version'],
    registers,
  }).set({ version: deps.web().build.version }, 1);
  return { contentType: registry.contentType, serialize: () => registry.metrics() };
}

/** Registers the gauges that read their value at each scrape. */
function registerGauges(registers: Registry[], { eventHub, store, config, bot, notifications, now }: MetricsDeps): void {
  const gauge = (name: string, help: string, read: () => Promise<number>, fallback = Number.NaN) => {
    new Gauge({
      name: `changer_${name}`,
      help,
      registers,
      async collect() {
        // A value that cannot be read is NaN (0 for `store_up` and `disk_writable`): a stale number would look healthy.
        this.set(await withTimeout(read()).catch(() => fallback));
      },
    });
  };
  gauge('event_streams', 'Open event streams of this process', async () => eventHub.count());
  gauge('store_up', 'Whether the store responds', () => store.lastEventId().then(() => 1), 0);
  gauge('store_seconds', 'Duration of one small query of the store', async () => {
    const startedAt = performance.now();
    await store.lastEventId();
    return (performance.now() - startedAt) / 1000;
  });
  if (config.databaseReplicaUrl !== null)
    gauge(
      'replica_up',
      'Whether reads may use the replica: 0 before its first successful check, after a fault, and until it has replayed every change',
      async () => (store.isReplicaCurrent() === true ? 1 : 0),
    );
  gauge('last_event', 'Number of the last event in the store', () => store.lastEventId());
  gauge('update_age_seconds', 'Time since the last update of any connected channel; -1 if there was none', async () => {
    const updateTimes = (await store.connections()).map((connection) => connection.lastUpdateAt ?? 0);
    const lastUpdateAt = Math.max(0, ...updateTimes);
    return lastUpdateAt === 0 ? -1 : now() / 1000 - lastUpdateAt;
  });
  gauge('files_late_seconds', 'Time for which the oldest pending file download has been due; 0 if none is due', async () => {
    const dueAt = await store.nextFileDue();
    return dueAt === null ? 0 : Math.max(0, now() - dueAt) / 1000;
  });
  if (notifications !== null) {
    registerNotificationMetrics(registers, notifications);
    gauge('notifications_late_seconds', 'Time for which the oldest notification has been due; 0 if none is due', async () => {
      const [push, bot] = await Promise.all([store.nextNotificationDue('push'), store.nextNotificationDue('bot')]);
      return Math.max(0, now() - Math.min(push ?? now(), bot ?? now())) / 1000;
    });
  }
  gauge('feeds_failing', 'Feeds whose last check failed', () => store.countFailingFeeds());
  if (bot !== null)
    gauge(
      'bot_up',
      'Whether this process receives the updates of channels from Telegram; NaN if another process receives them, or if it is not known yet',
      async () => toUpValue(bot.health()),
    );
  gauge(
    'disk_writable',
    'Whether DATA_DIR is writable and has free space',
    () => assertFreeSpace(config.dataDir).then(() => 1),
    0,
  );
  gauge('disk_free_bytes', 'Free space on the disk of DATA_DIR', async () => {
    const { bavail, bsize } = await statfs(config.dataDir);
    return bavail * bsize;
  });
}

/** Registers the counters of notifications. */
function registerNotificationMetrics(registers: Registry[], notifications: NonNullable<MetricsDeps['notifications']>): void {
  let counted = { sent: 0, failed: 0 };
  new Counter({
    name: 'changer_notifications_total',
    help: 'Notifications that this process sent, and that failed, by outcome',
    labelNames: ['outcome'],
    registers,
    collect() {
      const totals = notifications.totals();
      this.inc({ outcome: 'sent' }, totals.sent - counted.sent);
      this.inc({ outcome: 'failed' }, totals.failed - counted.failed);
      counted = totals;
    },
  });
}

function toUpValue({ type, since }: BotHealth): number {
  if (type === 'failed') return 0;
  return since === undefined ? Number.NaN : 1;
}

/**
 * Headers that proxies add to a request (nginx adds none by default and has to be configured: `deploy/nginx.conf`), and
 * that pages of other sites send.
 */
const FORWARDED_HEADERS = ['origin', 'forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/**
 * Returns whether the client may read the metrics. With METRICS_TOKEN, it needs the token. Without METRICS_TOKEN, only
 * a program on this machine may read them. Requests with a forwarded or `origin` header are rejected: a local proxy
 * sends requests of remote clients from this machine, and a browser here sends requests of any open site.
 */
function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  if (token !== null) return isEqualConstantTime(request.headers.authorization ?? '', `Bearer ${token}`);
  const { headers, socket } = request.raw;
  return !FORWARDED_HEADERS.some((name) => name in headers) && LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '');
}

function isEqualConstantTime(actual: string, expected: string): boolean {
  const [actualBytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)];
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes);
}

/** Services that this module uses. */
export type MetricsRouteDeps = MetricsDeps & {
  readonly config: Config;
};

/** Serves the metrics at /metrics. A client without access gets 404. */
export function metricsRoutes(app: App, deps: MetricsRouteDeps): void {
  const metrics = createMetrics(app, deps);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    markPrivate(reply);
    if (!mayReadMetrics(request, deps.config.metricsToken)) throw notFound('/metrics');
    return reply.type(metrics.contentType).send(await metrics.serialize());
  });
}
