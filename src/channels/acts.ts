import type { LineupEntry } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import { createCell } from '../readable.ts';
import { type Channels, type LineupRow, postKey, type Undoable } from './channels.ts';
import type { Acts } from './inert-acts.ts';
import { restored, spelledOut, withFollowed, withMoved, withMuted } from './lineup.ts';
import type { ReaderState } from './reader-state.ts';
import type { UnreadCounts } from './unread.ts';

export interface ActsOptions {
  readonly state: ReaderState;
  readonly unread: UnreadCounts;
  channels(): readonly Channel[];
  rows(): readonly LineupRow[];
  latestOf(channelId: string): number | undefined;
  /** Holds a starred post on the device. */
  keepPost: (post: Parameters<Channels['star']>[0]) => void;
  now(): number;
}

/** What a reader does, each act with what takes it back; one level of undo. */
export function createActs({ state, unread, channels, rows, latestOf, keepPost, now }: ActsOptions): Acts {
  const undoable = createCell<Undoable | null>(null);
  let takeBack = (): void => {};

  function did(act: Undoable['act'], channelId: string | null, back: () => void): void {
    takeBack = back;
    undoable.set({ act, channelId });
  }
  function rearrange(
    act: Undoable['act'],
    channelId: string,
    change: (entries: readonly LineupEntry[]) => readonly LineupEntry[],
  ): void {
    const former = spelledOut(state.entries.get() ?? [], channels());
    const next = change(former);
    if (next === former) return;
    state.setEntries(next);
    did(act, channelId, () => state.setEntries(restored(former, state.entries.get() ?? [], now())));
  }
  const markOf = (channelId: string): number => state.marks.get().get(channelId) ?? 0;

  function markRead(channelId: string, messageId: number): void {
    const from = markOf(channelId);
    if (messageId <= from) return;
    state.setMark(channelId, messageId, false);
    unread.moved(channelId, from, messageId, latestOf(channelId));
  }

  return {
    undoable,
    markRead,
    follow: (channelId, followed) =>
      rearrange(followed ? 'follow' : 'unfollow', channelId, (entries) => withFollowed(entries, channelId, followed, now())),
    mute: (channelId, until) =>
      rearrange(until === null ? 'unmute' : 'mute', channelId, (entries) => withMuted(entries, channelId, until, now())),
    move(channelId, number) {
      const followed = rows().flatMap((row) => (row.followed ? row.channel.id : []));
      rearrange('move', channelId, (entries) => withMoved(entries, followed, channelId, number, now()));
    },
    markAllRead() {
      const counts = unread.counts.get();
      const behind = rows().flatMap(({ channel, followed }) => {
        const latest = latestOf(channel.id);
        return followed && latest !== undefined && latest > markOf(channel.id)
          ? { id: channel.id, from: markOf(channel.id), latest }
          : [];
      });
      if (behind.length === 0) return;
      for (const { id, latest } of behind) markRead(id, latest);
      did('mark-read', null, () => {
        for (const { id, from } of behind) state.setMark(id, from, true);
        unread.set(counts);
      });
    },
    star(post, starred) {
      const at = state.stars.get().get(postKey(post));
      if (starred === (at !== undefined)) return;
      if (starred) keepPost(post);
      state.setStar(post.channelId, post.id, starred ? now() : null);
      if (at !== undefined) did('unstar', post.channelId, () => state.setStar(post.channelId, post.id, at));
    },
    undo() {
      const back = takeBack;
      takeBack = () => {};
      undoable.set(null);
      back();
    },
  };
}
