import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { FetchRefused } from '../fetch/errors.ts';

/** What answers may be packed in; asked for, and nothing else is unpacked. */
export const ENCODINGS = 'gzip, br';

const unpacked = (response: IncomingMessage): Readable => {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return response;
  // pipeline, unlike pipe, ends the answer when the unpacking fails; whoever reads the last stream hears of the error there.
  if (coding === 'gzip' || coding === 'x-gzip') return pipeline(response, createGunzip(), () => {});
  if (coding === 'br') return pipeline(response, createBrotliDecompress(), () => {});
  throw new FetchRefused('encoding', `The answer is packed as ${coding.slice(0, 50)}, which was not asked for.`);
};

const tooLarge = (most: number) => new FetchRefused('too-large', `The answer is larger than ${most} bytes.`);

/** Reads an answer whole, unpacked; refused as soon as it is known to be larger than `most` bytes, packed or unpacked. */
export async function readBody(response: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(response)) {
      const bytes: Buffer = chunk;
      size += bytes.length;
      if (size > most) throw tooLarge(most);
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof FetchRefused) throw error;
    throw new FetchRefused('torn', 'The answer broke off or cannot be unpacked.', { cause: error });
  }
  return Buffer.concat(chunks, size);
}
