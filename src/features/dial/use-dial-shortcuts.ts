import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import type { RowActs } from '../lineup/row-actions.ts';
import { rowControl } from '../lineup/use-focus-retention.ts';
import { type KeyActs, useKeys } from './dial-keymap.ts';
import type { Dial } from './use-dial.ts';

interface DialKeys extends Pick<KeyActs, 'preset' | 'find' | 'help'> {
  readonly root: RefObject<HTMLElement | null>;
  readonly dial: Dial;
  readonly acts: RowActs;
  /** Rows that the list shows; J and K step through them. */
  readonly listed: readonly LineupRow[];
  readonly tuned: (row: LineupRow | null) => void;
  readonly hold: (id: string | null) => void;
  readonly say: (text: string) => void;
  readonly on: boolean;
}

/** Dial shortcuts: connects the keys to the dial; they act on the active channel. Returns the digits typed so far. */
export function useDialKeys({ root, dial, acts, listed, tuned, hold, preset, find, help, say, on }: DialKeys): string {
  const m = useMsg();
  const { site } = useServices();
  const digits = useDigits((number) => {
    const row = dial.tuneTo(number);
    if (row === null) say(m.msg(str`No channel ${m.number(number)}`));
    else tuned(row);
  });
  const { current } = dial;
  const withCurrent = (act: (row: LineupRow) => void) => {
    if (current !== null) act(current);
  };
  const at = current === null ? -1 : listed.indexOf(current);
  // A screen reader announces the row that receives the focus, so a second announcement is not needed.
  const step = (by: 1 | -1) => {
    const row = listed.at(at === -1 ? Math.min(0, by) : (at + by) % listed.length);
    if (row === undefined) return;
    const { id } = row.channel;
    dial.tune(id);
    // In a long list the row may not be rendered yet.
    flushSync(() => hold(id));
    rowControl(root.current, id)?.focus();
  };
  const move = (row: LineupRow, by: 1 | -1) => {
    const onto = listed[at + by];
    if (at !== -1 && onto !== undefined) acts.move(row.channel.id, onto.number ?? 0);
  };
  useKeys(
    root,
    {
      flip: (by) => tuned(dial.flip(by)),
      back: () => tuned(dial.tuneBack()),
      open: () => withCurrent((row) => site.navigate(channelPath(row.channel))),
      digit: digits.digit,
      confirm: digits.confirm,
      step,
      turnOff: () => withCurrent((row) => acts.follow(row, false)),
      toggleMute: () => withCurrent((row) => acts.mute(row, row.muted ? null : 0)),
      move: (by) => withCurrent((row) => move(row, by)),
      undo: acts.undo,
      preset,
      find,
      help,
    },
    m.dir,
    on,
  );
  return digits.typed;
}

const WAIT = 800;
/** Maximum number of digits: numbers of the dial have at most two. */
const LENGTH = 2;

/**
 * Collects typed digits into a number. `go` is called with it after 0.8 s without a second digit, 0.2 s after the second digit,
 * or at `confirm`.
 */
export function useDigits(go: (number: number) => void): {
  readonly typed: string;
  readonly digit: (digit: string) => void;
  readonly confirm: () => boolean;
} {
  const [typed, setTyped] = useState('');
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (typed === '') return;
    const timer = setTimeout(
      () => {
        setTyped('');
        latest.current(Number(typed));
      },
      typed.length < LENGTH ? WAIT : WAIT / 4,
    );
    return () => clearTimeout(timer);
  }, [typed]);
  const confirm = () => {
    if (typed === '') return false;
    setTyped('');
    go(Number(typed));
    return true;
  };
  return { typed, digit: (digit) => setTyped((before) => (before.length < LENGTH ? before + digit : digit)), confirm };
}
