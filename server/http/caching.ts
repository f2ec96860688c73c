/** HTTP caching: ETags, conditional requests (304) and Cache-Control. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressCached, compressFast, isCompressible, negotiateEncoding } from './compression.ts';
import { isPrivate } from './request.ts';

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
 * Lets clients store a public response and revalidate it each time: it has an ETag and no max-age, and the response is
 * 304 if nothing changed. It sets no Cache-Control: with `no-cache`, the app's own response cache would not store the
 * response, which it does for five minutes. Responses for one reader are marked `no-store` before this hook, responses
 * with private channels in it.
 */
export async function addPublicEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('cache-control')) return payload;
  if (request.method !== 'GET' && request.method !== 'HEAD') return payload;
  if (isPrivate(request)) {
    reply.header('cache-control', 'no-store');
    return payload;
  }
  const etag = `W/${etagOf(payload)}`;
  reply.header('etag', etag);
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
 * Fresh for one minute in every cache. For ten more minutes a cache may use it while it revalidates it, so that a cache
 * in front of the server can take over the load.
 */
const PUBLIC_CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600';

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
      'cache-control': PUBLIC_CACHE_CONTROL,
      etag,
      vary: 'Accept-Encoding, Origin',
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
    .type(file.type);
  const isText = isCompressible(file.type);
  if (isText) reply.header('vary', `Accept-Encoding, Origin${file.type.startsWith('text/html') ? ', Accept-Language' : ''}`);
  if (status === 200 && matchesEtag(request, file.etag)) return reply.code(304).send(emptyBody(request));
  const encoding = isText ? negotiateEncoding(request.headers['accept-encoding']) : null;
  if (encoding === null) return reply.send(file.body);
  return reply.header('content-encoding', encoding).send(await compressCached(file.body, encoding));
}
