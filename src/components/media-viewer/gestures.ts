import { type Lens, move } from './zoom-controller.ts';
import { type Point, soft, type View, zoomAt } from './zoom-math.ts';

/** Gestures of the media viewer: the viewport and the actions that a gesture can trigger. */
export interface Stage {
  readonly element: HTMLElement;
  /** Element that carries the slides and moves with a swipe. */
  readonly track: HTMLElement;
  readonly lens: Lens;
  /** Returns true if there is a picture on this side: 1 for the right, -1 for the left. */
  comesFrom(side: 1 | -1): boolean;
  /** Goes to the picture on this side. The track has been dragged by `by` px. */
  take(side: 1 | -1, by: number): void;
  /** Called for a tap without movement, when no second tap has followed, or for a click. */
  tap(onPicture: boolean, pointer: string): void;
  close(): void;
}

interface Hand {
  /**
   * `wait`: the gesture is not known yet. `turn`: swipe to another picture. `drop`: drag down to close the viewer. `rest`:
   * ignored until all fingers are lifted.
   */
  readonly does: 'wait' | 'turn' | 'drop' | 'pan' | 'pinch' | 'rest';
  readonly from: Point;
  readonly time: number;
  /** View at the start of the gesture, and how far the track was dragged at that time. */
  readonly view: View;
  readonly drawn: number;
  /** Distance between two fingers. */
  readonly apart: number;
}

const STILL = 8;
const SECOND_TAP = 280;
const FAR = 0.25;
const FAR_DOWN = 100;
/** Minimum speed of a flick, in px per millisecond. */
const FAST = 0.45;
/** Height of a video's native controls at its lower edge, in px. */
const CONTROLS = 72;

/** Handles pointer and wheel events on the viewport. Returns a function that stops it. */
export function watchHands(stage: Stage): () => void {
  const { element, track, lens } = stage;
  const viewer = element.closest('dialog') ?? element;
  const pointers = new Map<number, Point>();
  let hand: Hand | null = null;
  let tapped: { readonly at: Point; readonly timer: ReturnType<typeof setTimeout> } | null = null;

  const fromMiddle = ({ x, y }: Point): Point => {
    const box = element.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };
  const begin = (does: Hand['does'], time: number) => {
    const [one, other] = [...pointers.values()];
    if (one === undefined) return;
    const from = other === undefined ? one : middle(one, other);
    const apart = other === undefined ? 0 : distance(one, other);
    hand = { does, from, time, view: lens.get(), drawn: does === 'wait' ? drawnBy(track) : 0, apart };
  };
  const decide = (now: Hand, by: Point, mouse: boolean): Hand['does'] => {
    if (Math.hypot(by.x, by.y) < STILL) return 'wait';
    if (lens.get().scale > 1.01) return 'pan';
    if (mouse) return 'rest';
    if (Math.abs(by.x) > Math.abs(by.y) || now.drawn !== 0) return 'turn';
    return by.y > 0 ? 'drop' : 'rest';
  };
  const follow = (now: Hand, by: Point) => {
    const { width, height } = element.getBoundingClientRect();
    if (now.does === 'pan') lens.follow({ ...now.view, x: now.view.x + by.x, y: now.view.y + by.y });
    if (now.does === 'turn') {
      const x = now.drawn + by.x;
      move(track, `translateX(${soft(x, stage.comesFrom(1) ? -width : 0, stage.comesFrom(-1) ? width : 0)}px)`, 'follow');
    }
    if (now.does === 'drop') {
      const share = Math.max(0, by.y) / height;
      move(track, `translate(${by.x}px, ${by.y}px) scale(${1 - share / 4})`, 'follow');
      viewer.style.setProperty('--dropped', `${Math.min(1, share * 1.6)}`);
    }
  };
  const pinch = (now: Hand) => {
    const [one, other] = [...pointers.values()];
    if (one === undefined || other === undefined) return;
    const at = middle(one, other);
    const next = zoomAt(now.view, (now.view.scale * distance(one, other)) / Math.max(1, now.apart), fromMiddle(now.from));
    lens.follow({ ...next, x: next.x + at.x - now.from.x, y: next.y + at.y - now.from.y });
  };
  const back = () => {
    move(track, '', 'settle');
    viewer.style.removeProperty('--dropped');
  };
  const release = (now: Hand, by: Point, event: PointerEvent) => {
    const time = Math.max(1, event.timeStamp - now.time);
    const lifted = event.type === 'pointerup';
    if (now.does === 'turn') {
      const x = now.drawn + by.x;
      const side = x < 0 ? 1 : -1;
      const flicked = Math.abs(by.x) / time > FAST && by.x < 0 === x < 0;
      const goes = lifted && stage.comesFrom(side) && (flicked || Math.abs(x) > element.clientWidth * FAR);
      return goes ? stage.take(side, x) : back();
    }
    if (now.does === 'drop') return lifted && (by.y > FAR_DOWN || by.y / time > FAST) ? stage.close() : back();
    if (now.does === 'wait') {
      if (now.drawn !== 0) back();
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
    tapped = { at, timer: setTimeout(alone, SECOND_TAP) };
  };

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || pointers.size > 1 || isControl(event)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 2) {
      back();
      begin('pinch', event.timeStamp);
    } else begin('wait', event.timeStamp);
  };
  const onMove = (event: PointerEvent) => {
    if (hand === null || !pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (hand.does === 'pinch') return pinch(hand);
    const by = { x: event.clientX - hand.from.x, y: event.clientY - hand.from.y };
    if (hand.does === 'wait') {
      hand = { ...hand, does: decide(hand, by, event.pointerType === 'mouse') };
      if (hand.does !== 'wait') capture(element, event.pointerId);
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

const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** Returns how far the track is from its rest position, also during a transition. */
const drawnBy = (track: HTMLElement): number => new DOMMatrix(getComputedStyle(track).transform).e;

/** Captures the pointer on the viewport. Ignores the error if the pointer is synthetic or no longer down. */
function capture(element: HTMLElement, id: number): void {
  try {
    element.setPointerCapture(id);
  } catch {}
}

function isControl({ target, clientY }: PointerEvent): boolean {
  return target instanceof HTMLVideoElement && clientY > target.getBoundingClientRect().bottom - CONTROLS;
}
