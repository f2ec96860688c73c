/**
 * Load shedding: rejects requests when the server is overloaded. Anonymous reads are rejected first, then reads of
 * readers, and sign-ins and all writes last, because a client cannot safely repeat those without knowing their result.
 * Health checks always get a response. Pages too: the app shell costs almost nothing and shows the content that the
 * device has stored. A client that causes most of the work is rejected before all others, for any request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './errors.ts';
import { type App, isProgrammaticPath, pathOf } from './request.ts';
import { createWorkByClient } from './work-by-client.ts';

/** Load of the server: 1 is the maximum that it can handle well. */
export interface LoadMeter {
  level(): number;
  /** Records that a request is in progress. Returns a function that records its end, once. */
  trackRequest(): () => void;
  stop(): void;
}

/** Event loop delay, ms, and number of requests in progress that correspond to level 1. */
const MAX_DELAY_MS = 500;
const MAX_REQUESTS_IN_FLIGHT = 500;
/** Measuring interval, ms. */
const MEASURE_INTERVAL_MS = 50;
/** Number of measurements over which the delay is smoothed: one long handler among many short ones is no overload. */
const SMOOTHING = 4;

/**
 * Load level from which each kind of request is rejected; `cause`: the requests of the client that causes most of the
 * work.
 */
const REJECTION_LEVELS = { cause: 1, anonymous: 1, reader: 2, write: 4 };
/**
 * Factor by which the limits of the other clients rise while one client causes most of the work: rejecting that client
 * is what helps.
 */
const OTHER_CLIENTS_FACTOR = 2;
/** Range of the random Retry-After, s. */
const [MIN_RETRY_AFTER_SECONDS, RETRY_AFTER_SPREAD_SECONDS] = [2, 4];

/** Creates a meter that measures the delay of the event loop until `stop()`. */
export function createLoadMeter(): LoadMeter {
  let delayMs = 0;
  let inFlight = 0;
  let expectedAt = performance.now() + MEASURE_INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delayMs += (Math.max(0, now - expectedAt) - delayMs) / SMOOTHING;
    expectedAt = now + MEASURE_INTERVAL_MS;
  }, MEASURE_INTERVAL_MS).unref();
  return {
    level: () => Math.max(delayMs / MAX_DELAY_MS, inFlight / MAX_REQUESTS_IN_FLIGHT),
    trackRequest() {
      inFlight += 1;
      let isInFlight = true;
      return () => {
        if (isInFlight) inFlight -= 1;
        isInFlight = false;
      };
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Rejects requests during overload, with a randomized Retry-After so that clients do not return all at once. `clientOf`
 * identifies the client of a request, as in the rate limits.
 */
export function registerLoadShedding(app: App, loadMeter: LoadMeter, clientOf: (request: FastifyRequest) => string): void {
  const rejections = createRejectionCounter(app);
  const work = createWorkByClient();
  app.addHook('onClose', async () => {
    loadMeter.stop();
    rejections.log();
  });
  // A client that sends or receives slowly causes no work in the meantime. If its request counted, some hundred that
  // never end would block all other clients.
  const finishers = new WeakMap<FastifyRequest, () => void>();
  const trackWork = (request: FastifyRequest, reply: FastifyReply) => {
    // An event stream is in progress for hours and has its own limit (`lib/concurrency.ts`).
    if (pathOf(request.url) === '/api/events') return;
    const endTracking = loadMeter.trackRequest();
    const [client, startedAt] = [clientOf(request), performance.now()];
    const finish = () => {
      endTracking();
      if (finishers.delete(request)) work.add(client, performance.now() - startedAt);
    };
    finishers.set(request, finish);
    reply.raw.once('close', finish);
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) trackWork(request, reply);
    const level = loadMeter.level();
    if (level < REJECTION_LEVELS.cause || !isProgrammaticPath(request.url)) return;
    const heaviestClient = work.heaviestClient();
    const maxLevel = REJECTION_LEVELS[classifyRequest(request)] * (heaviestClient === null ? 1 : OTHER_CLIENTS_FACTOR);
    if (heaviestClient !== clientOf(request) && level < maxLevel) return;
    rejections.count();
    request.rejection = 'overload';
    reply.header('retry-after', MIN_RETRY_AFTER_SECONDS + Math.floor(Math.random() * RETRY_AFTER_SPREAD_SECONDS));
    return sendProblem(reply, 503, 'The server is overloaded at the moment. Try again in a few seconds.');
  });
  app.addHook('preValidation', async (request, reply) => {
    if (hasBody(request)) trackWork(request, reply);
  });
  app.addHook('onSend', async (request) => finishers.get(request)?.());
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Interval at which rejections are logged, ms: a line for each one would add load. */
const LOG_INTERVAL_MS = 60_000;

function createRejectionCounter(app: App) {
  let rejectedCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const log = () => {
    clearTimeout(timer);
    timer = undefined;
    if (rejectedCount > 0) app.log.warn({ refused: rejectedCount }, 'rejected requests because of overload');
    rejectedCount = 0;
  };
  return {
    log,
    count() {
      rejectedCount += 1;
      timer ??= setTimeout(log, LOG_INTERVAL_MS).unref();
    },
  };
}

function classifyRequest({ method, headers }: FastifyRequest): 'anonymous' | 'reader' | 'write' {
  if (method !== 'GET' && method !== 'HEAD') return 'write';
  return headers['access-token'] === undefined ? 'anonymous' : 'reader';
}
