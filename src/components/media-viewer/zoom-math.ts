/**
 * Zoom geometry: the view of a picture, that is its scale and the offset of its centre from the viewport's centre, in
 * CSS px.
 */
export interface ZoomTransform {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const UNZOOMED: ZoomTransform = { scale: 1, x: 0, y: 0 };

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Returns the view with another scale, scaled around a fixed point. The point is relative to the viewport's centre. */
export function zoomAt(view: ZoomTransform, scale: number, point: Point): ZoomTransform {
  const ratio = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

/**
 * Clamps a view to the allowed range: scale from 1 (the complete picture) to `maxScale`, and no edge of a larger
 * picture inside the viewport.
 */
export function clampTransform({ scale, x, y }: ZoomTransform, picture: Size, viewport: Size, maxScale: number): ZoomTransform {
  const clampedScale = clamp(scale, 1, maxScale);
  const maxOffset = (length: number, available: number) => Math.max(0, (length * clampedScale - available) / 2);
  const maxX = maxOffset(picture.width, viewport.width);
  const maxY = maxOffset(picture.height, viewport.height);
  const ratio = clampedScale / scale;
  return { scale: clampedScale, x: clamp(x * ratio, -maxX, maxX), y: clamp(y * ratio, -maxY, maxY) };
}

/** Share of a finger's movement beyond the limits that the picture follows. */
export const RUBBER_BAND_RATIO = 0.35;

/** Applies rubber-band resistance: of the excess of a value beyond its limits, only `RUBBER_BAND_RATIO` remains. */
export function rubberBand(value: number, low: number, high: number): number {
  const clamped = clamp(value, low, high);
  return clamped + (value - clamped) * RUBBER_BAND_RATIO;
}
