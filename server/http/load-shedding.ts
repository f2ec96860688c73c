/**
 * Load shedding: rejects requests when the server is overloaded. Anonymous reads are rejected first, then reads of readers, and
 * sign-ins and all writes last, because a client cannot safely repeat those without knowing their result. Health checks always
 * get a response. Pages too: the app shell costs almost nothing and shows the content that the device has stored. A client that
 * causes most of the work is rejected before all others, for any request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './errors.ts';
import { type App, isProgrammaticPath, pathOf } from './request.ts';
import { createWorkByClient } from './work-by-client.ts';

/** Load of the server: 1 is the most that it can handle well. */
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

/** Pressure level from which each kind of request is rejected. */
const REJECTION_LEVELS = { cause: 1, anonymous: 1, reader: 2, write: 4 };
/**
 * Factor by which the limits of the other clients rise while one client causes most of the work: rejecting that client is what
 * helps.
 */
const OTHER_CLIENTS_FACTOR = 2;

export function createLoadMeter(): LoadMeter {
  let delayMs = 0;
  let inFlight = 0;
  let due = performance.now() + MEASURE_INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    // Smoothed: one long handler among many short ones is no overload.
    delayMs += (Math.max(0, now - due) - delayMs) / 4;
    due = now + MEASURE_INTERVAL_MS;
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
export function registerLoadShedding(app: App, pressure: LoadMeter, clientOf: (request: FastifyRequest) => string): void {
  const rejections = createRejectionCounter(app);
  const work = createWorkByClient();
  app.addHook('onClose', async () => {
    pressure.stop();
    rejections.log();
  });
  // A client that sends or receives slowly causes no work in the meantime. If its request counted, some hundred that never end
  // would block all other clients.
  const finishers = new WeakMap<FastifyRequest, () => void>();
  const trackWork = (request: FastifyRequest, reply: FastifyReply) => {
    // An event stream is in progress for hours and has its own limit (`lib/concurrency.ts`).
    if (pathOf(request.url) === '/api/events') return;
    const endTracking = pressure.trackRequest();
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
    const level = pressure.level();
    if (level < REJECTION_LEVELS.cause || !isProgrammaticPath(request.url)) return;
    const cause = work.heaviestClient();
    if (
      cause !== clientOf(request) &&
      level < REJECTION_LEVELS[classifyRequest(request)] * (cause === null ? 1 : OTHER_CLIENTS_FACTOR)
    )
      return;
    rejections.count();
    request.rejection = 'overload';
    reply.header('retry-after', 2 + Math.floor(Math.random() * 4));
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
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  const log = () => {
    clearTimeout(timer);
    timer = undefined;
    if (refused > 0) app.log.warn({ refused }, 'rejected requests because of overload');
    refused = 0;
  };
  return {
    log,
    count() {
      refused += 1;
      timer ??= setTimeout(log, LOG_INTERVAL_MS).unref();
    },
  };
}

function classifyRequest({ method, headers }: FastifyRequest): 'anonymous' | 'reader' | 'write' {
  if (method !== 'GET' && method !== 'HEAD') return 'write';
  return headers['access-token'] === undefined ? 'anonymous' : 'reader';
}
