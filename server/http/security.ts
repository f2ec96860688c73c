import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Refusal } from './errors.ts';

const HEADERS = ['Access-Token', 'X-XSRF-TOKEN', 'Content-Type', 'Idempotency-Key'];

/**
 * Decides per request who may read an answer from another origin: our own address with credentials; every other origin without
 * them, and only to read. That EMBED_ORIGINS does not name one is said by the answer, see checkEmbedding.
 */
export function corsDelegate(config: Config): FastifyCorsOptionsDelegateCallback {
  return (request, callback) => callback(null, optionsFor(request.headers.origin, config));
}

function optionsFor(origin: string | undefined, config: Config): FastifyCorsOptions {
  const shared = { allowedHeaders: HEADERS, maxAge: 86_400, strictPreflight: false };
  if (origin !== undefined && origin === config.publicUrl) {
    return { ...shared, origin, credentials: true, methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] };
  }
  return { ...shared, origin: '*', methods: ['GET', 'HEAD'] };
}

/**
 * Refuses another site that EMBED_ORIGINS does not name. It may read the refusal, so that its tag can tell it why; a browser
 * that was merely not allowed to read an answer would take the server for unreachable.
 */
export function checkEmbedding({ headers: { origin }, host }: FastifyRequest, { embedOrigins, publicUrl }: Config): void {
  if (embedOrigins === null || origin === undefined || origin === publicUrl || embedOrigins.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new Refusal(403, `${origin} is not among the sites that may show these channels.`);
}

/** Half a year and more, as lists of careful sites ask for, s. */
const HTTPS_FOR = 31_536_000;

/** The policy of what is no page: should a browser show it as one, nothing in it loads, runs or is framed. */
export const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What every answer says to browsers unless its route says better. Only who is reached by https may promise to stay so, and only
 * for the one host: others of its domain are not ours.
 */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': CLOSED,
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${HTTPS_FOR}` }),
});
