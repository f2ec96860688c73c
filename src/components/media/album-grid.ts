// Album grid: sizes of an album's tiles, in the square cells of a CSS grid.

/** Size of a tile, in cells. */
export interface TileSize {
  readonly columns: number;
  readonly rows: number;
}

/** Tiles in reading order, for a grid with `grid-auto-flow: dense`. `rows` is the height of the album in cells. */
export interface AlbumLayout {
  readonly rows: number;
  readonly tiles: readonly TileSize[];
}

/** Width of every album, in cells. */
export const GRID_COLUMNS = 24;
/** Maximum height of an album, in cells. */
export const MAX_ROWS = 32;

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

const DEFAULT_RATIO = 1.5;
const MIN_SINGLE_RATIO = 3 / 4;
const MAX_SINGLE_RATIO = 3;

/**
 * Computes the layout of one picture from its aspect ratio (width / height); 1.5 if it is unknown. A picture taller
 * than 3:4 or wider than 3:1 is cropped.
 */
export function layoutSinglePicture(ratio: number): AlbumLayout {
  const rows = Math.round(GRID_COLUMNS / clamp(ratio > 0 ? ratio : DEFAULT_RATIO, MIN_SINGLE_RATIO, MAX_SINGLE_RATIO));
  return { rows, tiles: [{ columns: GRID_COLUMNS, rows }] };
}

/** Returns the CSS classes that set a tile's columns and rows. `album.css` has a rule for each class. */
export const tileClass = (tile: TileSize): string => `c${tile.columns} r${Math.min(tile.rows, MAX_ROWS)}`;
