import sharp from 'sharp';

const bytes = (value: number): Buffer => {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
};

const float = (value: number): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(value);
  return buffer;
};

/** Returns an EBML element (RFC 8794): its id, its size and its content. */
const element = (id: number, ...parts: readonly (Buffer | string | number)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'number' ? bytes(part) : Buffer.from(part))));
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(content.length) | (1n << 56n));
  return Buffer.concat([bytes(id), content.length < 127 ? Buffer.from([0x80 | content.length]) : size, content]);
};

/** Returns the frame of a lossy WebP file, which is a VP8 key frame. */
const frameOf = (webp: Buffer): Buffer => {
  const start = webp.indexOf('VP8 ');
  return webp.subarray(start + 8, start + 8 + webp.readUInt32LE(start + 4));
};

const FRAME_MS = 100;

/** Creates a video that browsers play from one picture that is shown three times: 0.3 seconds of VP8 in WebM. */
export const webmOf = async (picture: Buffer, side: number): Promise<Buffer> => {
  const frame = frameOf(await sharp(picture).resize(side, side).webp({ quality: 60 }).toBuffer());
  const block = (ms: number) => element(0xa3, Buffer.from([0x81, ms >> 8, ms & 0xff, 0x80]), frame);
  const head = element(0x1a45dfa3, element(0x4282, 'webm'), element(0x4287, 2), element(0x4285, 2));
  const info = element(0x1549a966, element(0x2ad7b1, 1_000_000), element(0x4489, float(3 * FRAME_MS)));
  const shape = element(0xe0, element(0xb0, side), element(0xba, side));
  const track = element(0xae, element(0xd7, 1), element(0x73c5, 1), element(0x83, 1), element(0x86, 'V_VP8'), shape);
  const cluster = element(0x1f43b675, element(0xe7, 0), block(0), block(FRAME_MS), block(2 * FRAME_MS));
  return Buffer.concat([head, element(0x18538067, info, element(0x1654ae6b, track), cluster)]);
};
