// User actions: follow, mute, read markers, stars and presets, each with its undo.

import type { Channel } from '../../../contract/channel.ts';
import { createCell } from '../../lib/signal.ts';
import { derived } from '../../lib/watched-signal.ts';
import { DEFAULT, mutedByWords, presetsOf, spelledOut, takenBack } from '../lineup/selectors.ts';
import type { Channels } from '../model/client.ts';
import { keysOf } from '../model/kept-unread.ts';
import { postKey } from '../model/post-key.ts';
import type { Arrangement, Undoable } from '../model/types.ts';
import type { UnreadCounts } from '../queries/unread-counts.ts';
import type { Acts } from './read-only.ts';
import type { ReaderState } from './user-state.ts';

export interface ActsOptions {
  readonly state: ReaderState;
  readonly unread: UnreadCounts;
  channels(): readonly Channel[];
  latestOf(channelId: string): number | undefined;
  /** Stores a starred post on the device. */
  keepPost: (post: Parameters<Channels['star']>[0]) => void;
  now(): number;
}

/** Maximum number of actions that can be undone. */
const REMEMBERED = 50;

interface Done {
  readonly what: Undoable;
  back(): void;
}

/** Creates the reader's actions, each with its undo, and the values derived from their line-up. */
export function createActs({ state, unread, channels, latestOf, keepPost, now }: ActsOptions): Acts {
  const undoable = createCell<Undoable | null>(null);
  let done: readonly Done[] = [];

  function remember(next: readonly Done[]): void {
    done = next;
    undoable.set(next[0]?.what ?? null);
  }
  /** Records an action. Returns a function that reverts exactly this action, whatever was done since. */
  function did(what: Undoable, back: () => void): () => void {
    const act: Done = { what, back };
    remember([act, ...done].slice(0, REMEMBERED));
    return () => takeBack(act);
  }
  function takeBack(act: Done | undefined): void {
    if (act === undefined || !done.includes(act)) return;
    remember(done.filter((one) => one !== act));
    act.back();
  }
  function change(arrangement: Arrangement): void {
    state.setLineup(arrangement(state.lineup.get() ?? DEFAULT, now()));
  }
  function arrange(what: Undoable, arrangement: Arrangement): () => void {
    const former = spelledOut(state.lineup.get() ?? DEFAULT, channels());
    const next = arrangement(former, now());
    if (next === former) return () => {};
    state.setLineup(next);
    return did(what, () => change(takenBack(former, next)));
  }
  const markOf = (channelId: string): number => state.marks.get().get(channelId) ?? 0;

  function markRead(channelId: string, messageId: number): void {
    const from = markOf(channelId);
    if (messageId <= from) return;
    state.setMark(channelId, messageId, false);
    unread.moved(channelId, from, messageId, latestOf(channelId), keysOf(state.keptUnread.get(), channelId).length);
  }

  return {
    undoable,
    presets: derived([state.lineup], () => presetsOf(state.lineup.get() ?? DEFAULT)),
    mutedWords: derived([state.lineup], () => {
      const isMuted = mutedByWords(state.lineup.get() ?? DEFAULT);
      return isMuted && (({ channelId, text }) => isMuted(channelId, text));
    }),
    merged: derived([state.merge], () => {
      const merge = state.merge.get();
      if (merge === null) return null;
      const note = (): void => state.merge.set(null);
      return {
        note,
        undo() {
          note();
          change(takenBack(merge.before, merge.after));
        },
      };
    }),
    markRead,
    arrange,
    markAllRead(channelIds) {
      const backs = channelIds.flatMap((id) => {
        const from = markOf(id);
        const latest = latestOf(id) ?? from;
        const kept = keysOf(state.keptUnread.get(), id);
        if (latest <= from && kept.length === 0) return [];
        const count = unread.counts.get().get(id) ?? 0;
        const set = (messageId: number, isBack: boolean): void => {
          for (const key of kept) state.setKeptUnread(key, isBack);
          if (latest > from) state.setMark(id, messageId, isBack);
        };
        set(latest, false);
        unread.moved(id, from, latest, latest, 0);
        return () => {
          set(from, true);
          unread.restore(id, count);
        };
      });
      if (backs.length === 0) return () => {};
      return did({ act: 'mark-read', channelId: null }, () => {
        for (const back of backs) back();
      });
    },
    star(post, starred) {
      const at = state.stars.get().get(postKey(post));
      if (starred === (at !== undefined)) return;
      if (starred) keepPost(post);
      state.setStar(post.channelId, post.id, starred ? now() : null);
      if (at !== undefined) did({ act: 'unstar', channelId: post.channelId }, () => state.setStar(post.channelId, post.id, at));
    },
    undo: () => takeBack(done[0]),
  };
}
