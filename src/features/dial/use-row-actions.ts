import { useEffect, useMemo, useRef } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import * as arrange from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import type { RowActions } from '../lineup/row-actions.ts';
import { mutedText } from '../lineup/row-text.ts';
import type { useFocusRetention } from '../lineup/use-focus-retention.ts';
import type { Announce } from './UndoToast.tsx';
import type { DialController } from './use-dial.ts';

interface RowActionsOptions {
  readonly keepFocus: ReturnType<typeof useFocusRetention>;
  readonly dial: DialController;
  /** All followed rows. */
  readonly followed: readonly LineupRow[];
  /** The followed rows that the list shows. */
  readonly listed: readonly LineupRow[];
  readonly announce: Announce;
  readonly openMenu: (row: LineupRow, anchor: Anchor) => void;
  readonly onTune: (row: LineupRow | null) => void;
  readonly retainRow: (id: string | null) => void;
}

/**
 * Row actions: changes of the line-up, each announced once. The object stays the same while the dial is mounted, so that rows
 * need not render again.
 */
export function useRowActions({
  keepFocus,
  dial,
  followed,
  listed,
  announce,
  openMenu,
  onTune,
  retainRow,
}: RowActionsOptions): RowActions {
  const m = useMsg();
  const { dataClient, environment } = useServices();
  const restoredId = useRef<string | null>(null);
  // Selects the channel that the undo restored. Its row is in the list only after the change.
  useEffect(() => {
    const row = listed.find(({ channel }) => channel.id === restoredId.current);
    restoredId.current = null;
    if (row !== undefined) dial.tune(row.channel.id);
  });
  const actions: RowActions = {
    change(change, arrangement, text, nextId = null) {
      keepFocus(nextId);
      dataClient.applyLineupOperation(change, arrangement);
      announce(text, true);
    },
    tune(row) {
      if (row.channel.id === dial.current?.channel.id) environment.navigate(channelPath(row.channel));
      else onTune(dial.tune(row.channel.id));
    },
    follow(row, on) {
      const { channel } = row;
      const { id: channelId } = channel;
      const index = listed.findIndex((other) => other.channel.id === channelId);
      const nextId = (listed[index + 1] ?? listed[index - 1])?.channel.id;
      const text = on ? m.msg(str`You follow ${channel.title}`) : m.msg(str`You no longer follow ${channel.title}`);
      actions.change(
        { action: on ? 'follow' : 'unfollow', channelId },
        arrange.setFollowed([channelId], on),
        text,
        on ? channelId : nextId,
      );
    },
    mute(row, until) {
      const { id: channelId, title } = row.channel;
      const text = until === null ? m.msg(str`${title}: unmuted`) : `${title}: ${mutedText(m, until, Date.now())}`;
      actions.change({ action: until === null ? 'unmute' : 'mute', channelId }, arrange.muteChannels([channelId], until), text);
    },
    move(channelId, to) {
      const row = followed.find((other) => other.channel.id === channelId);
      if (row === undefined || !Number.isInteger(to) || to < 1 || to > followed.length || to === row.number) return;
      const order = followed.map((other) => other.channel.id);
      const text = m.msg(str`${row.channel.title} moved to ${m.number(to)} of ${m.number(followed.length)}`);
      actions.change({ action: 'move', channelId }, arrange.moveChannels(order, [channelId], to), text, channelId);
    },
    undo() {
      const last = dataClient.undoable.get();
      if (last === null) return;
      keepFocus(last.channelId, true);
      // In a long list the row may not be rendered yet.
      retainRow(last.channelId);
      restoredId.current = last.channelId;
      dataClient.undo();
      announce(m.msg('Undone'));
    },
    openMenu,
    retry: () => void dataClient.refresh(),
  };
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo<RowActions>(
    () => ({
      change: (...args) => latest.current.change(...args),
      tune: (row) => latest.current.tune(row),
      follow: (row, on) => latest.current.follow(row, on),
      mute: (row, until) => latest.current.mute(row, until),
      move: (id, to) => latest.current.move(id, to),
      undo: () => latest.current.undo(),
      openMenu: (row, anchor) => latest.current.openMenu(row, anchor),
      retry: () => latest.current.retry(),
    }),
    [],
  );
}
