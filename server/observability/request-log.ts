/**
 * Request log: JSON lines for the server's own events and for requests that failed or were slow. No line contains data
 * about the client or values of a request. Route patterns replace URLs. Errors are logged with their type and stack.
 */
import type { FastifyRequest } from 'fastify';
import { type App, requireRequestState } from '../http/request.ts';
import { classifyFailure } from '../lib/infrastructure-errors.ts';

/** Log serializers of a request and of an error. Fastify uses them in its own lines too. */
export const logSerializers = {
  req: (request: FastifyRequest) => ({ method: request.method, route: routeOf(request) }),
  err: serializeError,
};

/** Returns the route pattern as it was declared. A URL may contain search terms or a grant. */
const routeOf = (request: FastifyRequest): string => request.routeOptions?.url ?? 'none';

/**
 * Describes an error. Its message may quote input or stored data, so only its type, its code and its stack are logged.
 * They are enough to find it.
 */
function serializeError(error: unknown): { type: string; message: string; code?: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const code = 'code' in error ? String(error.code) : '';
  return {
    type: error.name,
    message: classifyFailure(error)?.detail ?? '',
    ...(/^[A-Za-z0-9_]{1,60}$/.test(code) && { code }),
    stack: (error.stack?.match(/^ {4}at .*$/gm) ?? []).join('\n'),
  };
}

/** Duration above which a response is logged as slow, ms. */
const SLOW_REQUEST_MS = 2000;

/** Logs each request that failed or was slow. Other requests are logged at debug level. */
export function logRequests(app: App): void {
  requireRequestState(app);
  app.addHook('onResponse', async (request, reply) => {
    const [ms, err] = [Math.round(reply.elapsedTime), request.failure];
    const line = { req: request, status: reply.statusCode, ms };
    if (err !== null) return request.log.error({ ...line, err }, 'failed');
    // An event stream is in progress for hours.
    if (ms > SLOW_REQUEST_MS && routeOf(request) !== '/api/events') return request.log.warn(line, 'slow');
    request.log.debug(line, 'completed');
  });
}
