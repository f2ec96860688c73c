import { applyTransform, type ZoomController } from './zoom-controller.ts';
import { type Point, rubberBand, type ZoomTransform, zoomAt } from './zoom-math.ts';

/** Gestures of the media viewer: the viewport and the actions that a gesture can trigger. */
export interface GestureTarget {
  readonly element: HTMLElement;
  /** Element that carries the slides and moves with a swipe. */
  readonly track: HTMLElement;
  readonly zoom: ZoomController;
  /** Returns true if there is a picture on this side: 1 for the right, -1 for the left. */
  hasPictureOn(side: 1 | -1): boolean;
  /** Goes to the picture on this side. The track has been dragged by `by` px. */
  switchPicture(side: 1 | -1, by: number): void;
  /** Called for a tap without movement, when no second tap has followed, or for a click. */
  tap(onPicture: boolean, pointer: string): void;
  close(): void;
}

interface Gesture {
  /**
   * `undecided`: the gesture is not known yet. `swipe`: to another picture. `dismiss`: drag down to close the viewer.
   * `ignored`: ignored until all fingers are lifted.
   */
  readonly mode: 'undecided' | 'swipe' | 'dismiss' | 'pan' | 'pinch' | 'ignored';
  readonly from: Point;
  readonly time: number;
  /** View at the start of the gesture, and how far the track was dragged at that time. */
  readonly view: ZoomTransform;
  readonly dragOffset: number;
  /** Distance between two fingers. */
  readonly fingerDistance: number;
}

const MAX_TAP_MOVE_PX = 8;
const DOUBLE_TAP_TIMEOUT_MS = 280;
const SWIPE_WIDTH_SHARE = 0.25;
const DISMISS_DISTANCE_PX = 100;
/** Minimum speed of a flick, in px per millisecond. */
const FLICK_SPEED_PX_PER_MS = 0.45;
/** Height of a video's native controls at its lower edge, in px. */
const VIDEO_CONTROLS_HEIGHT_PX = 72;

/** Handles pointer and wheel events on the viewport. Returns a function that stops it. */
export function trackGestures(target: GestureTarget): () => void {
  const { element, track, zoom } = target;
  const viewer = element.closest('dialog') ?? element;
  const pointers = new Map<number, Point>();
  let gesture: Gesture | null = null;
  let lastTap: { readonly at: Point; readonly timer: ReturnType<typeof setTimeout> } | null = null;

  const fromMiddle = ({ x, y }: Point): Point => {
    const box = element.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };
  const startGesture = (mode: Gesture['mode'], time: number) => {
    const [first, second] = [...pointers.values()];
    if (first === undefined) return;
    const from = second === undefined ? first : midpoint(first, second);
    const fingerDistance = second === undefined ? 0 : distance(first, second);
    gesture = {
      mode,
      from,
      time,
      view: zoom.get(),
      dragOffset: mode === 'undecided' ? dragOffsetOf(track) : 0,
      fingerDistance,
    };
  };
  const decideMode = (gesture: Gesture, by: Point, mouse: boolean): Gesture['mode'] => {
    if (Math.hypot(by.x, by.y) < MAX_TAP_MOVE_PX) return 'undecided';
    if (zoom.get().scale > 1.01) return 'pan';
    if (mouse) return 'ignored';
    if (Math.abs(by.x) > Math.abs(by.y) || gesture.dragOffset !== 0) return 'swipe';
    return by.y > 0 ? 'dismiss' : 'ignored';
  };
  const applyDrag = (gesture: Gesture, by: Point) => {
    const { width, height } = element.getBoundingClientRect();
    if (gesture.mode === 'pan') zoom.follow({ ...gesture.view, x: gesture.view.x + by.x, y: gesture.view.y + by.y });
    if (gesture.mode === 'swipe') {
      const x = gesture.dragOffset + by.x;
      applyTransform(
        track,
        `translateX(${rubberBand(x, target.hasPictureOn(1) ? -width : 0, target.hasPictureOn(-1) ? width : 0)}px)`,
        'follow',
      );
    }
    if (gesture.mode === 'dismiss') {
      const progress = Math.max(0, by.y) / height;
      applyTransform(track, `translate(${by.x}px, ${by.y}px) scale(${1 - progress / 4})`, 'follow');
      viewer.style.setProperty('--dropped', `${Math.min(1, progress * 1.6)}`);
    }
  };
  const pinch = (gesture: Gesture) => {
    const [first, second] = [...pointers.values()];
    if (first === undefined || second === undefined) return;
    const point = midpoint(first, second);
    const next = zoomAt(
      gesture.view,
      (gesture.view.scale * distance(first, second)) / Math.max(1, gesture.fingerDistance),
      fromMiddle(gesture.from),
    );
    zoom.follow({ ...next, x: next.x + point.x - gesture.from.x, y: next.y + point.y - gesture.from.y });
  };
  const resetTrack = () => {
    applyTransform(track, '', 'settle');
    viewer.style.removeProperty('--dropped');
  };
  const release = (gesture: Gesture, by: Point, event: PointerEvent) => {
    const time = Math.max(1, event.timeStamp - gesture.time);
    const lifted = event.type === 'pointerup';
    if (gesture.mode === 'swipe') {
      const x = gesture.dragOffset + by.x;
      const side = x < 0 ? 1 : -1;
      const flicked = Math.abs(by.x) / time > FLICK_SPEED_PX_PER_MS && by.x < 0 === x < 0;
      const isSwitching =
        lifted && target.hasPictureOn(side) && (flicked || Math.abs(x) > element.clientWidth * SWIPE_WIDTH_SHARE);
      return isSwitching ? target.switchPicture(side, x) : resetTrack();
    }
    if (gesture.mode === 'dismiss')
      return lifted && (by.y > DISMISS_DISTANCE_PX || by.y / time > FLICK_SPEED_PX_PER_MS) ? target.close() : resetTrack();
    if (gesture.mode === 'undecided') {
      if (gesture.dragOffset !== 0) resetTrack();
      else if (lifted) tap(event);
      return;
    }
    zoom.settle();
  };
  const tap = (event: PointerEvent) => {
    const point = { x: event.clientX, y: event.clientY };
    const onPicture = event.target instanceof Element && event.target.closest('.viewer-picture, video') !== null;
    const previousTap = lastTap;
    clearTimeout(previousTap?.timer);
    lastTap = null;
    if (previousTap !== null && distance(previousTap.at, point) < 32) return zoom.toggle(fromMiddle(point));
    const singleTap = () => {
      lastTap = null;
      target.tap(onPicture, event.pointerType);
    };
    // A click next to the picture acts at once. It is never the start of a double click.
    if (event.pointerType === 'mouse' && !onPicture) return singleTap();
    lastTap = { at: point, timer: setTimeout(singleTap, DOUBLE_TAP_TIMEOUT_MS) };
  };

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || pointers.size > 1 || isOnVideoControls(event)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 2) {
      resetTrack();
      startGesture('pinch', event.timeStamp);
    } else startGesture('undecided', event.timeStamp);
  };
  const onMove = (event: PointerEvent) => {
    if (gesture === null || !pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (gesture.mode === 'pinch') return pinch(gesture);
    const by = { x: event.clientX - gesture.from.x, y: event.clientY - gesture.from.y };
    if (gesture.mode === 'undecided') {
      gesture = { ...gesture, mode: decideMode(gesture, by, event.pointerType === 'mouse') };
      if (gesture.mode !== 'undecided') capturePointer(element, event.pointerId);
    }
    applyDrag(gesture, by);
  };
  const onUp = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || gesture === null) return;
    if (pointers.size > 0) {
      // The finger that remains continues as a pan.
      zoom.settle();
      return startGesture(zoom.get().scale > 1.01 ? 'pan' : 'ignored', event.timeStamp);
    }
    const ended = gesture;
    gesture = null;
    release(ended, { x: event.clientX - ended.from.x, y: event.clientY - ended.from.y }, event);
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // A pinch on a touchpad is reported as a wheel event with Ctrl, in much smaller steps.
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.012 : 0.0025));
    zoom.zoom(factor, fromMiddle({ x: event.clientX, y: event.clientY }), 'follow');
  };

  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener('pointerdown', onDown, { signal });
  element.addEventListener('pointermove', onMove, { signal });
  element.addEventListener('pointerup', onUp, { signal });
  element.addEventListener('pointercancel', onUp, { signal });
  element.addEventListener('wheel', onWheel, { signal, passive: false });
  return () => {
    stop.abort();
    clearTimeout(lastTap?.timer);
  };
}

const midpoint = (first: Point, second: Point): Point => ({ x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 });
const distance = (first: Point, second: Point): number => Math.hypot(first.x - second.x, first.y - second.y);

/** Returns how far the track is from its rest position, also during a transition. */
const dragOffsetOf = (track: HTMLElement): number => new DOMMatrix(getComputedStyle(track).transform).e;

/** Captures the pointer on the viewport. Ignores the error if the pointer is synthetic or no longer down. */
function capturePointer(element: HTMLElement, id: number): void {
  try {
    element.setPointerCapture(id);
  } catch {}
}

function isOnVideoControls({ target, clientY }: PointerEvent): boolean {
  return target instanceof HTMLVideoElement && clientY > target.getBoundingClientRect().bottom - VIDEO_CONTROLS_HEIGHT_PX;
}
