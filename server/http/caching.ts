import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeOnce, encodeQuickly, encodingFor, isText } from './compression.ts';
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

/** What is answered to anybody, and the same to all. */
export interface Published {
  readonly body: string;
  readonly type: string;
  readonly modified?: Date;
  /** In place of what everything published says. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A minute everywhere, and ten more while somebody asks anew: a cache in front may carry the load. */
const KEPT = 'public, max-age=60, stale-while-revalidate=600';

/** Answers what is the same for everybody: any cache may keep it for a moment. */
export async function sendPublished(request: FastifyRequest, reply: FastifyReply, { body, type, modified, headers }: Published) {
  const etag = `W/${etagOf(body)}`;
  const encoding = encodingFor(request.headers['accept-encoding']);
  reply
    .headers({
      ...{ 'cache-control': KEPT, etag, vary: 'Accept-Encoding, Origin' },
      ...headers,
      ...(modified && { 'last-modified': modified.toUTCString() }),
    })
    .type(`${type}; charset=utf-8`);
  if (isHeld(request, etag, modified)) return reply.code(304).send(noBody(request));
  if (encoding === null) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await encodeQuickly(Buffer.from(body), encoding));
}

/**
 * Whether the asker has it already. By the time alone only the very same one counts: a post that was hidden leaves an older time
 * behind, which is no less of a change.
 */
function isHeld(request: FastifyRequest, etag: string, modified: Date | undefined): boolean {
  if (request.headers['if-none-match'] !== undefined) return holds(request, etag);
  return modified !== undefined && request.headers['if-modified-since'] === modified.toUTCString();
}

/** One file of the built app, held in memory: they are small, and reading from disk would cost more than all else. */
export interface WebFile {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers a file that is held in memory, encoded once for all who ask. */
export async function sendFile(file: WebFile, status: 200 | 404, request: FastifyRequest, reply: FastifyReply) {
  reply
    .code(status)
    .headers({ ...file.headers, etag: file.etag })
    .type(file.type);
  const text = isText(file.type);
  if (text) reply.header('vary', `Accept-Encoding, Origin${file.type.startsWith('text/html') ? ', Accept-Language' : ''}`);
  if (status === 200 && holds(request, file.etag)) return reply.code(304).send(noBody(request));
  const encoding = text ? encodingFor(request.headers['accept-encoding']) : null;
  if (encoding === null) return reply.send(file.body);
  return reply.header('content-encoding', encoding).send(await encodeOnce(file.body, encoding));
}
