import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { Config } from './config.ts';

const HEADERS = ['Access-Token', 'X-XSRF-TOKEN', 'Content-Type', 'Idempotency-Key'];

/**
 * Decides per request who may read an answer from another origin: our own address with credentials; every other origin (or
 * those of EMBED_ORIGINS) without them, and only to read.
 */
export function corsDelegate(config: Config): FastifyCorsOptionsDelegateCallback {
  return (request, callback) => callback(null, optionsFor(request.headers.origin, config));
}

function optionsFor(origin: string | undefined, config: Config): FastifyCorsOptions {
  const shared = { allowedHeaders: HEADERS, maxAge: 86_400, strictPreflight: false };
  if (origin !== undefined && origin === config.publicUrl) {
    return { ...shared, origin, credentials: true, methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] };
  }
  return { ...shared, origin: config.embedOrigins === null ? '*' : [...config.embedOrigins], methods: ['GET', 'HEAD'] };
}
