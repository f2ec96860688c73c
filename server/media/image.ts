/** Image decoding: size and placeholder colours of untrusted images, within memory limits. */
import sharp, { type Metadata, type SharpOptions } from 'sharp';

/** Properties of an image that are known before it is downloaded. */
export interface ImageMeasures {
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
}

/**
 * Maximum number of pixels, against decompression bombs. The largest picture that Telegram stores as a photo has 6.5
 * million pixels.
 */
const MAX_PIXELS = 120_000_000;
/**
 * Maximum memory, bytes, of a picture that must be decoded completely: an interlaced PNG of 4 MB took a gigabyte. A
 * progressive JPEG of 64 million pixels stays below this limit.
 */
const MAX_DECODED_BYTES = 384 * 1024 * 1024;

/** Width and height of the placeholder, in pixels of three bytes (RGB). */
const PLACEHOLDER_SIDE = 3;
const PLACEHOLDER_BYTES = PLACEHOLDER_SIDE * PLACEHOLDER_SIDE * 3;

// Files are processed one after another while the server handles requests: no cache, one thread.
sharp.cache(false);
sharp.concurrency(1);

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Formats that are decoded line by line, unless they are progressive or interlaced. */
const LINE_FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png']);

/**
 * Returns the bytes of a picture that are in memory at once, if it cannot be decoded line by line. A progressive JPEG's
 * coefficients have two bytes.
 */
const decodedBytesOf = ({ width, height, channels, depth, format, isProgressive }: Metadata): number => {
  if (LINE_FORMATS.has(format) && isProgressive !== true) return 0;
  // A GIF is decoded with transparency, whatever its metadata says.
  const decodedChannels = format === 'gif' ? 4 : channels;
  const bytesPerChannel = depth === 'ushort' || format === 'jpeg' ? 2 : 1;
  return width * height * decodedChannels * bytesPerChannel;
};

/** Opens an untrusted image. Throws if its pixels would take too much memory. */
export const openPicture = async (source: string | Uint8Array, options: SharpOptions = {}) => {
  const image = sharp(source, { ...options, limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const metadata = await image.metadata();
  if (decodedBytesOf(metadata) > MAX_DECODED_BYTES) throw new Error('its pixels need too much memory to be decoded');
  return { image, metadata };
};

/**
 * Measures an image as it is displayed (rotated by its EXIF orientation) and samples nine colours of it. Throws if it
 * is not a valid image.
 */
export const measurePicture = async (source: string | Uint8Array): Promise<ImageMeasures> => {
  const { image, metadata } = await openPicture(source, { pages: 1 });
  const { autoOrient } = metadata;
  const colours = await image
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(PLACEHOLDER_SIDE, PLACEHOLDER_SIDE, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = colours;
  // A grey image has one channel; its colour is that byte three times.
  const bytes = info.channels >= 3 ? data : Uint8Array.from([...data].flatMap((grey) => [grey, grey, grey]));
  return { width: autoOrient.width, height: autoOrient.height, placeholder: toHex(bytes.subarray(0, PLACEHOLDER_BYTES)) };
};
