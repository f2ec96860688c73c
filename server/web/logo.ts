/** Brand logo: validates an uploaded image and renders the app's icons from it. */
import { createHash } from 'node:crypto';
import { MAX_LOGO_BYTES } from '../../contract/operator.ts';
import { HttpError } from '../http/errors.ts';
import { detectFileType } from '../media/files.ts';

/**
 * Logo of a brand, re-encoded by the server as a PNG. `mark` is a hash of the PNG, which identifies the logo's version.
 */
export interface Logo {
  readonly mark: string;
  readonly png: Buffer;
}

const LOGO_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp']);
const MIN_SIDE_PIXELS = 64;
const MAX_SIDE_PIXELS = 4096;
/** Side of the largest icon, pixels. */
const ICON_SIDE_PIXELS = 512;

// Dynamic import: a brand without a logo does not load the image library.
const loadSharp = async () => (await import('sharp')).default;

/**
 * Reads a logo that an operator sent as base64. Its type is detected from its bytes, and it is re-encoded at the size
 * of the largest icon, so that nothing of the file itself is ever served. Throws an `HttpError` that states what the
 * logo should be.
 */
export async function decodeLogo(base64: string): Promise<Logo> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_LOGO_BYTES)
    throw new HttpError(400, `The logo is larger than ${MAX_LOGO_BYTES / 1024} kB: send a smaller one.`);
  if (!LOGO_TYPES.has(detectFileType(bytes).mime))
    throw new HttpError(400, 'The logo is not a PNG, JPEG or WebP image: send one of these.');
  return createLogo(await normalizeLogoImage(bytes));
}

/** Creates a logo from a PNG that `decodeLogo` has normalized. */
export const createLogo = (png: Buffer): Logo => ({ mark: createHash('sha256').update(png).digest('hex').slice(0, 12), png });

async function normalizeLogoImage(bytes: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  const image = sharp(bytes, { limitInputPixels: MAX_SIDE_PIXELS * MAX_SIDE_PIXELS, failOn: 'error', pages: 1 });
  const { width, height } = await image.metadata().catch(throwUnreadableLogo);
  if (Math.min(width, height) < MIN_SIDE_PIXELS || Math.max(width, height) > MAX_SIDE_PIXELS)
    throw new HttpError(
      400,
      `The logo has ${width} × ${height} pixels: each side must have ${MIN_SIDE_PIXELS} to ${MAX_SIDE_PIXELS}; ${ICON_SIDE_PIXELS} × ${ICON_SIDE_PIXELS} is best.`,
    );
  const normalized = image.autoOrient().resize(ICON_SIDE_PIXELS, ICON_SIDE_PIXELS, { fit: 'contain', background: TRANSPARENT });
  return normalized.toColourspace('srgb').png({ compressionLevel: 9 }).toBuffer().catch(throwUnreadableLogo);
}

function throwUnreadableLogo(): never {
  throw new HttpError(400, 'The logo cannot be read as an image: it is damaged, or has too many pixels.');
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };
const WHITE = { r: 255, g: 255, b: 255 };

/**
 * Share of a maskable icon's side that the logo fills. Systems may cut off everything outside of a circle of 80 % of
 * the side.
 */
const MASKABLE_LOGO_RATIO = 0.64;
/** Share of Apple's icon that a transparent logo fills. */
const TRANSPARENT_LOGO_RATIO = 0.8;

/**
 * Renders the icons of the web app manifest, the app shell and Apple's home screen from the logo. Returns the files by
 * URL path.
 */
export async function renderIcons({ png }: Logo): Promise<ReadonlyMap<string, Buffer>> {
  const sharp = await loadSharp();
  const { isOpaque } = await sharp(png).stats();
  // An opaque logo gets margins in the colour of its corner; a transparent one gets a white background.
  const [red = 255, green = 255, blue = 255] = await sharp(png).removeAlpha().extract(CORNER_PIXEL).raw().toBuffer();
  const background = isOpaque ? { r: red, g: green, b: blue } : WHITE;
  const withoutMargins = (side: number) => sharp(png).resize(side, side).png({ compressionLevel: 9 }).toBuffer();
  /** `logoRatio` is the share of the side that the logo fills; the rest is margin. */
  const withMargins = async (side: number, logoRatio: number) => {
    const logoSide = Math.round(side * logoRatio);
    const startMargin = Math.floor((side - logoSide) / 2);
    const endMargin = Math.ceil((side - logoSide) / 2);
    const margins = { top: startMargin, left: startMargin, bottom: endMargin, right: endMargin, background };
    const extended = await sharp(png)
      .resize(logoSide, logoSide)
      .extend({ ...margins })
      .toBuffer();
    return sharp(extended).flatten({ background }).png({ compressionLevel: 9 }).toBuffer();
  };
  const icon192 = await withoutMargins(192);
  return new Map([
    ['/icon-192.png', icon192],
    ['/icon-512.png', png],
    ['/icon-maskable-512.png', await withMargins(ICON_SIDE_PIXELS, MASKABLE_LOGO_RATIO)],
    // Apple rounds the corners itself, so an opaque logo needs no margins.
    ['/apple-touch-icon.png', await withMargins(180, isOpaque ? 1 : TRANSPARENT_LOGO_RATIO)],
    // Cached copies of the app shell link to this icon, and service workers cache it for offline use.
    ['/icon.svg', Buffer.from(wrapInSvg(icon192))],
  ]);
}

const CORNER_PIXEL = { left: 0, top: 0, width: 1, height: 1 };

const wrapInSvg = (png: Buffer): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><image width="192" height="192" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
