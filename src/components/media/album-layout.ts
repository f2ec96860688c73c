import { type AlbumLayout, clamp, GRID_COLUMNS, layoutSinglePicture, MAX_ROWS, type TileSize } from './album-grid.ts';

/** Minimum width of a tile and preferred minimum height of a row, in cells. */
const MIN_TILE_WIDTH = 5.5;
/** Minimum width and height of a tile after rounding to whole cells. */
const MIN_TILE_CELLS = 5;
/** Minimum width of a tile in a row of more than three. */
const MIN_DENSE_TILE_CELLS = 4;
/** Ratio above which a picture counts as wide. */
const MIN_WIDE_RATIO = 1.2;
/** Ratio below which a picture counts as narrow. */
const MAX_NARROW_RATIO = 0.8;
/** Ratio of a picture whose size is unknown. */
const DEFAULT_RATIO = 1.5;
/** Factor that makes a distribution of rows less likely to be chosen. */
const PENALTY_FACTOR = 1.5;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * Album layout: computes tiles for one to ten pictures by their ratios (width / height), as Telegram's own clients do.
 * So an album looks as its author saw it, and the sizes are known before a picture has loaded. Tiles use whole cells
 * rather than percentages: classes can express them, while a strict Content-Security-Policy forbids style attributes.
 * The numeric limits in the functions below are chosen to look like Telegram's layout.
 */
export function layoutAlbum(rawRatios: readonly number[]): AlbumLayout {
  const ratios = rawRatios.map((ratio) => (Number.isFinite(ratio) && ratio > 0 ? ratio : DEFAULT_RATIO));
  const [first = 1, second = 1, ...others] = ratios;
  if (ratios.length === 1) return layoutSinglePicture(first);
  if (ratios.length > 4 || ratios.some((ratio) => ratio > 2)) return layoutRows(ratios);
  if (ratios.length === 2) return layoutPair(first, second);
  const maxTallRatio = ratios.length === 3 ? MAX_NARROW_RATIO : MIN_WIDE_RATIO;
  return first < maxTallRatio ? layoutFirstAtStart(first, [second, ...others]) : layoutFirstOnTop(first, [second, ...others]);
}

/**
 * Two wide pictures, of which the second is not much wider than the first, are placed one above the other; other pairs
 * next to each other.
 */
function layoutPair(first: number, second: number): AlbumLayout {
  const bothWide = first > MIN_WIDE_RATIO && second > MIN_WIDE_RATIO;
  if (bothWide && first + second > 2.8 && second - first < 0.2) {
    const rows = roundToCells(Math.min(GRID_COLUMNS / first, GRID_COLUMNS / second, GRID_COLUMNS / 2));
    return { rows: rows * 2, tiles: [layoutRow([1], rows), layoutRow([1], rows)].flat() };
  }
  const bothSquare = [first, second].every((ratio) => ratio >= MAX_NARROW_RATIO && ratio <= MIN_WIDE_RATIO);
  const secondWidth =
    bothWide || bothSquare
      ? GRID_COLUMNS / 2
      : clamp((GRID_COLUMNS * second) / (first + second), GRID_COLUMNS * 0.4, GRID_COLUMNS - MIN_TILE_WIDTH * 1.5);
  const rows = roundToCells(Math.min(GRID_COLUMNS, (GRID_COLUMNS - secondWidth) / first, secondWidth / second));
  return { rows, tiles: layoutRow([GRID_COLUMNS - secondWidth, secondWidth], rows) };
}

/** Places the first on top, and the two or three others in a row below it. */
function layoutFirstOnTop(first: number, others: readonly number[]): AlbumLayout {
  const firstRows = roundToCells(Math.min(GRID_COLUMNS / first, GRID_COLUMNS * 0.66));
  const widths = others.length === 2 ? [1, 1] : others;
  const rowHeight = others.length === 2 ? GRID_COLUMNS / 2 / Math.max(...others) : GRID_COLUMNS / sumOf(others);
  const rows = roundToCells(Math.min(GRID_COLUMNS - firstRows, rowHeight));
  return { rows: firstRows + rows, tiles: [...layoutRow([1], firstRows), ...layoutRow(widths, rows)] };
}

/** Places the first at the start over the full height, and the two or three others in a column next to it. */
function layoutFirstAtStart(first: number, others: readonly number[]): AlbumLayout {
  const heights = distributeCells(
    others.map((ratio) => 1 / ratio),
    GRID_COLUMNS,
    MIN_TILE_CELLS,
  );
  const idealWidth = GRID_COLUMNS / sumOf(others.map((ratio) => 1 / ratio));
  const maxWidth = others.length === 2 ? GRID_COLUMNS / 2 : Math.max(GRID_COLUMNS - GRID_COLUMNS * first, GRID_COLUMNS * 0.4);
  const columns = Math.round(clamp(idealWidth, MIN_TILE_WIDTH, Math.min(maxWidth, GRID_COLUMNS / 2)));
  return {
    rows: GRID_COLUMNS,
    tiles: [{ columns: GRID_COLUMNS - columns, rows: GRID_COLUMNS }, ...heights.map((rows) => ({ columns, rows }))],
  };
}

/**
 * Fills two to four rows. Of all distributions, chooses the one whose height is nearest to `MAX_ROWS`. Distributions
 * with thin rows, or with a row of fewer pictures after a row of more, are less likely.
 */
function layoutRows(rawRatios: readonly number[]): AlbumLayout {
  const average = sumOf(rawRatios) / rawRatios.length;
  const ratios = rawRatios.map((ratio) => (average > 1.1 ? clamp(ratio, 1, 2.75) : clamp(ratio, 0.667, 1)));
  const partitions = [2, 3, 4].flatMap((lines) => rowPartitions(ratios.length, lines, average < 0.85 ? 4 : 3));
  const heightsOf = (partition: readonly number[]) => splitIntoLines(ratios, partition).map((line) => GRID_COLUMNS / sumOf(line));
  const penalty = (partition: readonly number[]) => {
    const heights = heightsOf(partition);
    const thinPenalty = Math.min(...heights) < MIN_TILE_WIDTH ? PENALTY_FACTOR : 1;
    const orderPenalty = partition.some((count, line) => count < (partition[line - 1] ?? 0)) ? PENALTY_FACTOR : 1;
    return Math.abs(sumOf(heights) - MAX_ROWS) * thinPenalty * orderPenalty;
  };
  const best = partitions.reduce(
    (first, second) => (penalty(second) < penalty(first) ? second : first),
    partitions[0] ?? [rawRatios.length],
  );
  const rows = heightsOf(best).map(roundToCells);
  return {
    rows: sumOf(rows),
    tiles: splitIntoLines(ratios, best).flatMap((line, index) => layoutRow(line, rows[index] ?? MIN_TILE_WIDTH)),
  };
}

/** Returns all ways to distribute `count` items over this number of rows, with at most `maxPerRow` in each. */
function rowPartitions(count: number, lines: number, maxPerRow: number): number[][] {
  if (lines === 1) return count > 0 && count <= maxPerRow ? [[count]] : [];
  return Array.from({ length: maxPerRow }, (_, index) =>
    rowPartitions(count - index - 1, lines - 1, maxPerRow).map((others) => [index + 1, ...others]),
  ).flat();
}

function splitIntoLines(ratios: readonly number[], partition: readonly number[]): number[][] {
  const ends = partition.map((_, line) => sumOf(partition.slice(0, line + 1)));
  return ends.map((end, line) => ratios.slice(end - (partition[line] ?? 0), end));
}

const roundToCells = (height: number): number => clamp(Math.round(height), MIN_TILE_CELLS, MAX_ROWS);

const layoutRow = (widths: readonly number[], rows: number): TileSize[] =>
  distributeCells(widths, GRID_COLUMNS, widths.length > 3 ? MIN_DENSE_TILE_CELLS : MIN_TILE_CELLS).map((columns) => ({
    columns,
    rows,
  }));

/** Divides whole cells by weight. Each share is at least `minimum`, and their sum is exactly `total`. */
function distributeCells(weights: readonly number[], total: number, minimum: number): number[] {
  const sum = sumOf(weights);
  const shares = weights.map((weight) => Math.max(minimum, Math.round((weight / sum) * total)));
  for (let excess = sumOf(shares) - total; excess !== 0; excess -= Math.sign(excess)) {
    const largest = shares.indexOf(Math.max(...shares));
    shares[largest] = (shares[largest] ?? 0) - Math.sign(excess);
  }
  return shares;
}
