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
   * `wait`: the gesture is not known yet. `turn`: swipe to another picture. `drop`: drag down to close the viewer. `rest`:
   * ignored until all fingers are lifted.
   */
  readonly mode: 'wait' | 'turn' | 'drop' | 'pan' | 'pinch' | 'rest';
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
export function trackGestures(stage: GestureTarget): () => void {
  const { element, track, zoom: lens } = stage;
  const viewer = element.closest('dialog') ?? element;
  const pointers = new Map<number, Point>();
  let hand: Gesture | null = null;
  let tapped: { readonly at: Point; readonly timer: ReturnType<typeof setTimeout> } | null = null;

  const fromMiddle = ({ x, y }: Point): Point => {
    const box = element.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };
  const begin = (does: Gesture['mode'], time: number) => {
    const [one, other] = [...pointers.values()];
    if (one === undefined) return;
    const from = other === undefined ? one : midpoint(one, other);
    const apart = other === undefined ? 0 : distance(one, other);
    hand = {
      mode: does,
      from,
      time,
      view: lens.get(),
      dragOffset: does === 'wait' ? dragOffsetOf(track) : 0,
      fingerDistance: apart,
    };
  };
  const decide = (now: Gesture, by: Point, mouse: boolean): Gesture['mode'] => {
    if (Math.hypot(by.x, by.y) < MAX_TAP_MOVE_PX) return 'wait';
    if (lens.get().scale > 1.01) return 'pan';
    if (mouse) return 'rest';
    if (Math.abs(by.x) > Math.abs(by.y) || now.dragOffset !== 0) return 'turn';
    return by.y > 0 ? 'drop' : 'rest';
  };
  const follow = (now: Gesture, by: Point) => {
    const { width, height } = element.getBoundingClientRect();
    if (now.mode === 'pan') lens.follow({ ...now.view, x: now.view.x + by.x, y: now.view.y + by.y });
    if (now.mode === 'turn') {
      const x = now.dragOffset + by.x;
      applyTransform(
        track,
        `translateX(${rubberBand(x, stage.hasPictureOn(1) ? -width : 0, stage.hasPictureOn(-1) ? width : 0)}px)`,
        'follow',
      );
    }
    if (now.mode === 'drop') {
      const share = Math.max(0, by.y) / height;
      applyTransform(track, `translate(${by.x}px, ${by.y}px) scale(${1 - share / 4})`, 'follow');
      viewer.style.setProperty('--dropped', `${Math.min(1, share * 1.6)}`);
    }
  };
  const pinch = (now: Gesture) => {
    const [one, other] = [...pointers.values()];
    if (one === undefined || other === undefined) return;
    const at = midpoint(one, other);
    const next = zoomAt(
      now.view,
      (now.view.scale * distance(one, other)) / Math.max(1, now.fingerDistance),
      fromMiddle(now.from),
    );
    lens.follow({ ...next, x: next.x + at.x - now.from.x, y: next.y + at.y - now.from.y });
  };
  const back = () => {
    applyTransform(track, '', 'settle');
    viewer.style.removeProperty('--dropped');
  };
  const release = (now: Gesture, by: Point, event: PointerEvent) => {
    const time = Math.max(1, event.timeStamp - now.time);
    const lifted = event.type === 'pointerup';
    if (now.mode === 'turn') {
      const x = now.dragOffset + by.x;
      const side = x < 0 ? 1 : -1;
      const flicked = Math.abs(by.x) / time > FLICK_SPEED_PX_PER_MS && by.x < 0 === x < 0;
      const goes = lifted && stage.hasPictureOn(side) && (flicked || Math.abs(x) > element.clientWidth * SWIPE_WIDTH_SHARE);
      return goes ? stage.switchPicture(side, x) : back();
    }
    if (now.mode === 'drop')
      return lifted && (by.y > DISMISS_DISTANCE_PX || by.y / time > FLICK_SPEED_PX_PER_MS) ? stage.close() : back();
    if (now.mode === 'wait') {
      if (now.dragOffset !== 0) back();
      else if (lifted) tap(event);
      return;
    }
    lens.settle();
  };
  const tap = (event: PointerEvent) => {
    const at = { x: event.clientX, y: event.clientY };
    const onPicture = event.target instanceof Element && event.target.closest('.viewer-picture, video') !== null;
    const former = tapped;
    clearTimeout(former?.timer);
    tapped = null;
    if (former !== null && distance(former.at, at) < 32) return lens.toggle(fromMiddle(at));
    const alone = () => {
      tapped = null;
      stage.tap(onPicture, event.pointerType);
    };
    // A click next to the picture acts at once. It is never the start of a double click.
    if (event.pointerType === 'mouse' && !onPicture) return alone();
    tapped = { at, timer: setTimeout(alone, DOUBLE_TAP_TIMEOUT_MS) };
  };

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || pointers.size > 1 || isOnVideoControls(event)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 2) {
      back();
      begin('pinch', event.timeStamp);
    } else begin('wait', event.timeStamp);
  };
  const onMove = (event: PointerEvent) => {
    if (hand === null || !pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (hand.mode === 'pinch') return pinch(hand);
    const by = { x: event.clientX - hand.from.x, y: event.clientY - hand.from.y };
    if (hand.mode === 'wait') {
      hand = { ...hand, mode: decide(hand, by, event.pointerType === 'mouse') };
      if (hand.mode !== 'wait') capturePointer(element, event.pointerId);
    }
    follow(hand, by);
  };
  const onUp = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || hand === null) return;
    if (pointers.size > 0) {
      // The finger that remains continues as a pan.
      lens.settle();
      return begin(lens.get().scale > 1.01 ? 'pan' : 'rest', event.timeStamp);
    }
    const now = hand;
    hand = null;
    release(now, { x: event.clientX - now.from.x, y: event.clientY - now.from.y }, event);
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // A pinch on a touchpad is reported as a wheel event with Ctrl, in much smaller steps.
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.012 : 0.0025));
    lens.zoom(factor, fromMiddle({ x: event.clientX, y: event.clientY }), 'follow');
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
    clearTimeout(tapped?.timer);
  };
}

const midpoint = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

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
