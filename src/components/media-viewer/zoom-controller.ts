import { atRest, type Point, type Size, soft, type View, WHOLE, zoomAt } from './zoom-math.ts';

/** Motion of an element: `follow` moves with the finger at once, `settle` animates to its rest position. */
export type How = 'follow' | 'settle';

/** Moves an element. A `settle` animation can be interrupted. With reduced motion the element moves at once (`base.css`). */
export function move(element: HTMLElement, transform: string, how: How): void {
  element.style.transition = how === 'settle' ? 'transform var(--calm) var(--ease), opacity var(--calm)' : 'none';
  element.style.transform = transform;
}

/** Zoom controller of the visible picture. */
export interface Lens {
  get(): View;
  /** Sets the view. A finger may pull the picture slightly beyond its limits. */
  follow(view: View): void;
  /** Animates the picture to an allowed view. */
  settle(view?: View): void;
  /** Scales by a factor around a point of the viewport; around its centre by default. */
  zoom(factor: number, at?: Point, how?: How): void;
  /** Zooms in if the picture is at its normal size, otherwise resets the zoom. */
  toggle(at?: Point): void;
  /** Pans by px. Returns false if the picture cannot move that way. */
  pan(x: number, y: number): boolean;
}

const MIDDLE: Point = { x: 0, y: 0 };
const TAPPED = 2.5;
const LEAST = 0.8;

/** Creates the zoom controller of a viewport. `picture` returns the visible picture; null if that cannot be zoomed. */
export function createLens(stage: HTMLElement, picture: () => HTMLElement | null, onZoom: (zoomed: boolean) => void): Lens {
  let view = WHOLE;
  const show = (element: HTMLElement, next: View, how: How) => {
    view = next;
    const { scale, x, y } = next;
    move(element, scale === 1 && x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px) scale(${scale})`, how);
    onZoom(scale > 1.01);
  };
  const resting = (element: HTMLElement, next: View) => atRest(next, sizeOf(element), sizeOf(stage), mostOf(element));
  const settle = (next: View, how: How = 'settle') => {
    const element = picture();
    if (element !== null) show(element, resting(element, next), how);
  };
  const zoom = (factor: number, at = MIDDLE, how: How = 'settle') => settle(zoomAt(view, view.scale * factor, at), how);
  return {
    get: () => view,
    follow(next) {
      const element = picture();
      if (element === null) return;
      const scale = soft(next.scale, LEAST, mostOf(element));
      const kept = resting(element, { ...next, scale });
      show(element, { scale, x: kept.x + (next.x - kept.x) * 0.35, y: kept.y + (next.y - kept.y) * 0.35 }, 'follow');
    },
    settle: (next = view) => settle(next),
    zoom,
    toggle: (at) => (view.scale > 1.01 ? settle(WHOLE) : zoom(TAPPED, at)),
    pan(x, y) {
      const before = view;
      settle({ ...view, x: view.x + x, y: view.y + y });
      return view.x !== before.x || view.y !== before.y;
    },
  };
}

const sizeOf = ({ offsetWidth: width, offsetHeight: height }: HTMLElement): Size => ({ width, height });

/** Returns the maximum scale: three times the displayed size, or one image pixel per CSS px if that is more. */
function mostOf(element: HTMLElement): number {
  const natural = element.querySelector('img')?.naturalWidth ?? 0;
  return Math.max(3, natural / Math.max(1, element.offsetWidth));
}
