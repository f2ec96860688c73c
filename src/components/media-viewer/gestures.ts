import { applyTransform, type ZoomController } from './zoom-controller.ts';
import { type Point, rubberBand, type ZoomTransform, zoomAt } from './zoom-math.ts';

/** Target of the media viewer's gestures: the viewport, and the actions that a gesture can trigger. */
export interface GestureTarget {
  readonly element: HTMLElement;
  /** Element that carries the slides and moves with a swipe. */
  readonly track: HTMLElement;
  readonly zoom: ZoomController;
  /** Returns true if there is a picture on this side: 1 for the right, -1 for the left. */
  hasPictureOn(side: 1 | -1): boolean;
  /** Goes to the picture on this side. `dragOffset` is how far the track has been dragged, px. */
  switchPicture(side: 1 | -1, dragOffset: number): void;
  /** Called for a tap without movement, when no second tap has followed, or for a click. */
  tap(onPicture: boolean, pointer: string): void;
  close(): void;
}

interface Gesture {
  /**
   * `undecided`: the type is not known yet. `swipe`: to another picture. `dismiss`: drag down to close the viewer.
   * `ignored`: no effect until all fingers are lifted.
   */
  readonly mode: 'undecided' | 'swipe' | 'dismiss' | 'pan' | 'pinch' | 'ignored';
  /** Start position of the finger, or of the middle of two fingers. */
  readonly from: Point;
  /** Start time, ms. */
  readonly time: number;
  /** View at the start of the gesture, and how far the track was dragged at that time. */
  readonly view: ZoomTransform;
  readonly dragOffset: number;
  /** Distance between two fingers. */
  readonly fingerDistance: number;
}

/** Scale above which a picture counts as zoomed. The small difference to 1 tolerates rounding. */
const ZOOMED_SCALE = 1.01;
const MAX_TAP_MOVE_PX = 8;
const DOUBLE_TAP_TIMEOUT_MS = 280;
const DOUBLE_TAP_DISTANCE_PX = 32;
/** Minimum length of a swipe, as a share of the viewport's width. */
const MIN_SWIPE_WIDTH_SHARE = 0.25;
/** Minimum length of a drag down that closes the viewer. */
const DISMISS_DISTANCE_PX = 100;
/** Minimum speed of a flick, in px per millisecond. */
const FLICK_SPEED_PX_PER_MS = 0.45;
/** Height of a line, for wheel events in lines. A page is as high as the viewport. */
const LINE_HEIGHT_PX = 16;
/** Growth rates of the zoom, per px of a wheel event. */
const WHEEL_ZOOM_RATE = 0.0025;
const PINCH_ZOOM_RATE = 0.012;
/** Height of a video's native controls at its lower edge, in px. */
const VIDEO_CONTROLS_HEIGHT_PX = 72;

/** Handles pointer and wheel events on the viewport. Returns a function that stops it. */
export function trackGestures(target: GestureTarget): () => void {
  const { element, zoom } = target;
  const tracker = createGestureTracker(target);
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const pxPerUnit = [1, LINE_HEIGHT_PX, element.clientHeight][event.deltaMode] ?? 1;
    // A pinch on a touchpad is reported as a wheel event with Ctrl, in much smaller steps.
    const factor = Math.exp(-event.deltaY * pxPerUnit * (event.ctrlKey ? PINCH_ZOOM_RATE : WHEEL_ZOOM_RATE));
    zoom.zoom(factor, fromMiddle(element, pointOf(event)), 'follow');
  };

  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener('pointerdown', tracker.onDown, { signal });
  element.addEventListener('pointermove', tracker.onMove, { signal });
  element.addEventListener('pointerup', tracker.onUp, { signal });
  element.addEventListener('pointercancel', tracker.onUp, { signal });
  element.addEventListener('wheel', onWheel, { signal, passive: false });
  return () => {
    stop.abort();
    tracker.stop();
  };
}

/** Tracks the fingers, and the gesture that they make. */
function createGestureTracker(target: GestureTarget) {
  const { element, zoom } = target;
  const motion = createTrackMotion(target);
  const taps = createTapDetector(target);
  const pointers = new Map<number, Point>();
  let gesture: Gesture | null = null;

  const start = (mode: Gesture['mode'], time: number) => {
    gesture = createGesture(target, [...pointers.values()], mode, time) ?? gesture;
  };
  const end = (ended: Gesture, movement: Point, event: PointerEvent) => {
    const isLifted = event.type === 'pointerup';
    if (ended.mode === 'swipe') {
      const side = isLifted ? sideOfSwipe(target, ended, movement, event.timeStamp) : null;
      return side === null ? motion.reset() : target.switchPicture(side, ended.dragOffset + movement.x);
    }
    if (ended.mode === 'dismiss')
      return isLifted && isDismissed(ended, movement, event.timeStamp) ? target.close() : motion.reset();
    if (ended.mode === 'undecided') {
      if (ended.dragOffset !== 0) motion.reset();
      else if (isLifted) taps.tap(event);
      return;
    }
    zoom.settle();
  };

  return {
    onDown(event: PointerEvent) {
      if (event.button !== 0 || pointers.size > 1 || isOnVideoControls(event)) return;
      pointers.set(event.pointerId, pointOf(event));
      if (pointers.size === 2) motion.reset();
      start(pointers.size === 2 ? 'pinch' : 'undecided', event.timeStamp);
    },
    onMove(event: PointerEvent) {
      if (gesture === null || !pointers.has(event.pointerId)) return;
      pointers.set(event.pointerId, pointOf(event));
      if (gesture.mode === 'pinch') return pinch(target, gesture, [...pointers.values()]);
      const movement = subtract(pointOf(event), gesture.from);
      if (gesture.mode === 'undecided') {
        gesture = { ...gesture, mode: decideMode(zoom, gesture, movement, event.pointerType === 'mouse') };
        if (gesture.mode !== 'undecided') capturePointer(element, event.pointerId);
      }
      motion.follow(gesture, movement);
    },
    onUp(event: PointerEvent) {
      if (!pointers.delete(event.pointerId) || gesture === null) return;
      if (pointers.size > 0) {
        // The finger that remains continues as a pan.
        zoom.settle();
        return start(zoom.get().scale > ZOOMED_SCALE ? 'pan' : 'ignored', event.timeStamp);
      }
      const ended = gesture;
      gesture = null;
      end(ended, subtract(pointOf(event), ended.from), event);
    },
    stop: taps.stop,
  };
}

/** Creates the state of a gesture that starts now; null if no finger is down. */
function createGesture(
  { track, zoom }: GestureTarget,
  [first, second]: readonly Point[],
  mode: Gesture['mode'],
  time: number,
): Gesture | null {
  if (first === undefined) return null;
  return {
    mode,
    from: second === undefined ? first : midpoint(first, second),
    time,
    view: zoom.get(),
    dragOffset: mode === 'undecided' ? dragOffsetOf(track) : 0,
    fingerDistance: second === undefined ? 0 : distance(first, second),
  };
}

/** Returns the mode of a gesture after its first movement. */
function decideMode(zoom: ZoomController, { dragOffset }: Gesture, movement: Point, isMouse: boolean): Gesture['mode'] {
  if (Math.hypot(movement.x, movement.y) < MAX_TAP_MOVE_PX) return 'undecided';
  if (zoom.get().scale > ZOOMED_SCALE) return 'pan';
  if (isMouse) return 'ignored';
  if (Math.abs(movement.x) > Math.abs(movement.y) || dragOffset !== 0) return 'swipe';
  return movement.y > 0 ? 'dismiss' : 'ignored';
}

/**
 * Returns the side whose picture a swipe shows; null if the swipe was too short and too slow, or there is no picture.
 */
function sideOfSwipe(target: GestureTarget, { dragOffset, time }: Gesture, movement: Point, now: number): 1 | -1 | null {
  const x = dragOffset + movement.x;
  const side = x < 0 ? 1 : -1;
  const isFlick = Math.abs(movement.x) / elapsed(time, now) > FLICK_SPEED_PX_PER_MS && movement.x < 0 === x < 0;
  const isFar = Math.abs(x) > target.element.clientWidth * MIN_SWIPE_WIDTH_SHARE;
  return target.hasPictureOn(side) && (isFlick || isFar) ? side : null;
}

const isDismissed = ({ time }: Gesture, movement: Point, now: number): boolean =>
  movement.y > DISMISS_DISTANCE_PX || movement.y / elapsed(time, now) > FLICK_SPEED_PX_PER_MS;

/** Scales the picture with two fingers, and moves it with their middle. */
function pinch({ element, zoom }: GestureTarget, gesture: Gesture, [first, second]: readonly Point[]): void {
  if (first === undefined || second === undefined) return;
  const { view, from, fingerDistance } = gesture;
  const scale = (view.scale * distance(first, second)) / Math.max(1, fingerDistance);
  const next = zoomAt(view, scale, fromMiddle(element, from));
  const movement = subtract(midpoint(first, second), from);
  zoom.follow({ ...next, x: next.x + movement.x, y: next.y + movement.y });
}

/** Creates functions that move the picture or the track with the finger, and the track back to its rest position. */
function createTrackMotion(target: GestureTarget) {
  const { element, track, zoom } = target;
  const viewer = element.closest('dialog') ?? element;
  return {
    follow({ mode, view, dragOffset }: Gesture, movement: Point) {
      const { width, height } = element.getBoundingClientRect();
      if (mode === 'pan') zoom.follow({ ...view, x: view.x + movement.x, y: view.y + movement.y });
      if (mode === 'swipe') {
        const [low, high] = [target.hasPictureOn(1) ? -width : 0, target.hasPictureOn(-1) ? width : 0];
        applyTransform(track, `translateX(${rubberBand(dragOffset + movement.x, low, high)}px)`, 'follow');
      }
      if (mode === 'dismiss') {
        const progress = Math.max(0, movement.y) / height;
        applyTransform(track, `translate(${movement.x}px, ${movement.y}px) scale(${1 - progress / 4})`, 'follow');
        viewer.style.setProperty('--dropped', `${Math.min(1, progress * 1.6)}`);
      }
    },
    reset() {
      applyTransform(track, '', 'settle');
      viewer.style.removeProperty('--dropped');
    },
  };
}

/** Creates a detector of taps: a second tap soon after the first, at about the same position, toggles the zoom. */
function createTapDetector(target: GestureTarget) {
  let lastTap: { readonly at: Point; readonly timer: ReturnType<typeof setTimeout>; readonly run: () => void } | null = null;
  return {
    tap(event: PointerEvent) {
      const point = pointOf(event);
      const onPicture = event.target instanceof Element && event.target.closest('.viewer-picture, video') !== null;
      const previousTap = lastTap;
      clearTimeout(previousTap?.timer);
      lastTap = null;
      if (previousTap !== null) {
        if (distance(previousTap.at, point) < DOUBLE_TAP_DISTANCE_PX)
          return target.zoom.toggle(fromMiddle(target.element, point));
        previousTap.run();
      }
      const singleTap = () => {
        lastTap = null;
        target.tap(onPicture, event.pointerType);
      };
      // A click next to the picture has an immediate effect. It is never the start of a double click.
      if (event.pointerType === 'mouse' && !onPicture) return singleTap();
      lastTap = { at: point, timer: setTimeout(singleTap, DOUBLE_TAP_TIMEOUT_MS), run: singleTap };
    },
    stop: () => clearTimeout(lastTap?.timer),
  };
}

const pointOf = ({ clientX: x, clientY: y }: MouseEvent): Point => ({ x, y });
const subtract = (point: Point, from: Point): Point => ({ x: point.x - from.x, y: point.y - from.y });
const midpoint = (first: Point, second: Point): Point => ({ x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 });
const distance = (first: Point, second: Point): number => Math.hypot(first.x - second.x, first.y - second.y);
/** Returns the duration between the times of two events, at least 1 ms. */
const elapsed = (time: number, now: number): number => Math.max(1, now - time);

/** Returns a point of the window relative to the middle of an element. */
function fromMiddle(element: HTMLElement, { x, y }: Point): Point {
  const box = element.getBoundingClientRect();
  return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
}

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
