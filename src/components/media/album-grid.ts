/** Album grid: one tile, in square cells of a grid that is `COLUMNS` wide. */
export interface Tile {
  readonly columns: number;
  readonly rows: number;
}

/** Tiles in reading order, for a grid with dense packing. `rows` is the total height in cells. */
export interface Mosaic {
  readonly rows: number;
  readonly tiles: readonly Tile[];
}

export const COLUMNS = 24;
export const TALLEST = 32;

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Computes the layout of one picture by its ratio (width / height). A very tall or very wide picture is cropped. */
export function single(ratio: number): Mosaic {
  const rows = Math.round(COLUMNS / clamp(ratio > 0 ? ratio : 1.5, 0.75, 3));
  return { rows, tiles: [{ columns: COLUMNS, rows }] };
}

/** Returns the classes that set a tile's size in cells. `album.css` has one rule for each. */
export const tileClass = (tile: Tile): string => `c${tile.columns} r${Math.min(tile.rows, TALLEST)}`;
