// Hostile pictures (decompression bombs): small files that claim very many pixels, truncated files, and files with a false
// type.
import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, body: Buffer): Buffer => {
  const [length, named, sum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(type), body]), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** Creates a PNG that claims this size. It contains only `pixelBytes` bytes of pixels. */
function png(width: number, height: number, { depth = 8, type = 6, interlaced = false, pixelBytes = 10_000 } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, type, 0, 0, interlaced ? 1 : 0], 8);
  const data = chunk('IDAT', deflateSync(Buffer.alloc(pixelBytes)));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), data, chunk('IEND', Buffer.alloc(0))]);
}

/** Creates a GIF with this many frames. Each claims the full size and contains one pixel. */
function gif(side: number, frames: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\xf0\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(side, 6);
  head.writeUInt16LE(side, 8);
  const frame = Buffer.from('2c00000000010001000002024401003b', 'hex').subarray(0, -1);
  frame.writeUInt16LE(side, 5);
  frame.writeUInt16LE(side, 7);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

/** Creates a WebP (VP8X) that claims a canvas of this size. */
function webp(side: number): Buffer {
  const body = Buffer.alloc(10);
  body.writeUIntLE(side - 1, 4, 3);
  body.writeUIntLE(side - 1, 7, 3);
  const chunks = Buffer.concat([Buffer.from('WEBPVP8X\x0a\0\0\0'), body]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(chunks.length);
  return Buffer.concat([Buffer.from('RIFF'), size, chunks]);
}

const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc00011 08ffffffff03012200021101031101ffd9'.replace(' ', ''),
  'hex',
);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"><image href="file:///etc/passwd"/></svg>';
const avif = Buffer.concat([
  Buffer.from([0, 0, 0, 0x1c]),
  Buffer.from('ftypavif\0\0\0\0avifmif1miafMA1B'),
  Buffer.alloc(40, 0xff),
]);

/** The pictures by their defect. */
export const HOSTILE_PICTURES: Readonly<Record<string, Buffer>> = {
  'a PNG of 3.6 billion pixels': png(60_000, 60_000),
  'a PNG of as many as a number holds': png(0x7fffffff, 0x7fffffff),
  'a PNG of none': png(0, 0),
  'a PNG of 119 million pixels in passes, 16 bits each': png(10_900, 10_900, { depth: 16, interlaced: true }),
  'a PNG of 119 million pixels in passes': png(10_900, 10_900, { interlaced: true }),
  'a PNG of one line': png(100_000_000, 1),
  'a PNG that ends in its pixels': png(4000, 4000, { pixelBytes: 100_000 }),
  'a PNG that ends in its head': png(40, 40).subarray(0, 20),
  'a PNG whose colours are none': png(40, 40, { type: 5 }),
  'a JPEG of 4 billion pixels without any': jpeg,
  'a GIF of 4 billion pixels': gif(65_535, 1),
  'a GIF of 9,000 frames of 119 million pixels': gif(10_900, 9000),
  'a WebP of 268 billion pixels': webp(1 << 24),
  'an AVIF of nothing': avif,
  'an SVG under the name of a PNG': Buffer.from(svg),
  'a PNG that is an SVG': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(svg)]),
  nothing: Buffer.alloc(0),
};
