import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const squeezeBrotli = promisify(brotliCompress);
const squeezeGzip = promisify(gzip);

export type Encoding = 'br' | 'gzip';

/** Returns the best encoding that the client accepts; null for none. */
export function encodingFor(accepted: string | undefined): Encoding | null {
  const offered = (accepted ?? '').split(',').map((each) => each.split(';').map((part) => part.trim()));
  const takes = (name: string) => offered.some(([offer, weight]) => offer === name && !/^q=0(\.0*)?$/.test(weight ?? ''));
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : null;
}

/** Returns whether content of this type is worth compressing. */
export const isText = (type: string): boolean => /^text\/|json|svg/.test(type);

/** Cache of encoded bodies: the first request waits some milliseconds, later requests use the result. */
const made = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** Encodes, at high quality, a body that lives as long as the process (a built file). */
export function encodeOnce(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const byEncoding = made.get(body) ?? new Map<Encoding, Promise<Buffer>>();
  made.set(body, byEncoding);
  const encoded = byEncoding.get(encoding) ?? encode(body, encoding, { brotli: 9, gzip: 9 });
  byEncoding.set(encoding, encoded);
  return encoded;
}

/** Compresses a response made for one request: fast rather than small. */
export const encodeQuickly = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encode(body, encoding, { brotli: 3, gzip: 3 });

function encode(body: Buffer, encoding: Encoding, quality: { brotli: number; gzip: number }): Promise<Buffer> {
  if (encoding === 'gzip') return squeezeGzip(body, { level: quality.gzip });
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return squeezeBrotli(body, { params });
}

/** Minimum length of a body that is compressed: below this the response is no smaller on the wire. */
const WORTH_IT = 1024;

/** Response compression: an onSend hook that encodes JSON responses. */
export async function squeezeAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < WORTH_IT || reply.hasHeader('content-encoding')) return payload;
  const encoding = encodingFor(request.headers['accept-encoding']);
  reply.header('vary', 'Access-Token, Origin, Accept-Encoding');
  if (encoding === null) return payload;
  reply.header('content-encoding', encoding).removeHeader('content-length');
  return encodeQuickly(Buffer.from(payload), encoding);
}
