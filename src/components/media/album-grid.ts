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
export const TALLEST = 32;

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Lays out one picture by its ratio (width / height); a very tall or wide one is cut. */
export function single(ratio: number): Mosaic {
  const rows = Math.round(COLUMNS / clamp(ratio > 0 ? ratio : 1.5, 0.75, 3));
  return { rows, tiles: [{ columns: COLUMNS, rows }] };
}

/** The class that gives a tile its cells; album.css has one rule for each. */
export const tileClass = (tile: Tile): string => `c${tile.columns} r${Math.min(tile.rows, TALLEST)}`;
