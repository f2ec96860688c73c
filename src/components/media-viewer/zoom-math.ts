/** Zoom geometry: the view of a picture, that is its scale and the offset of its centre from the viewport's centre, in CSS px. */
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

/** Scales a view around a fixed point. The point is relative to the viewport's centre. */
export function zoomAt(view: ZoomTransform, scale: number, at: Point): ZoomTransform {
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/**
 * Clamps a view to the allowed range: not smaller than the fitted picture, not larger than `maxScale`, no edge inside the viewport's
 * edges.
 */
export function clampTransform({ scale, x, y }: ZoomTransform, picture: Size, viewport: Size, maxScale: number): ZoomTransform {
  const clampedScale = clamp(scale, 1, maxScale);
  const maxOffset = (length: number, available: number) => Math.max(0, (length * clampedScale - available) / 2);
  const maxX = maxOffset(picture.width, viewport.width);
  const maxY = maxOffset(picture.height, viewport.height);
  const ratio = clampedScale / scale;
  return { scale: clampedScale, x: clamp(x * ratio, -maxX, maxX), y: clamp(y * ratio, -maxY, maxY) };
}

/** Applies rubber-band resistance: a value beyond its limits is moved back by 65% of the excess. */
export function rubberBand(value: number, low: number, high: number): number {
  const clamped = clamp(value, low, high);
  return clamped + (value - clamped) * 0.35;
}
