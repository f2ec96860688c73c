/** CORS, and the check of embedding sites. */
import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { HttpError } from './errors.ts';

const CORS_ALLOWED_HEADERS = ['Access-Token', 'X-XSRF-TOKEN', 'Content-Type', 'Idempotency-Key', 'X-Changer-Device'];

/**
 * CORS: decides per request which origins may read a response. Our own origin may, with credentials. Every other origin
 * may only read, without credentials. If EMBED_ORIGINS does not allow an origin, the response itself reports it, see
 * `checkEmbedding`.
 */
export function createCorsDelegate(config: Config): FastifyCorsOptionsDelegateCallback {
  return (request, callback) => callback(null, corsOptionsFor(request.headers.origin, config));
}

function corsOptionsFor(origin: string | undefined, config: Config): FastifyCorsOptions {
  const shared = { allowedHeaders: CORS_ALLOWED_HEADERS, maxAge: 86_400, strictPreflight: false };
  if (origin !== undefined && origin === config.publicUrl) {
    return { ...shared, origin, credentials: true, methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] };
  }
  return { ...shared, origin: '*', methods: ['GET', 'HEAD'] };
}

/**
 * Rejects requests from third-party sites that EMBED_ORIGINS does not allow. Such a site may read the error response,
 * so that its tag can show the reason. If CORS alone blocked the response, the tag would report that the server is
 * unreachable.
 */
export function checkEmbedding({ headers: { origin }, host }: FastifyRequest, { embedOrigins, publicUrl }: Config): void {
  if (embedOrigins === null || origin === undefined || origin === publicUrl || embedOrigins.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new HttpError(403, `${origin} is not allowed to show these channels.`);
}
