import {
  clampTransform,
  type Point,
  RUBBER_BAND_RATIO,
  rubberBand,
  type Size,
  UNZOOMED,
  type ZoomTransform,
  zoomAt,
} from './zoom-math.ts';

/** Motion of an element: `follow` moves it immediately, with the finger; `settle` animates it to its rest position. */
export type TransformMode = 'follow' | 'settle';

/**
 * Moves an element. A `settle` animation can be interrupted. With reduced motion the element moves immediately
 * (`base.css`).
 */
export function applyTransform(element: HTMLElement, transform: string, mode: TransformMode): void {
  element.style.transition = mode === 'settle' ? 'transform var(--calm) var(--ease), opacity var(--calm)' : 'none';
  element.style.transform = transform;
}

/** Zoom controller of the visible picture. */
export interface ZoomController {
  get(): ZoomTransform;
  /** Sets the view. A finger may pull the picture slightly beyond its limits. */
  follow(view: ZoomTransform): void;
  /** Animates the picture to an allowed view. */
  settle(view?: ZoomTransform): void;
  /** Scales by a factor around a point of the viewport; around its centre by default. */
  zoom(factor: number, point?: Point, mode?: TransformMode): void;
  /** Zooms in if the picture is at its normal size, otherwise resets the zoom. */
  toggle(point?: Point): void;
  /** Pans by px. Returns false if the picture cannot move that way. */
  pan(x: number, y: number): boolean;
}

const CENTER: Point = { x: 0, y: 0 };
const DOUBLE_TAP_SCALE = 2.5;
/** Scale below which pinching in has rubber-band resistance. */
const MIN_SCALE = 0.8;
/** Scale above which a picture counts as zoomed. The small difference to 1 tolerates rounding. */
const ZOOMED_SCALE = 1.01;
/** Minimum of the maximum scale, even if the image has fewer pixels. */
const MIN_MAX_SCALE = 3;

/** Creates the zoom controller of a viewport. `picture` returns the visible picture; null if that cannot be zoomed. */
export function createZoomController(
  viewport: HTMLElement,
  picture: () => HTMLElement | null,
  onZoom: (zoomed: boolean) => void,
): ZoomController {
  let view = UNZOOMED;
  const show = (element: HTMLElement, next: ZoomTransform, mode: TransformMode) => {
    view = next;
    const { scale, x, y } = next;
    applyTransform(element, scale === 1 && x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px) scale(${scale})`, mode);
    onZoom(scale > ZOOMED_SCALE);
  };
  const clampView = (element: HTMLElement, next: ZoomTransform) =>
    clampTransform(next, sizeOf(element), sizeOf(viewport), maxScaleOf(element));
  const settle = (next: ZoomTransform, mode: TransformMode = 'settle') => {
    const element = picture();
    if (element !== null) show(element, clampView(element, next), mode);
  };
  const zoom = (factor: number, point = CENTER, mode: TransformMode = 'settle') =>
    settle(zoomAt(view, view.scale * factor, point), mode);
  return {
    get: () => view,
    follow(next) {
      const element = picture();
      if (element === null) return;
      const scale = rubberBand(next.scale, MIN_SCALE, maxScaleOf(element));
      const clamped = clampView(element, { ...next, scale });
      const x = clamped.x + (next.x - clamped.x) * RUBBER_BAND_RATIO;
      const y = clamped.y + (next.y - clamped.y) * RUBBER_BAND_RATIO;
      show(element, { scale, x, y }, 'follow');
    },
    settle: (next = view) => settle(next),
    zoom,
    toggle: (point) => (view.scale > ZOOMED_SCALE ? settle(UNZOOMED) : zoom(DOUBLE_TAP_SCALE, point)),
    pan(x, y) {
      const previous = view;
      settle({ ...view, x: view.x + x, y: view.y + y });
      return view.x !== previous.x || view.y !== previous.y;
    },
  };
}

const sizeOf = ({ offsetWidth: width, offsetHeight: height }: HTMLElement): Size => ({ width, height });

/** Returns the maximum scale: three times the displayed size, or one image pixel per CSS px if that is more. */
function maxScaleOf(element: HTMLElement): number {
  const naturalWidth = element.querySelector('img')?.naturalWidth ?? 0;
  return Math.max(MIN_MAX_SCALE, naturalWidth / Math.max(1, element.offsetWidth));
}
