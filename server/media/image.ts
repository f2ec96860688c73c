import sharp, { type Metadata, type SharpOptions } from 'sharp';

/** What is known of an image before it is fetched. */
export interface Sizes {
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
}

/** A decompression bomb is refused; the largest picture that Telegram keeps as a photo has 6.5 million pixels. */
const MOST_PIXELS = 120_000_000;
/** Bytes of a picture that can only be read whole: an interlaced PNG of 4 MB took a gigabyte. 64 million pixels of a progressive JPEG are fewer. */
const MOST_HELD = 384 * 1024 * 1024;

// Files are kept one after another, beside a server that answers: no cache, one thread.
sharp.cache(false);
sharp.concurrency(1);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Formats that are read line by line, unless they are written in passes over the whole. */
const BY_LINES: ReadonlySet<string> = new Set(['jpeg', 'png']);

/** What of a picture is in memory at once where it cannot be read line by line; a progressive JPEG's coefficients have two bytes. */
const held = ({ width, height, channels, depth, format, isProgressive }: Metadata): number => {
  if (BY_LINES.has(format) && isProgressive !== true) return 0;
  // A GIF is drawn with its holes, whatever it says.
  return width * height * (format === 'gif' ? 4 : channels) * (depth === 'ushort' || format === 'jpeg' ? 2 : 1);
};

/** Opens an image of a stranger; throws when its pixels would take too much memory. */
export const openPicture = async (source: string | Uint8Array, options: SharpOptions = {}) => {
  const image = sharp(source, { ...options, limitInputPixels: MOST_PIXELS, failOn: 'error' });
  const metadata = await image.metadata();
  if (held(metadata) > MOST_HELD) throw new Error('its pixels take too much memory to be read');
  return { image, metadata };
};

/** Measures an image as it is shown (turned as its EXIF says) and takes nine colours of it; throws when it is no sound image. */
export const measurePicture = async (source: string | Uint8Array): Promise<Sizes> => {
  const { image, metadata } = await openPicture(source, { pages: 1 });
  const { autoOrient } = metadata;
  const colours = await image
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(3, 3, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = colours;
  // A grey image has one channel; three times the same byte is its colour.
  const bytes = info.channels >= 3 ? data : Uint8Array.from([...data].flatMap((grey) => [grey, grey, grey]));
  return { width: autoOrient.width, height: autoOrient.height, placeholder: hex(bytes.subarray(0, 27)) };
};
