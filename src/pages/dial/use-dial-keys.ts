import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { LineupRow } from '../../channels/channels.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../ui/addresses.ts';
import { useServices } from '../services.ts';
import type { RowActs } from './row-acts.ts';
import type { Dial } from './use-dial.ts';
import { useDigits } from './use-digits.ts';
import { rowControl } from './use-kept-focus.ts';
import { type KeyActs, useKeys } from './use-keys.ts';

interface DialKeys extends Pick<KeyActs, 'preset' | 'find' | 'help'> {
  readonly root: RefObject<HTMLElement | null>;
  readonly dial: Dial;
  readonly acts: RowActs;
  /** The rows that are listed, by which a row moves up and down. */
  readonly listed: readonly LineupRow[];
  readonly tuned: (row: LineupRow | null) => void;
  readonly hold: (id: string | null) => void;
  readonly say: (text: string) => void;
  readonly on: boolean;
}

/** Works the dial by keys; gives the digits typed so far. A key that names no row means the channel that is on. */
export function useDialKeys({ root, dial, acts, listed, tuned, hold, preset, find, help, say, on }: DialKeys): string {
  const m = useMsg();
  const { site } = useServices();
  const digits = useDigits((number) => {
    const row = dial.tuneTo(number);
    if (row === null) say(m.msg(str`No channel ${m.number(number)}`));
    else tuned(row);
  });
  const rowOf = (id: string | null) => listed.find((row) => row.channel.id === id) ?? dial.current;
  const withRow = (id: string | null, act: (row: LineupRow) => void) => {
    const row = rowOf(id);
    if (row !== null) act(row);
  };
  // The row that gets the focus is read aloud by that; saying it again would be twice.
  const step = (by: 1 | -1) => {
    const row = dial.flip(by);
    if (row === null) return;
    // In a long list it may not be drawn yet.
    flushSync(() => hold(row.channel.id));
    rowControl(root.current, row.channel.id)?.focus();
  };
  const move = (row: LineupRow, by: 1 | -1) => {
    const onto = listed[listed.indexOf(row) + by];
    if (listed.includes(row) && onto !== undefined) acts.move(row.channel.id, onto.number ?? 0);
  };
  useKeys(
    root,
    {
      flip: (by) => tuned(dial.flip(by)),
      back: () => tuned(dial.tuneBack()),
      open: () => withRow(null, (row) => site.navigate(channelPath(row.channel))),
      digit: digits.digit,
      confirm: digits.confirm,
      step,
      toggleFollow: (id) => withRow(id, (row) => acts.follow(row, !row.followed)),
      toggleMute: (id) => withRow(id, (row) => acts.mute(row, row.muted ? null : 0)),
      move: (id, by) => withRow(id, (row) => move(row, by)),
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
