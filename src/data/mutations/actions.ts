// User actions: follow, mute, read markers, stars and presets, each with its undo.

import type { Channel } from '../../../contract/channel.ts';
import { createSignal } from '../../lib/signal.ts';
import { computed } from '../../lib/watched-signal.ts';
import {
  activePresets,
  createMutedWordsFilter,
  DEFAULT_LINEUP,
  expandDefaultLineup,
  undoLineupChange,
} from '../lineup/selectors.ts';
import type { DataClient } from '../model/client.ts';
import { postKeysOfChannel } from '../model/kept-unread.ts';
import { postKey } from '../model/post-key.ts';
import type { LineupOperation, Undoable } from '../model/types.ts';
import type { UnreadCounts } from '../queries/unread-counts.ts';
import type { Actions } from './read-only.ts';
import type { UserState } from './user-state.ts';

export interface ActionsOptions {
  readonly userState: UserState;
  readonly unreadCounts: UnreadCounts;
  channels(): readonly Channel[];
  latestIdOf(channelId: string): number | undefined;
  /** Stores a starred post on the device. */
  storePost: (post: Parameters<DataClient['star']>[0]) => void;
  now(): number;
}

/** Maximum number of actions that can be undone. */
const MAX_UNDO_STEPS = 50;

interface UndoEntry {
  readonly undoable: Undoable;
  undo(): void;
}

/** Creates the reader's actions, each with its undo, and the values derived from their line-up. */
export function createActions({
  userState: state,
  unreadCounts: unread,
  channels,
  latestIdOf: latestOf,
  storePost: keepPost,
  now,
}: ActionsOptions): Actions {
  const undoable = createSignal<Undoable | null>(null);
  let done: readonly UndoEntry[] = [];

  function remember(next: readonly UndoEntry[]): void {
    done = next;
    undoable.set(next[0]?.undoable ?? null);
  }
  /** Records an action. Returns a function that reverts exactly this action, whatever was done since. */
  function did(what: Undoable, back: () => void): () => void {
    const act: UndoEntry = { undoable: what, undo: back };
    remember([act, ...done].slice(0, MAX_UNDO_STEPS));
    return () => takeBack(act);
  }
  function takeBack(act: UndoEntry | undefined): void {
    if (act === undefined || !done.includes(act)) return;
    remember(done.filter((one) => one !== act));
    act.undo();
  }
  function change(arrangement: LineupOperation): void {
    state.setLineup(arrangement(state.lineup.get() ?? DEFAULT_LINEUP, now()));
  }
  function arrange(what: Undoable, arrangement: LineupOperation): () => void {
    const former = expandDefaultLineup(state.lineup.get() ?? DEFAULT_LINEUP, channels());
    const next = arrangement(former, now());
    if (next === former) return () => {};
    state.setLineup(next);
    return did(what, () => change(undoLineupChange(former, next)));
  }
  const markOf = (channelId: string): number => state.readMarkers.get().get(channelId) ?? 0;

  function markRead(channelId: string, messageId: number): void {
    const from = markOf(channelId);
    if (messageId <= from) return;
    state.setReadMarker(channelId, messageId, false);
    unread.markMoved(
      channelId,
      from,
      messageId,
      latestOf(channelId),
      postKeysOfChannel(state.keptUnread.get(), channelId).length,
    );
  }

  return {
    undoable,
    presets: computed([state.lineup], () => activePresets(state.lineup.get() ?? DEFAULT_LINEUP)),
    mutedWords: computed([state.lineup], () => {
      const isMuted = createMutedWordsFilter(state.lineup.get() ?? DEFAULT_LINEUP);
      return isMuted && (({ channelId, text }) => isMuted(channelId, text));
    }),
    merged: computed([state.lastMerge], () => {
      const merge = state.lastMerge.get();
      if (merge === null) return null;
      const dismiss = (): void => state.lastMerge.set(null);
      return {
        dismiss,
        undo() {
          dismiss();
          change(undoLineupChange(merge.before, merge.after));
        },
      };
    }),
    markRead,
    applyLineupOperation: arrange,
    markAllRead(channelIds) {
      const backs = channelIds.flatMap((id) => {
        const from = markOf(id);
        const latest = latestOf(id) ?? from;
        const kept = postKeysOfChannel(state.keptUnread.get(), id);
        if (latest <= from && kept.length === 0) return [];
        const count = unread.counts.get().get(id) ?? 0;
        const set = (messageId: number, isBack: boolean): void => {
          for (const key of kept) state.setKeptUnread(key, isBack);
          if (latest > from) state.setReadMarker(id, messageId, isBack);
        };
        set(latest, false);
        unread.markMoved(id, from, latest, latest, 0);
        return () => {
          set(from, true);
          unread.restore(id, count);
        };
      });
      if (backs.length === 0) return () => {};
      return did({ action: 'mark-read', channelId: null }, () => {
        for (const back of backs) back();
      });
    },
    star(post, starred) {
      const at = state.stars.get().get(postKey(post));
      if (starred === (at !== undefined)) return;
      if (starred) keepPost(post);
      state.setStar(post.channelId, post.id, starred ? now() : null);
      if (at !== undefined)
        did({ action: 'unstar', channelId: post.channelId }, () => state.setStar(post.channelId, post.id, at));
    },
    undo: () => takeBack(done[0]),
  };
}
