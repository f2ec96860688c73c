import { useEffect, useMemo, useRef } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import * as arrange from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import type { RowActs } from '../lineup/row-actions.ts';
import { mutedText } from '../lineup/row-text.ts';
import type { useKeptFocus } from '../lineup/use-focus-retention.ts';
import type { Say } from './UndoToast.tsx';
import type { Dial } from './use-dial.ts';

interface Doing {
  readonly keepFocus: ReturnType<typeof useKeptFocus>;
  readonly dial: Dial;
  /** All followed rows. */
  readonly followed: readonly LineupRow[];
  /** The followed rows that the list shows. */
  readonly listed: readonly LineupRow[];
  readonly say: Say;
  readonly openMenu: (row: LineupRow, anchor: Anchor) => void;
  readonly tuned: (row: LineupRow | null) => void;
  readonly hold: (id: string | null) => void;
}

/**
 * Row actions: changes of the line-up, each announced once. The object stays the same while the dial is mounted, so that rows
 * need not render again.
 */
export function useRowActs({ keepFocus, dial, followed, listed, say, openMenu, tuned, hold }: Doing): RowActs {
  const m = useMsg();
  const { channels, site } = useServices();
  const undone = useRef<string | null>(null);
  // Selects the channel that the undo restored. Its row is in the list only after the change.
  useEffect(() => {
    const row = listed.find(({ channel }) => channel.id === undone.current);
    undone.current = null;
    if (row !== undefined) dial.tune(row.channel.id);
  });
  const acts: RowActs = {
    change(what, arrangement, text, next = null) {
      keepFocus(next);
      channels.arrange(what, arrangement);
      say(text, true);
    },
    tune(row) {
      if (row.channel.id === dial.current?.channel.id) site.navigate(channelPath(row.channel));
      else tuned(dial.tune(row.channel.id));
    },
    follow(row, on) {
      const { channel } = row;
      const { id: channelId } = channel;
      const at = listed.findIndex((one) => one.channel.id === channelId);
      const next = (listed[at + 1] ?? listed[at - 1])?.channel.id;
      const text = on ? m.msg(str`You follow ${channel.title}`) : m.msg(str`You no longer follow ${channel.title}`);
      acts.change({ act: on ? 'follow' : 'unfollow', channelId }, arrange.follow([channelId], on), text, on ? channelId : next);
    },
    mute(row, until) {
      const { id: channelId, title } = row.channel;
      const text = until === null ? m.msg(str`${title}: unmuted`) : `${title}: ${mutedText(m, until, Date.now())}`;
      acts.change({ act: until === null ? 'unmute' : 'mute', channelId }, arrange.mute([channelId], until), text);
    },
    move(channelId, to) {
      const row = followed.find((each) => each.channel.id === channelId);
      if (row === undefined || !Number.isInteger(to) || to < 1 || to > followed.length || to === row.number) return;
      const shown = followed.map((each) => each.channel.id);
      const text = m.msg(str`${row.channel.title} moved to ${m.number(to)} of ${m.number(followed.length)}`);
      acts.change({ act: 'move', channelId }, arrange.move(shown, [channelId], to), text, channelId);
    },
    undo() {
      const last = channels.undoable.get();
      if (last === null) return;
      keepFocus(last.channelId, true);
      // In a long list the row may not be rendered yet.
      hold(last.channelId);
      undone.current = last.channelId;
      channels.undo();
      say(m.msg('Undone'));
    },
    menu: openMenu,
    retry: () => void channels.refresh(),
  };
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  return useMemo<RowActs>(
    () => ({
      change: (...given) => latest.current.change(...given),
      tune: (row) => latest.current.tune(row),
      follow: (row, on) => latest.current.follow(row, on),
      mute: (row, until) => latest.current.mute(row, until),
      move: (id, to) => latest.current.move(id, to),
      undo: () => latest.current.undo(),
      menu: (row, anchor) => latest.current.menu(row, anchor),
      retry: () => latest.current.retry(),
    }),
    [],
  );
}
