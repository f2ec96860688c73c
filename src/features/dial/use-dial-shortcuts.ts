import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import type { RowActions } from '../lineup/row-actions.ts';
import { rowControl } from '../lineup/use-focus-retention.ts';
import { useDialKeymap } from './dial-keymap.ts';
import type { DialController } from './use-dial.ts';

interface DialShortcutsOptions {
  readonly root: RefObject<HTMLElement | null>;
  readonly dial: DialController;
  /** Followed rows, in the order of their numbers. */
  readonly followed: readonly LineupRow[];
  readonly actions: RowActions;
  /** Rows that the list shows; J and K step through them. */
  readonly listed: readonly LineupRow[];
  readonly onTune: (row: LineupRow | null) => void;
  readonly retainRow: (id: string | null) => void;
  readonly switchPreset: () => void;
  readonly openSearch: () => void;
  readonly showHelp: () => void;
  readonly announce: (text: string) => void;
  readonly singleKeysEnabled: boolean;
}

/** Dial shortcuts: connects the keys to the actions on the active channel. Returns the digits typed so far. */
export function useDialShortcuts({
  root,
  dial,
  followed,
  actions,
  listed,
  onTune,
  retainRow,
  switchPreset,
  openSearch,
  showHelp,
  announce,
  singleKeysEnabled,
}: DialShortcutsOptions): string {
  const m = useMsg();
  const { environment } = useServices();
  const digits = useDigits(Math.max(2, String(followed.at(-1)?.number ?? 0).length), (number) => {
    const row = dial.tuneTo(number);
    if (row === null) announce(m.msg(str`No channel ${m.number(number)}`));
    else onTune(row);
  });
  const { current } = dial;
  const withCurrent = (run: (row: LineupRow) => void) => {
    if (current !== null) run(current);
  };
  const currentIndex = current === null ? -1 : listed.indexOf(current);
  // A screen reader announces the row that receives the focus, so a second announcement is not needed.
  const focusNextRow = (by: 1 | -1) => {
    // Steps from the end to the start, and from the start to the end (`at(-1)`). If the active row is not in the list,
    // steps to the first row or to the last.
    const nextIndex = currentIndex === -1 ? Math.min(0, by) : (currentIndex + by) % listed.length;
    const row = listed.at(nextIndex);
    if (row === undefined) return;
    const { id } = row.channel;
    dial.tune(id);
    // In a long list the row may not be rendered yet.
    flushSync(() => retainRow(id));
    rowControl(root.current, id)?.focus();
  };
  const move = (row: LineupRow, by: 1 | -1) => {
    const target = listed[currentIndex + by];
    if (currentIndex !== -1 && target !== undefined) actions.move(row.channel.id, target.number ?? 0);
  };
  useDialKeymap(
    root,
    {
      flip: (by) => onTune(dial.flip(by)),
      back: () => onTune(dial.tuneBack()),
      open: () => withCurrent((row) => environment.navigate(channelPath(row.channel))),
      typeDigit: digits.digit,
      confirm: digits.confirm,
      focusNextRow,
      unfollow: () => withCurrent((row) => actions.follow(row, false)),
      toggleMute: () => withCurrent((row) => actions.mute(row, row.muted ? null : 0)),
      move: (by) => withCurrent((row) => move(row, by)),
      undo: actions.undo,
      switchPreset,
      openSearch,
      showHelp,
    },
    m.dir,
    singleKeysEnabled,
  );
  return digits.typed;
}

/** Time without a further digit after which the typed number is used. */
const DIGIT_TIMEOUT_MS = 800;
/** Time for which the last digit is shown before the number is used. */
const LAST_DIGIT_TIMEOUT_MS = 200;
/**
 * Collects at most `maxDigits` typed digits into a number. `onNumber` is called with it 0.8 s after a digit, 0.2 s after
 * the last possible digit, or at `confirm`, which returns false if no digit was typed.
 */
function useDigits(
  maxDigits: number,
  onNumber: (number: number) => void,
): {
  readonly typed: string;
  readonly digit: (digit: string) => void;
  readonly confirm: () => boolean;
} {
  const [typed, setTyped] = useState('');
  const latestOnNumber = useRef(onNumber);
  useEffect(() => {
    latestOnNumber.current = onNumber;
  });
  useEffect(() => {
    if (typed === '') return;
    const timer = setTimeout(
      () => {
        setTyped('');
        latestOnNumber.current(Number(typed));
      },
      typed.length < maxDigits ? DIGIT_TIMEOUT_MS : LAST_DIGIT_TIMEOUT_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, maxDigits]);
  const confirm = () => {
    if (typed === '') return false;
    setTyped('');
    onNumber(Number(typed));
    return true;
  };
  return { typed, digit: (digit) => setTyped((previous) => (previous.length < maxDigits ? previous + digit : digit)), confirm };
}
