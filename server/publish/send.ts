import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, holds, noBody } from '../http/caching.ts';
import { encodeQuickly, encodingFor } from '../http/content-negotiation.ts';

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
