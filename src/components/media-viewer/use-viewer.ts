import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { watchHands } from './gestures.ts';
import { wishOf } from './keymap.ts';
import { createLens, type Lens, move } from './zoom-controller.ts';
import { WHOLE } from './zoom-math.ts';

interface StageProps {
  readonly count: number;
  readonly first: number;
  readonly dir: 'ltr' | 'rtl';
  onClose(): void;
  /** A touch, or a click, that moved nothing. */
  onTap(onPicture: boolean, pointer: string): void;
}

/** What stands on the viewer's stage, and the ways to move and zoom it. */
export interface Standing {
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly track: RefObject<HTMLDivElement | null>;
  readonly at: number;
  readonly zoomed: boolean;
  go(step: number): void;
  toggleZoom(): void;
  onKeyDown(event: KeyboardEvent): void;
}

/** Where the track stands when another picture is taken: what comes in is on its side, drawn as far as the finger drew it. */
interface Entry {
  readonly side: 1 | -1;
  readonly drawn: number;
}

const STEP = 96;

/** Holds which picture is on the stage and how it lies there: for hands, for keys, and for the buttons. */
export function useStage(props: StageProps): Standing {
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const lens = useRef<Lens | null>(null);
  const entry = useRef<Entry | null>(null);
  const [at, setAt] = useState(props.first);
  const [zoomed, setZoomed] = useState(false);
  /** The side that the next one comes from. */
  const ahead = props.dir === 'rtl' ? -1 : 1;

  const go = (step: number, drawn = 0) => {
    const to = Math.min(props.count - 1, Math.max(0, at + step));
    if (to === at) return;
    lens.current?.settle(WHOLE);
    entry.current = { side: to > at ? ahead : ahead === 1 ? -1 : 1, drawn };
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
    move(element, `translateX(${from.side * element.clientWidth + from.drawn}px)`, 'follow');
    // Measured, so that it is there before it sets out.
    element.getBoundingClientRect();
    move(element, '', 'settle');
  }, [at]);

  useEffect(() => {
    const element = stage.current;
    const carrier = track.current;
    if (element === null || carrier === null) return;
    const made = createLens(element, () => element.querySelector<HTMLElement>('.here > .viewer-picture'), setZoomed);
    lens.current = made;
    const settle = () => made.settle();
    window.addEventListener('resize', settle);
    const unwatch = watchHands({
      element,
      track: carrier,
      lens: made,
      comesFrom(side) {
        const { at: here, ahead: forward, count } = now.current;
        return side === forward ? here < count - 1 : here > 0;
      },
      take: (side, by) => now.current.go(side === now.current.ahead ? 1 : -1, by),
      tap: (onPicture, pointer) => now.current.onTap(onPicture, pointer),
      close: () => now.current.onClose(),
    });
    return () => {
      unwatch();
      window.removeEventListener('resize', settle);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const wish = wishOf(event);
    if (wish === null) return;
    event.preventDefault();
    switch (wish.type) {
      case 'zoom':
        return lens.current?.zoom(wish.factor);
      case 'whole':
        return lens.current?.settle(WHOLE);
      case 'go':
        return go(wish.to === 'first' ? -at : props.count);
      case 'move': {
        const moved = zoomed && lens.current?.pan(-wish.x * STEP, -wish.y * STEP) === true;
        if (!moved && wish.x !== 0) go(wish.x * ahead);
      }
    }
  };
  return { stage, track, at, zoomed, go, toggleZoom: () => lens.current?.toggle(), onKeyDown };
}
