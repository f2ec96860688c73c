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
 * Clamps a view to the allowed range: not smaller than the fitted picture, not larger than `most`, no edge inside the viewport's
 * edges.
 */
export function clampTransform({ scale, x, y }: ZoomTransform, picture: Size, stage: Size, most: number): ZoomTransform {
  const kept = clamp(scale, 1, most);
  const room = (length: number, whole: number) => Math.max(0, (length * kept - whole) / 2);
  const across = room(picture.width, stage.width);
  const down = room(picture.height, stage.height);
  const ratio = kept / scale;
  return { scale: kept, x: clamp(x * ratio, -across, across), y: clamp(y * ratio, -down, down) };
}

/** Applies rubber-band resistance: a value beyond its limits is moved back by 65% of the excess. */
export function rubberBand(value: number, low: number, high: number): number {
  const kept = clamp(value, low, high);
  return kept + (value - kept) * 0.35;
}
