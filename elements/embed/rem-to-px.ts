/** What browsers give who never chose, px. */
const USUAL = 16;
const [SMALLEST, LARGEST] = [6, 96];

let held: number | undefined;

/**
 * Gives the size of text that the reader chose in the browser, px. A site's own for its root (62.5 % is common) says nothing of
 * it: a media query does, whose em is the reader's.
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

/** Writes a style sheet's sizes by the reader's own, where a site's root would decide. */
export function bySizeOfReader(css: string): string {
  held ??= readersSize();
  const rem = held;
  return css.replace(/(?<![\w.#-])(\d*\.?\d+)rem\b/g, (_, number: string) => `${Number(number) * rem}px`);
}
