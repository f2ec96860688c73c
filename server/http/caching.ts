import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPrivate } from './request.ts';

/** Whether the asker holds this very version already. */
export function holds(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const bare = etag.replace(/^W\//, '');
  return known.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === bare);
}

/** No body, its described length left standing: to a HEAD without a stream Fastify says `content-length: 0`. */
export const noBody = (request: FastifyRequest): Readable | null => (request.method === 'HEAD' ? Readable.from([]) : null);

/** The validator of a body. */
export const etagOf = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

/**
 * Lets a public answer be kept, to be asked about each time: an ETag and no age, 304 when nothing changed. It says nothing in
 * Cache-Control, for `no-cache` would keep it out of the app's own response cache, which holds answers for five minutes.
 * What one reader alone may see was marked `no-store` before; so is a view that holds private channels.
 */
export async function validatePublic(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('cache-control')) return payload;
  if (request.method !== 'GET' && request.method !== 'HEAD') return payload;
  if (isPrivate(request)) {
    reply.header('cache-control', 'no-store');
    return payload;
  }
  const etag = `W/${etagOf(payload)}`;
  reply.header('etag', etag);
  if (!holds(request, etag)) return payload;
  reply.code(304);
  return noBody(request);
}
