/** Default font size of browsers, px. */
const USUAL = 16;
const [SMALLEST, LARGEST] = [6, 96];

let held: number | undefined;

/**
 * Returns the font size that the reader chose in the browser, px. The font size of the site's root (62.5 % is common) does not
 * reveal it. A media query does, because its em is relative to the reader's font size.
 */
function readersSize(): number {
  if (innerWidth === 0) return USUAL;
  let [low, high] = [SMALLEST, LARGEST];
  while (high - low > 0.1) {
    const middle = (low + high) / 2;
    if (matchMedia(`(min-width: ${innerWidth / middle}em)`).matches) high = middle;
    else low = middle;
  }
  return Math.round(high * 4) / 4;
}

/** Converts the rem sizes of a style sheet to px with the reader's font size, because rem would depend on the site's root. */
export function bySizeOfReader(css: string): string {
  held ??= readersSize();
  const rem = held;
  return css.replace(/(?<![\w.#-])(\d*\.?\d+)rem\b/g, (_, number: string) => `${Number(number) * rem}px`);
}
