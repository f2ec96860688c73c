/** Response compression: brotli and gzip. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, negotiateEncoding } from './content-negotiation.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Returns whether content of this type is worth compressing. */
export const isCompressible = (type: string): boolean => /^text\/|json|svg/.test(type);

/** Cache of encoded bodies: the first request waits some milliseconds, later requests use the result. */
const compressedBodies = new WeakMap<Buffer, Map<ContentEncoding, Promise<Buffer>>>();

/** Encodes, at high quality, a body that lives as long as the process (a built file). */
export function compressCached(body: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  const byEncoding = compressedBodies.get(body) ?? new Map<ContentEncoding, Promise<Buffer>>();
  compressedBodies.set(body, byEncoding);
  const encoded = byEncoding.get(encoding) ?? compress(body, encoding, { brotli: 9, gzip: 9 });
  byEncoding.set(encoding, encoded);
  return encoded;
}

/** Compresses a response made for one request: fast rather than small. */
export const compressFast = (body: Buffer, encoding: ContentEncoding): Promise<Buffer> =>
  compress(body, encoding, { brotli: 3, gzip: 3 });

function compress(body: Buffer, encoding: ContentEncoding, quality: { brotli: number; gzip: number }): Promise<Buffer> {
  if (encoding === 'gzip') return compressGzip(body, { level: quality.gzip });
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compressBrotli(body, { params });
}

/** Minimum length of a body that is compressed: a shorter one is no smaller on the wire. */
const MIN_COMPRESSED_BYTES = 1024;

/** The onSend hook that compresses JSON responses. */
export async function compressResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < MIN_COMPRESSED_BYTES || reply.hasHeader('content-encoding')) return payload;
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  if (encoding === null) return payload;
  reply.header('content-encoding', encoding).removeHeader('content-length');
  return compressFast(Buffer.from(payload), encoding);
}
