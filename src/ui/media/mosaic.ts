/** One tile of an album, in cells of a grid that is COLUMNS wide; the cells are square. */
export interface Tile {
  readonly columns: number;
  readonly rows: number;
}

/** Tiles in reading order, for a grid that packs densely; `rows` is the height of the whole in cells. */
export interface Mosaic {
  readonly rows: number;
  readonly tiles: readonly Tile[];
}

export const COLUMNS = 24;
const TALLEST = 32;
const MOST_PER_ROW = 3;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * Lays out one to ten pictures by their ratios (width / height), so that the sizes are known before a picture is there.
 * Whole cells rather than percentages: classes can carry them, where a strict policy forbids style attributes.
 */
export function mosaic(rawRatios: readonly number[]): Mosaic {
  const ratios = rawRatios.map((ratio) => clamp(Number.isFinite(ratio) && ratio > 0 ? ratio : 1, 0.6, 2.4));
  const [first = 1, second = 1] = ratios;
  if (ratios.length === 1) return single(rawRatios[0] ?? 1);
  if (ratios.length === 2) return first > 1.35 && second > 1.35 ? inRows(ratios, [1, 1]) : inRows(ratios, [2]);
  if (ratios.length === 3) return first > 1.3 ? inRows(ratios, [1, 2]) : besideFirst(ratios);
  if (ratios.length === 4)
    return first > 1.3 ? inRows(ratios, [1, 3]) : first < 0.9 ? besideFirst(ratios) : inRows(ratios, [2, 2]);
  return inRows(ratios, rowsOf(ratios.length));
}

function single(raw: number): Mosaic {
  const ratio = clamp(Number.isFinite(raw) && raw > 0 ? raw : 1.5, 0.75, 3);
  const rows = Math.round(COLUMNS / ratio);
  return { rows, tiles: [{ columns: COLUMNS, rows }] };
}

/** How many pictures go in each row: two or three, the shorter rows first, where pictures are larger. */
function rowsOf(count: number): number[] {
  const rows = Math.ceil(count / MOST_PER_ROW);
  const short = rows * MOST_PER_ROW - count;
  return Array.from({ length: rows }, (_, row) => (row < short ? MOST_PER_ROW - 1 : MOST_PER_ROW));
}

function inRows(ratios: readonly number[], counts: readonly number[]): Mosaic {
  const tiles: Tile[] = [];
  let rows = 0;
  let next = 0;
  for (const count of counts) {
    const members = ratios.slice(next, next + count);
    next += count;
    const sum = members.reduce((total, ratio) => total + ratio, 0);
    const height = clamp(Math.round(COLUMNS / sum), count === 1 ? 10 : 6, 18);
    rows += height;
    tiles.push(...share(members, COLUMNS, 5).map((columns) => ({ columns, rows: height })));
  }
  return { rows, tiles };
}

/** The first picture on one side, the others stacked on the other: the mark of an album that opens with a tall picture. */
function besideFirst(ratios: readonly number[]): Mosaic {
  const [first = 1, ...others] = ratios;
  const columns = others.length === 2 ? 16 : 17;
  const rows = clamp(Math.round(columns / first), 15, 24);
  const heights = share(
    others.map((ratio) => 1 / ratio),
    rows,
    4,
  );
  return { rows, tiles: [{ columns, rows }, ...heights.map((height) => ({ columns: COLUMNS - columns, rows: height }))] };
}

/** Divides whole cells by weight, each at least `least`, all together exactly `total`. */
function share(weights: readonly number[], total: number, least: number): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight) => Math.max(least, Math.round((weight / sum) * total)));
  const over = () => shares.reduce((all, cells) => all + cells, 0) - total;
  for (let left = over(); left !== 0; left = over()) {
    const largest = shares.indexOf(Math.max(...shares));
    shares[largest] = (shares[largest] ?? 0) - Math.sign(left);
  }
  return shares;
}

/** The class that gives a tile its cells; post.css has one rule for each. */
export const tileClass = (tile: Tile): string => `c${tile.columns} r${Math.min(tile.rows, TALLEST)}`;
