import type { RefObject } from 'react';
import type { LineupRow } from '../../data/model/types.ts';
import { DialCard } from './DialCard.tsx';
import { DialControls } from './DialControls.tsx';
import type { DialController } from './use-dial.ts';

interface CurrentChannelProps {
  readonly current: LineupRow;
  readonly dial: DialController;
  readonly followed: readonly LineupRow[];
  /** Digits typed so far. */
  readonly typed: string;
  readonly card: RefObject<HTMLElement | null>;
  readonly onTune: (row: LineupRow | null) => void;
}

/** Current channel of the dial: its card, and the remote control. */
export function CurrentChannel({ current, dial, followed, typed, card, onTune }: CurrentChannelProps) {
  const flip = (by: 1 | -1) => onTune(dial.flip(by));
  return (
    <>
      <DialCard row={current} total={followed.length} direction={dial.direction} {...{ typed, flip, card }} />
      <DialControls last={dial.last} back={() => onTune(dial.tuneBack())} {...{ current, flip }} />
    </>
  );
}
