/** Minimum WCAG contrast of text, and of other visible elements. */
export const MIN_TEXT_CONTRAST = 4.5;
export const MIN_SHAPE_CONTRAST = 3;

/** Step between the shares of black or white that `ensureContrast` tries. */
const SHARE_STEP = 0.04;

type Rgb = readonly [number, number, number];

const toRgb = (color: string): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as [number, number, number];
const toHex = (rgb: Rgb): string => `#${rgb.map((component) => Math.round(component).toString(16).padStart(2, '0')).join('')}`;

/** Returns the WCAG relative luminance of a colour, from 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red, green, blue] = toRgb(color).map((component) => {
    const share = component / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the WCAG 2 contrast of two #rrggbb colours, from 1 to 21. */
export function contrastRatio(color: string, other: string): number {
  const [dark, light] = [luminance(color), luminance(other)].sort((left, right) => left - right) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes `share` (0 to 1) of another colour into a colour. */
export function mixColors(color: string, other: string, share: number): string {
  const [from, to] = [toRgb(color), toRgb(other)];
  return toHex(from.map((component, index) => component + ((to[index] ?? component) - component) * share) as unknown as Rgb);
}

/**
 * Moves a colour towards black or white, as little as possible, until it has the required contrast with each of these
 * backgrounds. Returns black or white if no mixture has it.
 */
export function ensureContrast(color: string, backgrounds: readonly string[], ratio: number): string {
  const lowestContrast = (candidate: string) =>
    Math.min(...backgrounds.map((background) => contrastRatio(candidate, background)));
  const extreme = lowestContrast('#ffffff') > lowestContrast('#000000') ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += SHARE_STEP) {
    const candidate = mixColors(color, extreme, share);
    if (lowestContrast(candidate) >= ratio) return candidate;
  }
  return extreme;
}
