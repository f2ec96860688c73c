/** HTTP caching: ETags, conditional requests (304) and Cache-Control. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SHARED_CACHE_SECONDS } from '../../contract/limits.ts';
import { compressCached, compressFast, isCompressible } from './compression.ts';
import { negotiateEncoding } from './content-negotiation.ts';
import { hasXsrfCookie } from './csrf.ts';
import { isPrivate } from './request.ts';

/** Directives that only shared caches use. */
const SHARED_DIRECTIVE = /^(public|s-maxage=\d+|stale-while-revalidate=\d+)$/;

/**
 * Returns the Cache-Control of a response that is the same for all callers. The response to a request with credentials
 * is private nevertheless: some shared caches ignore Vary, and no cache rule of an operator can then store it. Immutable
 * files stay public, because their URL contains a hash of their content.
 */
function cacheControlFor(request: FastifyRequest, cacheControl: string): string {
  const directives = cacheControl.split(', ');
  if (!(request.isUnshared || hasCredentials(request)) || !directives.includes('public') || directives.includes('immutable'))
    return cacheControl;
  return ['private', ...directives.filter((directive) => !SHARED_DIRECTIVE.test(directive))].join(', ');
}

/** Returns whether a request comes from a signed-in reader, or carries another secret. Other cookies change no response. */
export const hasCredentials = (request: FastifyRequest): boolean =>
  'access-token' in request.headers || 'authorization' in request.headers || hasXsrfCookie(request);

/** Adds X-Forwarded-Host if it was sent: it may be part of the links in the response. */
const varyOf = (request: FastifyRequest, names: string): string =>
  'x-forwarded-host' in request.headers ? `${names}, X-Forwarded-Host` : names;

/** Returns whether the client already has this exact version (If-None-Match). */
export function matchesEtag(request: FastifyRequest, etag: string): boolean {
  const clientEtags = request.headers['if-none-match'];
  if (clientEtags === undefined) return false;
  const strongEtag = etag.replace(/^W\//, '');
  return clientEtags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === strongEtag);
}

/**
 * Returns an empty body that leaves the Content-Length header as it is. Without a stream, Fastify sends
 * `content-length: 0` to a HEAD request.
 */
export const emptyBody = (request: FastifyRequest): Readable | null => (request.method === 'HEAD' ? Readable.from([]) : null);

/** Computes the ETag of a body. */
export const etagOf = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

/**
 * Cache-Control of public responses of the API. Shared caches use them for some seconds. Browsers revalidate them each
 * time, because there is no max-age. It is not `max-age=0` or `no-cache`: with these, the app's own response cache would
 * not store the response, which it does for five minutes.
 */
const API_CACHE_CONTROL = `public, s-maxage=${SHARED_CACHE_SECONDS}`;

/**
 * Lets caches store a public response and revalidate it: it has an ETag, and the response is 304 if nothing changed.
 * Responses for one reader are marked `no-store` before this hook, responses with private channels in it.
 */
export async function addPublicEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('cache-control')) return payload;
  if (request.method !== 'GET' && request.method !== 'HEAD') return payload;
  if (isPrivate(request)) {
    reply.header('cache-control', 'no-store');
    return payload;
  }
  const etag = `W/${etagOf(payload)}`;
  reply.headers({ etag, 'cache-control': cacheControlFor(request, API_CACHE_CONTROL) });
  if (!matchesEtag(request, etag)) return payload;
  reply.code(304);
  return emptyBody(request);
}

/** Response that is public and the same for all callers. */
export interface PublicDocument {
  readonly body: string;
  readonly type: string;
  /** Time of the last change, for Last-Modified. */
  readonly modified?: Date;
  /** Overrides the default headers of published responses. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Fresh for one minute in browsers and feed readers, and for half a minute in shared caches. A cache may use it for one
 * more minute while it revalidates it.
 */
const PUBLIC_CACHE_CONTROL = 'public, max-age=60, s-maxage=30, stale-while-revalidate=60';

/** Sends a response that is the same for all callers. Any cache may store it for a short time. */
export async function sendPublicDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, modified, headers }: PublicDocument,
) {
  const etag = `W/${etagOf(body)}`;
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  reply
    .headers({
      'cache-control': cacheControlFor(request, PUBLIC_CACHE_CONTROL),
      etag,
      vary: varyOf(request, 'Accept-Encoding, Origin'),
      ...headers,
      ...(modified && { 'last-modified': modified.toUTCString() }),
    })
    .type(`${type}; charset=utf-8`);
  if (isNotModified(request, etag, modified)) return reply.code(304).send(emptyBody(request));
  if (encoding === null) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await compressFast(Buffer.from(body), encoding));
}

/**
 * Returns whether the client already has this version. Without an ETag, only exactly the same modification time counts:
 * after a post is hidden, the time is older, and that is a change too.
 */
function isNotModified(request: FastifyRequest, etag: string, modified: Date | undefined): boolean {
  if (request.headers['if-none-match'] !== undefined) return matchesEtag(request, etag);
  return modified !== undefined && request.headers['if-modified-since'] === modified.toUTCString();
}

/**
 * File of the built app in memory. The files are small, and reading them from disk would cost more than the rest of the
 * request.
 */
export interface WebFile {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends an in-memory file. Its encoding is computed once for all requests. */
export async function sendWebFile(file: WebFile, status: 200 | 404, request: FastifyRequest, reply: FastifyReply) {
  reply
    .code(status)
    .headers({ ...file.headers, etag: file.etag })
    .header('cache-control', cacheControlFor(request, file.headers['cache-control'] ?? 'no-cache'))
    .type(file.type);
  const isText = isCompressible(file.type);
  const isPage = file.type.startsWith('text/html');
  if (isText) reply.header('vary', varyOf(request, `Accept-Encoding, Origin${isPage ? ', Accept-Language' : ''}`));
  if (status === 200 && matchesEtag(request, file.etag)) return reply.code(304).send(emptyBody(request));
  const encoding = isText ? negotiateEncoding(request.headers['accept-encoding']) : null;
  if (encoding === null) return reply.send(file.body);
  return reply.header('content-encoding', encoding).send(await compressCached(file.body, encoding));
}
