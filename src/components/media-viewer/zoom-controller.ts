import { atRest, type Point, type Size, soft, type View, WHOLE, zoomAt } from './zoom-math.ts';

/** Whether something follows a finger, or goes to its place by itself. */
export type How = 'follow' | 'settle';

/** Moves an element; what settles can be taken up on its way, and stands at once where less motion is wanted (base.css). */
export function move(element: HTMLElement, transform: string, how: How): void {
  element.style.transition = how === 'settle' ? 'transform var(--calm) var(--ease), opacity var(--calm)' : 'none';
  element.style.transform = transform;
}

/** The zoom of the picture on the stage. */
export interface Lens {
  get(): View;
  /** Lays the picture so; a finger may pull it a little too far. */
  follow(view: View): void;
  /** Brings it to where it may rest. */
  settle(view?: View): void;
  /** Scales by a factor about a point of the stage, its middle where none is given. */
  zoom(factor: number, at?: Point, how?: How): void;
  /** Large where it is whole, whole where it is large. */
  toggle(at?: Point): void;
  /** Moves it by px; false where it cannot go there. */
  pan(x: number, y: number): boolean;
}

const MIDDLE: Point = { x: 0, y: 0 };
const TAPPED = 2.5;
const LEAST = 0.8;

/** Makes the lens of a stage; `picture` gives what is on it, null where that cannot be zoomed. */
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

/** Three times as large as it is shown, or pixel by pixel where that is more. */
function mostOf(element: HTMLElement): number {
  const natural = element.querySelector('img')?.naturalWidth ?? 0;
  return Math.max(3, natural / Math.max(1, element.offsetWidth));
}
