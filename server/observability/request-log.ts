/**
 * What the server writes down, a line of JSON each: what happened to itself, and the requests that failed or took long. Nothing of
 * who asks, and no value that came with a request: routes stand for addresses, and of an error its kind and its place are told.
 */
import type { FastifyRequest } from 'fastify';
import type { App } from '../http/request.ts';
import { troubleOf } from '../lib/infrastructure-errors.ts';

/** What is written of a request and of an error, whoever writes them: Fastify does it too. */
export const serializers = {
  req: (request: FastifyRequest) => ({ method: request.method, route: routeOf(request) }),
  err: describeError,
};

/** The route as it was declared: an address may hold what somebody looks for, or a grant. */
const routeOf = (request: FastifyRequest): string => request.routeOptions?.url ?? 'none';

/** An error's message may quote what was sent or stored: its kind, its code and where it was thrown are enough to find it. */
function describeError(error: unknown): { type: string; message: string; code?: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const code = 'code' in error ? String(error.code) : '';
  return {
    type: error.name,
    message: troubleOf(error) ?? '',
    ...(/^[A-Za-z0-9_]{1,60}$/.test(code) && { code }),
    stack: (error.stack?.match(/^ {4}at .*$/gm) ?? []).join('\n'),
  };
}

/** An answer that takes longer is worth a line, ms. */
const SLOW = 2000;

/** Writes one line of each request that failed or was slow; of the others where somebody looks for a fault. */
export function logRequests(app: App): void {
  app.decorateRequest('failure', null);
  app.addHook('onResponse', async (request, reply) => {
    const [ms, err] = [Math.round(reply.elapsedTime), request.failure];
    const line = { req: request, status: reply.statusCode, ms };
    if (err !== null) return request.log.error({ ...line, err }, 'failed');
    // A stream of events is under way for hours.
    if (ms > SLOW && routeOf(request) !== '/api/events') return request.log.warn(line, 'slow');
    request.log.debug(line, 'answered');
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What nobody foresaw and made the request fail. */
    failure: unknown;
  }
}
