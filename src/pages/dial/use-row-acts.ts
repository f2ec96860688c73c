import { type RefObject, useLayoutEffect, useRef } from 'react';
import * as arrange from '../../channels/arrange.ts';
import type { LineupRow } from '../../channels/channels.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../ui/addresses.ts';
import type { Anchor } from '../../ui/Sheet.tsx';
import { useServices } from '../services.ts';
import type { RowActs } from './row-acts.ts';
import { mutedText } from './short-date.ts';
import type { Dial } from './use-dial.ts';

interface Doing {
  readonly root: RefObject<HTMLElement | null>;
  readonly dial: Dial;
  readonly followed: readonly LineupRow[];
  readonly say: (text: string, undo?: boolean) => void;
  readonly openMenu: (row: LineupRow, anchor: Anchor) => void;
  readonly tuned: (row: LineupRow | null) => void;
}

/** Changes of the line-up, each said once; the focus stays on the row that moved, or goes to the next one when a row leaves. */
export function useRowActs({ root, dial, followed, say, openMenu, tuned }: Doing): RowActs {
  const m = useMsg();
  const { channels, site } = useServices();
  const keepFocus = useKeptFocus(root);
  return {
    tune(row) {
      if (row.channel.id === dial.current?.channel.id) site.navigate(channelPath(row.channel));
      else tuned(dial.tune(row.channel.id));
    },
    follow(row, on) {
      keepFocus(on ? null : ((followed[row.number ?? 0] ?? followed[(row.number ?? 0) - 2])?.channel.id ?? null));
      const { id: channelId } = row.channel;
      channels.arrange({ act: on ? 'follow' : 'unfollow', channelId }, arrange.follow([channelId], on));
      say(on ? m.msg(str`${row.channel.title} is on`) : m.msg(str`${row.channel.title} is off`), true);
    },
    mute(row, until) {
      const { id: channelId } = row.channel;
      channels.arrange({ act: until === null ? 'unmute' : 'mute', channelId }, arrange.mute([channelId], until));
      const { title } = row.channel;
      say(until === null ? m.msg(str`${title}: unmuted`) : `${title}: ${mutedText(m, until, Date.now())}`, true);
    },
    move(channelId, to) {
      const row = followed.find((each) => each.channel.id === channelId);
      if (row === undefined || !Number.isInteger(to) || to < 1 || to > followed.length || to === row.number) return;
      keepFocus(channelId);
      const shown = followed.map((each) => each.channel.id);
      channels.arrange({ act: 'move', channelId }, arrange.move(shown, [channelId], to));
      say(m.msg(str`${row.channel.title} moved to ${m.number(to)} of ${m.number(followed.length)}`), true);
    },
    undo() {
      if (channels.undoable.get() === null) return;
      keepFocus(null);
      channels.undo();
      say(m.msg('Undone'));
    },
    menu: openMenu,
  };
}

/**
 * A row that changes place is taken out of the document for a moment and loses the focus; it gets it back. With an id, that
 * row gets it when the focused one has left.
 */
function useKeptFocus(root: RefObject<HTMLElement | null>): (next: string | null) => void {
  const wanted = useRef<{ readonly element: HTMLElement; readonly next: string | null } | null>(null);
  useLayoutEffect(() => {
    const kept = wanted.current;
    wanted.current = null;
    if (kept === null || focusedIn(root.current) !== null) return;
    const next =
      kept.next === null ? null : root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(kept.next)}"] .row-main`);
    (kept.element.isConnected ? kept.element : next)?.focus({ preventScroll: true });
  });
  return (next) => {
    const element = focusedIn(root.current);
    wanted.current = element === null ? null : { element, next };
  };
}

/** What has the focus inside the page, which lives in a shadow root. */
function focusedIn(root: HTMLElement | null): HTMLElement | null {
  const tree = root?.getRootNode();
  const active = tree instanceof ShadowRoot || tree instanceof Document ? tree.activeElement : null;
  return active instanceof HTMLElement && root?.contains(active) === true ? active : null;
}
