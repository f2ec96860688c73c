import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether the asker holds this very version already. */
export function holds(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const bare = etag.replace(/^W\//, '');
  return known.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === bare);
}

/** The validator of a body. */
export const etagOf = (body: string | Buffer): string => `"${createHash('sha1').update(body).digest('base64url')}"`;

/**
 * Lets a public answer be kept but asks for a check each time: ETag without an age, 304 when nothing changed. What a reader
 * alone may see was marked `no-store` before, and an operator's view holds private channels.
 */
export async function validatePublic(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('cache-control')) return payload;
  if (request.method !== 'GET' && request.method !== 'HEAD') return payload;
  if (request.who.type === 'reader' && request.who.reader.operator) return keepOut(reply, payload);
  const etag = `W/${etagOf(payload)}`;
  reply.header('cache-control', 'no-cache').header('etag', etag);
  if (!holds(request, etag)) return payload;
  reply.code(304);
  return null;
}

function keepOut(reply: FastifyReply, payload: string): string {
  reply.header('cache-control', 'no-store');
  return payload;
}
