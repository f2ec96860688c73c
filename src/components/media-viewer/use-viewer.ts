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
 * Start position of the track when another picture is shown: the incoming picture is on its side, offset by the
 * distance of the drag, px.
 */
interface SlideEntry {
  readonly side: 1 | -1;
  readonly dragOffset: number;
}

/** Distance by which an arrow key pans a zoomed picture. */
const PAN_STEP_PX = 96;

/** State of the media viewer: the index of the visible picture, and its zoom. Handles gestures, keys and buttons. */
export function useViewer(props: ViewerOptions): ViewerState {
  const viewport = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const zoomRef = useRef<ZoomController | null>(null);
  const slideEntry = useRef<SlideEntry | null>(null);
  const [index, setIndex] = useState(props.first);
  const [zoomed, setZoomed] = useState(false);
  /** Side of the next picture: 1 for the right, -1 for the left. */
  const nextSide = props.dir === 'rtl' ? -1 : 1;
  const previousSide = nextSide === 1 ? -1 : 1;

  const go = (step: number, dragOffset = 0) => {
    const targetIndex = Math.min(props.count - 1, Math.max(0, index + step));
    if (targetIndex === index) return;
    zoomRef.current?.settle(UNZOOMED);
    slideEntry.current = { side: targetIndex > index ? nextSide : previousSide, dragOffset };
    setIndex(targetIndex);
  };
  const latest = useRef({ ...props, index, nextSide, go });
  useLayoutEffect(() => {
    latest.current = { ...props, index, nextSide, go };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each picture
  useLayoutEffect(() => {
    const element = track.current;
    const start = slideEntry.current;
    slideEntry.current = null;
    if (element === null || start === null) return;
    applyTransform(element, `translateX(${start.side * element.clientWidth + start.dragOffset}px)`, 'follow');
    // Reading the layout applies the start position before the transition starts.
    element.getBoundingClientRect();
    applyTransform(element, '', 'settle');
  }, [index]);

  useEffect(() => {
    const element = viewport.current;
    const trackElement = track.current;
    if (element === null || trackElement === null) return;
    const zoom = createZoomController(element, () => element.querySelector<HTMLElement>('.here > .viewer-picture'), setZoomed);
    zoomRef.current = zoom;
    const onResize = () => zoom.settle();
    window.addEventListener('resize', onResize);
    const stopGestures = trackGestures({
      element,
      track: trackElement,
      zoom,
      hasPictureOn(side) {
        const { index, nextSide, count } = latest.current;
        return side === nextSide ? index < count - 1 : index > 0;
      },
      switchPicture: (side, dragOffset) => latest.current.go(side === latest.current.nextSide ? 1 : -1, dragOffset),
      tap: (onPicture, pointer) => latest.current.onTap(onPicture, pointer),
      close: () => latest.current.onClose(),
    });
    return () => {
      stopGestures();
      window.removeEventListener('resize', onResize);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandForKey(event);
    if (command === null) return;
    event.preventDefault();
    switch (command.type) {
      case 'zoom':
        return zoomRef.current?.zoom(command.factor);
      case 'reset':
        return zoomRef.current?.settle(UNZOOMED);
      case 'go':
        return go(command.to === 'first' ? -index : props.count);
      case 'move': {
        const moved = zoomed && zoomRef.current?.pan(-command.x * PAN_STEP_PX, -command.y * PAN_STEP_PX) === true;
        if (!moved && command.x !== 0) go(command.x * nextSide);
      }
    }
  };
  return { viewport, track, index, zoomed, go, toggleZoom: () => zoomRef.current?.toggle(), onKeyDown };
}
