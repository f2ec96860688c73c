import { COLUMNS, clamp, type Mosaic, single, TALLEST, type Tile } from './album-grid.ts';

/**
 * Minimum width of a tile and preferred minimum height of a row, in cells. The next two are the ratios above which a picture
 * counts as wide, and below which it counts as narrow.
 */
const LEAST = 5.5;
const WIDE = 1.2;
const NARROW = 0.8;

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * Album layout: computes tiles for one to ten pictures by their ratios (width / height), as Telegram's own clients do. So an
 * album looks as its author saw it, and the sizes are known before a picture has loaded. Tiles use whole cells rather than
 * percentages: classes can express them, while a strict Content-Security-Policy forbids style attributes.
 */
export function mosaic(rawRatios: readonly number[]): Mosaic {
  const ratios = rawRatios.map((ratio) => (Number.isFinite(ratio) && ratio > 0 ? ratio : 1.5));
  const [first = 1, second = 1, ...others] = ratios;
  if (ratios.length === 1) return single(first);
  if (ratios.length > 4 || ratios.some((ratio) => ratio > 2)) return inRows(ratios);
  if (ratios.length === 2) return pair(first, second);
  const limit = ratios.length === 3 ? NARROW : WIDE;
  return first < limit ? beside(first, [second, ...others]) : below(first, [second, ...others]);
}

/**
 * Two wide pictures, of which the second is not much wider than the first, are placed one above the other; other pairs next to
 * each other.
 */
function pair(first: number, second: number): Mosaic {
  const bothWide = first > WIDE && second > WIDE;
  if (bothWide && first + second > 2.8 && second - first < 0.2) {
    const rows = cells(Math.min(COLUMNS / first, COLUMNS / second, COLUMNS / 2));
    return { rows: rows * 2, tiles: [row([1], rows), row([1], rows)].flat() };
  }
  const bothSquare = [first, second].every((ratio) => ratio >= NARROW && ratio <= WIDE);
  const right =
    bothWide || bothSquare ? COLUMNS / 2 : clamp((COLUMNS * second) / (first + second), COLUMNS * 0.4, COLUMNS - LEAST * 1.5);
  const rows = cells(Math.min(COLUMNS, (COLUMNS - right) / first, right / second));
  return { rows, tiles: row([COLUMNS - right, right], rows) };
}

/** Places the first on top, and the two or three others in a row below it. */
function below(first: number, others: readonly number[]): Mosaic {
  const top = cells(Math.min(COLUMNS / first, COLUMNS * 0.66));
  const widths = others.length === 2 ? [1, 1] : others;
  const high = others.length === 2 ? COLUMNS / 2 / Math.max(...others) : COLUMNS / total(others);
  const rows = cells(Math.min(COLUMNS - top, high));
  return { rows: top + rows, tiles: [...row([1], top), ...row(widths, rows)] };
}

/** Places the first at the start over the full height, and the two or three others in a column next to it. */
function beside(first: number, others: readonly number[]): Mosaic {
  const heights = share(
    others.map((ratio) => 1 / ratio),
    COLUMNS,
    5,
  );
  const wide = COLUMNS / total(others.map((ratio) => 1 / ratio));
  const room = others.length === 2 ? COLUMNS / 2 : Math.max(COLUMNS - COLUMNS * first, COLUMNS * 0.4);
  const columns = Math.round(clamp(wide, LEAST, Math.min(room, COLUMNS / 2)));
  return {
    rows: COLUMNS,
    tiles: [{ columns: COLUMNS - columns, rows: COLUMNS }, ...heights.map((rows) => ({ columns, rows }))],
  };
}

/** Fills two to four rows. Of all distributions, chooses the one whose height is nearest to 4:3, with the shorter rows first. */
function inRows(raw: readonly number[]): Mosaic {
  const average = total(raw) / raw.length;
  const ratios = raw.map((ratio) => (average > 1.1 ? clamp(ratio, 1, 2.75) : clamp(ratio, 0.667, 1)));
  const ways = [2, 3, 4].flatMap((lines) => fillings(ratios.length, lines, average < 0.85 ? 4 : 3));
  const heightsOf = (way: readonly number[]) => linesOf(ratios, way).map((line) => COLUMNS / total(line));
  const fault = (way: readonly number[]) => {
    const heights = heightsOf(way);
    const thin = Math.min(...heights) < LEAST ? 1.5 : 1;
    const upsideDown = way.some((count, line) => count < (way[line - 1] ?? 0)) ? 1.5 : 1;
    return Math.abs(total(heights) - TALLEST) * thin * upsideDown;
  };
  const best = ways.reduce((one, other) => (fault(other) < fault(one) ? other : one), ways[0] ?? [raw.length]);
  const rows = heightsOf(best).map(cells);
  return { rows: total(rows), tiles: linesOf(ratios, best).flatMap((line, index) => row(line, rows[index] ?? LEAST)) };
}

/** Returns all ways to distribute `count` items over this number of rows, with at most `most` in each. */
function fillings(count: number, lines: number, most: number): number[][] {
  if (lines === 1) return count > 0 && count <= most ? [[count]] : [];
  return Array.from({ length: most }, (_, less) =>
    fillings(count - less - 1, lines - 1, most).map((rest) => [less + 1, ...rest]),
  ).flat();
}

function linesOf(ratios: readonly number[], way: readonly number[]): number[][] {
  const ends = way.map((_, line) => total(way.slice(0, line + 1)));
  return ends.map((end, line) => ratios.slice(end - (way[line] ?? 0), end));
}

const cells = (height: number): number => clamp(Math.round(height), 5, TALLEST);

const row = (widths: readonly number[], rows: number): Tile[] =>
  share(widths, COLUMNS, widths.length > 3 ? 4 : 5).map((columns) => ({ columns, rows }));

/** Divides whole cells by weight. Each share is at least `least`, and their sum is exactly `whole`. */
function share(weights: readonly number[], whole: number, least: number): number[] {
  const sum = total(weights);
  const shares = weights.map((weight) => Math.max(least, Math.round((weight / sum) * whole)));
  for (let over = total(shares) - whole; over !== 0; over -= Math.sign(over)) {
    const largest = shares.indexOf(Math.max(...shares));
    shares[largest] = (shares[largest] ?? 0) - Math.sign(over);
  }
  return shares;
}
