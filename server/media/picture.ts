import sharp from 'sharp';

/** What is known of an image before it is fetched. */
export interface Sizes {
  readonly width: number;
  readonly height: number;
  readonly placeholder: string;
}

/** A decompression bomb is refused; the largest picture that Telegram keeps as a photo has 6.5 million pixels. */
export const MOST_PIXELS = 120_000_000;

// Files are kept one after another, beside a server that answers: no cache, one thread.
sharp.cache(false);
sharp.concurrency(1);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Measures an image as it is shown (turned as its EXIF says) and takes nine colours of it; throws when it is no sound image. */
export const measurePicture = async (source: string | Uint8Array): Promise<Sizes> => {
  const image = sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 });
  const { autoOrient } = await image.metadata();
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
