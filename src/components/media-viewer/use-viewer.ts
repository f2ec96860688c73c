import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { trackGestures } from './gestures.ts';
import { commandForKey } from './keymap.ts';
import { applyTransform, createZoomController, type ZoomController } from './zoom-controller.ts';
import { UNZOOMED } from './zoom-math.ts';

interface ViewerOptions {
  readonly count: number;
  readonly first: number;
  readonly dir: 'ltr' | 'rtl';
  onClose(): void;
  /** Called for a tap or a click without movement. */
  onTap(onPicture: boolean, pointer: string): void;
}

/** State of the viewer's viewport, with the functions that move and zoom the picture. */
export interface ViewerState {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly track: RefObject<HTMLDivElement | null>;
  readonly index: number;
  readonly zoomed: boolean;
  go(step: number): void;
  toggleZoom(): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * Start position of the track when another picture is shown: the incoming picture is on its side, offset by the distance of the
 * drag.
 */
interface SlideEntry {
  readonly side: 1 | -1;
  readonly dragOffset: number;
}

const PAN_STEP_PX = 96;

/** State of the media viewer: stores which picture is visible and its zoom. Handles gestures, keys and buttons. */
export function useViewer(props: ViewerOptions): ViewerState {
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const lens = useRef<ZoomController | null>(null);
  const entry = useRef<SlideEntry | null>(null);
  const [at, setAt] = useState(props.first);
  const [zoomed, setZoomed] = useState(false);
  /** Side of the next picture: 1 for the right, -1 for the left. */
  const ahead = props.dir === 'rtl' ? -1 : 1;

  const go = (step: number, drawn = 0) => {
    const to = Math.min(props.count - 1, Math.max(0, at + step));
    if (to === at) return;
    lens.current?.settle(UNZOOMED);
    entry.current = { side: to > at ? ahead : ahead === 1 ? -1 : 1, dragOffset: drawn };
    setAt(to);
  };
  const now = useRef({ ...props, at, ahead, go });
  useLayoutEffect(() => {
    now.current = { ...props, at, ahead, go };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture comes in once
  useLayoutEffect(() => {
    const element = track.current;
    const from = entry.current;
    entry.current = null;
    if (element === null || from === null) return;
    applyTransform(element, `translateX(${from.side * element.clientWidth + from.dragOffset}px)`, 'follow');
    // Reading the layout applies the start position before the transition starts.
    element.getBoundingClientRect();
    applyTransform(element, '', 'settle');
  }, [at]);

  useEffect(() => {
    const element = stage.current;
    const carrier = track.current;
    if (element === null || carrier === null) return;
    const made = createZoomController(element, () => element.querySelector<HTMLElement>('.here > .viewer-picture'), setZoomed);
    lens.current = made;
    const settle = () => made.settle();
    window.addEventListener('resize', settle);
    const unwatch = trackGestures({
      element,
      track: carrier,
      zoom: made,
      hasPictureOn(side) {
        const { at: here, ahead: forward, count } = now.current;
        return side === forward ? here < count - 1 : here > 0;
      },
      switchPicture: (side, by) => now.current.go(side === now.current.ahead ? 1 : -1, by),
      tap: (onPicture, pointer) => now.current.onTap(onPicture, pointer),
      close: () => now.current.onClose(),
    });
    return () => {
      unwatch();
      window.removeEventListener('resize', settle);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const wish = commandForKey(event);
    if (wish === null) return;
    event.preventDefault();
    switch (wish.type) {
      case 'zoom':
        return lens.current?.zoom(wish.factor);
      case 'whole':
        return lens.current?.settle(UNZOOMED);
      case 'go':
        return go(wish.to === 'first' ? -at : props.count);
      case 'move': {
        const moved = zoomed && lens.current?.pan(-wish.x * PAN_STEP_PX, -wish.y * PAN_STEP_PX) === true;
        if (!moved && wish.x !== 0) go(wish.x * ahead);
      }
    }
  };
  return { viewport: stage, track, index: at, zoomed, go, toggleZoom: () => lens.current?.toggle(), onKeyDown };
}
