import { useEffect, useMemo, useRef } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { type AppServices, useServices } from '../../context/services.ts';
import * as operations from '../../data/lineup/operations.ts';
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
 * Row actions: changes of the line-up, each announced once. The object stays the same while the dial is mounted, so
 * that rows need not render again.
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
  const latestContext = useRef(context);
  useEffect(() => {
    latestContext.current = context;
  });
  return useMemo(() => createRowActions(latestContext), []);
}

/** Creates the actions. Each uses the context of the last render. */
function createRowActions(latestContext: { readonly current: RowActionsContext }): RowActions {
  const change: RowActions['change'] = (undoable, operation, text, nextFocusId = null) => {
    const { keepFocus, dataClient, announce } = latestContext.current;
    keepFocus(nextFocusId);
    dataClient.applyLineupOperation(undoable, operation);
    announce(text, true);
  };
  return {
    change,
    tune({ channel }) {
      const { dial, environment, onTune } = latestContext.current;
      if (channel.id === dial.current?.channel.id) environment.navigate(channelPath(channel));
      else onTune(dial.tune(channel.id));
    },
    follow({ channel }, followed) {
      const { listed, m } = latestContext.current;
      const { id: channelId } = channel;
      const index = listed.findIndex((other) => other.channel.id === channelId);
      const nextId = (listed[index + 1] ?? listed[index - 1])?.channel.id;
      const text = followed ? m.msg(str`You follow ${channel.title}`) : m.msg(str`You no longer follow ${channel.title}`);
      change(
        { action: followed ? 'follow' : 'unfollow', channelId },
        operations.setFollowed([channelId], followed),
        text,
        followed ? channelId : nextId,
      );
    },
    mute({ channel: { id: channelId, title } }, until) {
      const { m } = latestContext.current;
      const text = until === null ? m.msg(str`${title}: unmuted`) : `${title}: ${mutedText(m, until, Date.now())}`;
      change({ action: until === null ? 'unmute' : 'mute', channelId }, operations.muteChannels([channelId], until), text);
    },
    move(channelId, to) {
      const { followed, m } = latestContext.current;
      const row = followed.find((other) => other.channel.id === channelId);
      if (row === undefined || !Number.isInteger(to) || to < 1 || to > followed.length || to === row.number) return;
      const order = followed.map((other) => other.channel.id);
      const text = m.msg(str`${row.channel.title} moved to ${m.number(to)} of ${m.number(followed.length)}`);
      change({ action: 'move', channelId }, operations.moveChannels(order, [channelId], to), text, channelId);
    },
    undo() {
      const { dataClient, keepFocus, retainRow, restoredId, announce, m } = latestContext.current;
      const lastChange = dataClient.undoable.get();
      if (lastChange === null) return;
      keepFocus(lastChange.channelId, true);
      // In a long list the row may not be rendered yet.
      retainRow(lastChange.channelId);
      restoredId.current = lastChange.channelId;
      dataClient.undo();
      announce(m.msg('Undone'));
    },
    openMenu: (row, anchor) => latestContext.current.openMenu(row, anchor),
    retry: () => void latestContext.current.dataClient.refresh(),
  };
}
