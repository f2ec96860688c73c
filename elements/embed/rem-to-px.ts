/* Converts rem sizes to px, for tags on third-party pages. */

/** Default font size of browsers, px. */
const DEFAULT_FONT_SIZE_PX = 16;
const [MIN_FONT_SIZE_PX, MAX_FONT_SIZE_PX] = [6, 96];
/** Precision of the binary search for the font size, px. */
const SEARCH_PRECISION_PX = 0.1;

/** Cached result of `measureFontSize`, px. */
let cachedFontSize: number | undefined;

/**
 * Returns the font size that the reader chose in the browser, px. The font size of the site's root (62.5 % is common)
 * does not reveal it. A media query does, because its em is relative to the reader's font size. Returns undefined in a
 * hidden frame, whose width is 0.
 */
function measureFontSize(): number | undefined {
  if (innerWidth === 0) return;
  let [low, high] = [MIN_FONT_SIZE_PX, MAX_FONT_SIZE_PX];
  while (high - low > SEARCH_PRECISION_PX) {
    const middle = (low + high) / 2;
    if (matchMedia(`(min-width: ${innerWidth / middle}em)`).matches) high = middle;
    else low = middle;
  }
  // Rounded to a quarter of a pixel.
  return Math.round(high * 4) / 4;
}

/**
 * Converts the rem sizes of a style sheet to px with the reader's font size, because rem would depend on the site's
 * root.
 */
export function remToPx(css: string): string {
  cachedFontSize ??= measureFontSize();
  const pxPerRem = cachedFontSize ?? DEFAULT_FONT_SIZE_PX;
  return css.replace(/(?<![\w.#-])(\d*\.?\d+)rem\b/g, (_, number: string) => `${Number(number) * pxPerRem}px`);
}
