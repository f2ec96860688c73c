/** Security headers, CORS, and the check of embedding sites. */
import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { HttpError } from './errors.ts';

const CORS_ALLOWED_HEADERS = ['Access-Token', 'X-XSRF-TOKEN', 'Content-Type', 'Idempotency-Key'];

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

/** HSTS max-age, s: more than half a year, as preload lists require. */
const HSTS_MAX_AGE_SECONDS = 31_536_000;

/**
 * Content security policy of responses that are not pages: if a browser renders one as a page, nothing in it loads,
 * runs or is framed.
 */
export const DENY_ALL_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns the default security headers of every response; a route may override them. Only a server that is reached by
 * https sends HSTS, and only for its own host: other hosts of the domain are not ours.
 */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': DENY_ALL_CSP,
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${HSTS_MAX_AGE_SECONDS}` }),
});
