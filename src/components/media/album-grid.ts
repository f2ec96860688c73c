/** Album grid: one tile, in square cells of a grid that is `GRID_COLUMNS` wide. */
export interface TileSize {
  readonly columns: number;
  readonly rows: number;
}

/** Tiles in reading order, for a grid with dense packing. `rows` is the total height in cells. */
export interface AlbumLayout {
  readonly rows: number;
  readonly tiles: readonly TileSize[];
}

export const GRID_COLUMNS = 24;
export const MAX_ROWS = 32;

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Computes the layout of one picture by its ratio (width / height). A very tall or very wide picture is cropped. */
export function layoutSinglePicture(ratio: number): AlbumLayout {
  const rows = Math.round(GRID_COLUMNS / clamp(ratio > 0 ? ratio : 1.5, 0.75, 3));
  return { rows, tiles: [{ columns: GRID_COLUMNS, rows }] };
}

/** Returns the classes that set a tile's size in cells. `album.css` has one rule for each. */
export const tileClass = (tile: TileSize): string => `c${tile.columns} r${Math.min(tile.rows, MAX_ROWS)}`;
