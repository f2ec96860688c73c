/** Server assembly: creates the Fastify app with its hooks, plugins and all routes. */
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { authenticate, requireReader } from './auth/identity.ts';
import { authRoutes, sessionRoutes } from './auth/routes.ts';
import { channelRoutes } from './channels/routes.ts';
import { devHostRoutes } from './dev-host.ts';
import { eventRoutes } from './events/routes.ts';
import { addPublicEtag } from './http/caching.ts';
import { clientAddress, requestId } from './http/client.ts';
import { compressResponse } from './http/compression.ts';
import { limitConnections } from './http/connections.ts';
import { checkEmbedding, createCorsDelegate } from './http/cors.ts';
import { checkXsrf } from './http/csrf.ts';
import { sendClientError, sendError, sendProblem } from './http/errors.ts';
import { enableGracefulShutdown } from './http/graceful-shutdown.ts';
import { registerJsonParser } from './http/json-body.ts';
import { createLoadMeter, registerLoadShedding } from './http/load-shedding.ts';
import { registerApiDocs } from './http/openapi.ts';
import { createRateLimits, MonotonicRateLimitStore, type RateLimits } from './http/rate-limit.ts';
import { allowReplicaReads } from './http/replica-reads.ts';
import { ANONYMOUS, type App, decorateRequestState, isProgrammaticPath, markPrivate, pathOf } from './http/request.ts';
import { compileSerializer, compileValidator } from './http/schemas.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { LogLevel } from './lib/logger.ts';
import { mediaRoutes } from './media/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { healthRoutes } from './observability/health.ts';
import { metricsRoutes } from './observability/metrics.ts';
import { logRequests, logSerializers } from './observability/request-log.ts';
import { auditRoutes } from './operators/audit.ts';
import { brandRoutes } from './operators/branding.ts';
import { connectRoutes, demoRoutes, operatorChannelRoutes, operatorFeedRoutes } from './operators/channels.ts';
import { gapRoutes, hiddenPostRoutes } from './operators/moderation.ts';
import { rightsRoutes } from './operators/rights.ts';
import { siteKeyRoutes } from './operators/site-keys.ts';
import { channelPostRoutes, feedRoutes, postRoutes, searchRoutes } from './posts/routes.ts';
import { publishedFeedRoutes } from './publishing/feeds/routes.ts';
import { oembedRoutes } from './publishing/oembed.ts';
import { elementRoutes } from './publishing/pages/elements.ts';
import { NOT_FOUND_TAG, sendPage, webRoutes } from './publishing/pages/routes.ts';
import { privacyRoutes } from './publishing/privacy.ts';
import { sitemapRoutes } from './publishing/sitemap.ts';
import { accountRoutes } from './readers/account.ts';
import { readerFeedRoutes } from './readers/feeds.ts';
import { keptUnreadRoutes } from './readers/kept-unread.ts';
import { lineupRoutes } from './readers/lineup.ts';
import { markRoutes } from './readers/marks.ts';
import { starRoutes } from './readers/stars.ts';
import type { Services } from './services.ts';
import { telegramRoutes } from './sources/telegram/webhook-route.ts';

/** Maximum size of a request body, bytes. A route that accepts more sets its own limit. */
const MAX_BODY_BYTES = 16 * 1024;

/** Timeouts of the request headers and of the complete request, ms. 60 s for a megabyte is 18 kB a second. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Interval at which Node checks these timeouts, ms. */
const CONNECTION_CHECK_INTERVAL_MS = 5000;
/**
 * Idle timeout of a connection with a pending response, ms. A client that does not receive is disconnected. Event
 * streams send something every 15 s.
 */
const CONNECTION_IDLE_TIMEOUT_MS = 60_000;
/** Maximum length of a path parameter, characters. */
const MAX_PATH_PARAM_LENGTH = 200;

/**
 * Log level and destination: `stdout.ts`, or a test's stream. Without a stream, pino writes to its own standard output,
 * which a full disk blocks.
 */
export interface LogOptions {
  readonly level: LogLevel;
  readonly stream?: { write(line: string): void };
}

const API_ROUTES = [
  authRoutes,
  accountRoutes,
  sessionRoutes,
  channelRoutes,
  channelPostRoutes,
  postRoutes,
  feedRoutes,
  readerFeedRoutes,
  searchRoutes,
  lineupRoutes,
  markRoutes,
  starRoutes,
  keptUnreadRoutes,
  notificationRoutes,
  demoRoutes,
  eventRoutes,
  hiddenPostRoutes,
  gapRoutes,
  auditRoutes,
  rightsRoutes,
  brandRoutes,
  operatorFeedRoutes,
  connectRoutes,
  siteKeyRoutes,
  operatorChannelRoutes,
  telegramRoutes,
  healthRoutes,
];

/** Builds the app without listening; `main.ts` listens. */
export async function buildApp(services: Services, log: LogOptions, loadMeter = createLoadMeter()): Promise<App> {
  const app = createBareApp(services, log);
  // Registered first: metrics cover only the routes that are registered after this.
  metricsRoutes(app, services);
  await app.register(cookie);
  await app.register(cors, () => createCorsDelegate(services.config));
  // After CORS: other sites can read the rejection only with its headers.
  registerLoadShedding(app, loadMeter, ({ raw }) => clientAddress(raw, services.config));
  await app.register(rateLimit, { global: false, store: MonotonicRateLimitStore });
  await registerApiDocs(app);
  await app.register(async (api) => registerApi(api, services, createRateLimits(app, services.config)));
  mediaRoutes(app, services);
  publishedFeedRoutes(app, services);
  oembedRoutes(app, services);
  sitemapRoutes(app, services);
  elementRoutes(app, services);
  privacyRoutes(app, services);
  webRoutes(app, services);
  if (services.devHostFolder !== null) devHostRoutes(app, services, services.devHostFolder);
  return app;
}

/**
 * Creates the Fastify server with the settings that apply to every route: request parsing, security headers and error
 * handling.
 */
function createBareApp(services: Services, log: LogOptions): App {
  const headers = securityHeaders(services.config);
  const app: App = Fastify({
    logger: { ...log, serializers: logSerializers },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestId(raw, services.config),
    // X-Forwarded-Host and X-Forwarded-Proto, from the same proxies as the client's address.
    trustProxy: (address: string | undefined) => services.config.trustProxy(address ?? ''),
    bodyLimit: MAX_BODY_BYTES,
    // Requests on open connections are still handled during shutdown (`http/connections.ts`).
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_IDLE_TIMEOUT_MS,
    // A request without a Host header is rejected below, with our security headers.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_PARAM_LENGTH },
    clientErrorHandler: (error, socket) => {
      const id = requestId({ headers: {}, socket }, services.config);
      app.log.debug({ reqId: id, err: error }, 'invalid HTTP request');
      sendClientError(error, socket, id, headers);
    },
    frameworkErrors: (_error, request, reply) => sendMalformedUrlResponse(request, reply, services),
  }).withTypeProvider<TypeBoxTypeProvider>();
  decorateRequestState(app);
  logRequests(app);
  enableGracefulShutdown(app);
  limitConnections(app.server, services.config);
  // An unknown `Expect` header is ignored (RFC 9110, 10.1.1). Node's own response would lack our security headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  registerJsonParser(app);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendProblem(reply, 404, `There is no ${request.method} ${pathOf(request.url)}.`));
  app.addHook('onRequest', async (request, reply) => {
    request.principal = ANONYMOUS;
    reply.headers(headers).header('x-request-id', request.id);
    if (request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined)
      return sendProblem(reply, 400, 'The request has no Host header.');
  });
  allowReplicaReads(app);
  return app;
}

/**
 * Handles a URL with a malformed % escape. Fastify rejects it before any route or hook. The response is the not-found
 * page, or a problem on paths for programs.
 */
function sendMalformedUrlResponse(request: FastifyRequest, reply: FastifyReply, services: Services) {
  reply.headers(securityHeaders(services.config)).header('x-request-id', request.id);
  if (isProgrammaticPath(request.url)) return sendProblem(reply, 400, 'The URL contains an invalid % escape.');
  return sendPage(NOT_FOUND_TAG, request, reply, services);
}

/**
 * Registers everything under /api: authenticates the caller, checks writes, adds ETags, and compresses responses.
 */
function registerApi(api: App, services: Services, limits: RateLimits): void {
  api.addHook('onRequest', async (request, reply) => {
    // Also of responses that are too short to compress, and of a 304.
    reply.header('vary', 'Access-Token, Origin, Accept-Encoding');
    checkEmbedding(request, services.config);
    checkXsrf(request);
    if (request.routeOptions.config.signsIn !== true && request.headers['access-token'] !== undefined)
      request.principal = await limits.throttleTokens(request, reply, () => authenticate(request, services));
    if (request.principal.type === 'site') markPrivate(reply);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const { writableBy = 'reader' } = request.routeOptions.config;
      if (writableBy !== 'telegram') await limits.limitWrites(request, reply);
      // Before the body is parsed, so that no time is spent on the body of an anonymous caller.
      if (writableBy === 'reader') requireReader(request, reply);
    }
  });
  api.addHook('onSend', addPublicEtag);
  api.addHook('onSend', compressResponse);
  for (const routes of API_ROUTES) routes(api, services, limits);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route issues a token, so an expired token in the request does not matter. */
    signsIn?: boolean;
    /**
     * Callers that may use this route to make a change. Default: signed-in readers; others get 401 before the body is
     * parsed.
     */
    writableBy?: 'anyone' | 'telegram';
  }
}
