import { useEffect, useMemo, useRef } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { type AppServices, useServices } from '../../context/services.ts';
import * as arrange from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
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

interface RowActionsContext extends RowActionsOptions, Pick<AppServices, 'dataClient' | 'environment'> {
  readonly m: Messages;
  /** Id of the channel whose change was undone. */
  readonly restoredId: { current: string | null };
}

/**
 * Row actions: changes of the line-up, each announced once. The object stays the same while the dial is mounted, so that rows
 * need not render again.
 */
export function useRowActions(options: RowActionsOptions): RowActions {
  const m = useMsg();
  const services = useServices();
  const restoredId = useRef<string | null>(null);
  const { listed, dial } = options;
  // Selects the channel that the undo restored. Its row is in the list only after the change.
  useEffect(() => {
    const row = listed.find(({ channel }) => channel.id === restoredId.current);
    restoredId.current = null;
    if (row !== undefined) dial.tune(row.channel.id);
  });
  const context = { ...options, ...services, m, restoredId };
  const latest = useRef(context);
  useEffect(() => {
    latest.current = context;
  });
  return useMemo(() => createRowActions(latest), []);
}

/** Creates the actions. Each uses the context of the last render. */
function createRowActions(latest: { readonly current: RowActionsContext }): RowActions {
  const change: RowActions['change'] = (change, arrangement, text, nextId = null) => {
    const { keepFocus, dataClient, announce } = latest.current;
    keepFocus(nextId);
    dataClient.applyLineupOperation(change, arrangement);
    announce(text, true);
  };
  return {
    change,
    tune({ channel }) {
      const { dial, environment, onTune } = latest.current;
      if (channel.id === dial.current?.channel.id) environment.navigate(channelPath(channel));
      else onTune(dial.tune(channel.id));
    },
    follow({ channel }, on) {
      const { listed, m } = latest.current;
      const { id: channelId } = channel;
      const index = listed.findIndex((other) => other.channel.id === channelId);
      const nextId = (listed[index + 1] ?? listed[index - 1])?.channel.id;
      const text = on ? m.msg(str`You follow ${channel.title}`) : m.msg(str`You no longer follow ${channel.title}`);
      change(
        { action: on ? 'follow' : 'unfollow', channelId },
        arrange.setFollowed([channelId], on),
        text,
        on ? channelId : nextId,
      );
    },
    mute({ channel: { id: channelId, title } }, until) {
      const { m } = latest.current;
      const text = until === null ? m.msg(str`${title}: unmuted`) : `${title}: ${mutedText(m, until, Date.now())}`;
      change({ action: until === null ? 'unmute' : 'mute', channelId }, arrange.muteChannels([channelId], until), text);
    },
    move(channelId, to) {
      const { followed, m } = latest.current;
      const row = followed.find((other) => other.channel.id === channelId);
      if (row === undefined || !Number.isInteger(to) || to < 1 || to > followed.length || to === row.number) return;
      const order = followed.map((other) => other.channel.id);
      const text = m.msg(str`${row.channel.title} moved to ${m.number(to)} of ${m.number(followed.length)}`);
      change({ action: 'move', channelId }, arrange.moveChannels(order, [channelId], to), text, channelId);
    },
    undo() {
      const { dataClient, keepFocus, retainRow, restoredId, announce, m } = latest.current;
      const last = dataClient.undoable.get();
      if (last === null) return;
      keepFocus(last.channelId, true);
      // In a long list the row may not be rendered yet.
      retainRow(last.channelId);
      restoredId.current = last.channelId;
      dataClient.undo();
      announce(m.msg('Undone'));
    },
    openMenu: (row, anchor) => latest.current.openMenu(row, anchor),
    retry: () => void latest.current.dataClient.refresh(),
  };
}
