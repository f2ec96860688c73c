// User actions: follow, mute, read markers, stars and presets, each with its undo.

import { computed } from '../../lib/watched-signal.ts';
import type { DataContext } from '../context.ts';
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
import type { LineupOperation } from '../model/types.ts';
import type { UnreadCounts } from '../queries/unread-counts.ts';
import type { Actions } from './read-only.ts';
import { createUndoStack, type UndoStack } from './undo-stack.ts';
import type { UserState } from './user-state.ts';

export interface ActionsOptions {
  readonly context: DataContext;
  readonly userState: UserState;
  readonly unreadCounts: UnreadCounts;
  latestIdOf(channelId: string): number | undefined;
  /** Stores a starred post on the device. */
  storePost: (post: Parameters<DataClient['star']>[0]) => void;
  now(): number;
}

/** Creates the reader's actions, each with its undo, and the values derived from their line-up. */
export function createActions(options: ActionsOptions): Actions {
  const undoStack = createUndoStack();
  return {
    undoable: undoStack.undoable,
    undo: undoStack.undo,
    ...createLineupActions(options, undoStack),
    ...createReadActions(options, undoStack),
    star: createStarAction(options, undoStack),
  };
}

type LineupActions = Pick<Actions, 'presets' | 'mutedWords' | 'merged' | 'applyLineupOperation'>;

function createLineupActions({ context, userState, now }: ActionsOptions, undoStack: UndoStack): LineupActions {
  const { lineup, lastMerge } = userState;
  const current = () => lineup.get() ?? DEFAULT_LINEUP;
  const apply = (operation: LineupOperation): void => userState.setLineup(operation(current(), now()));
  return {
    presets: computed([lineup], () => activePresets(current())),
    mutedWords: computed([lineup], () => {
      const isMuted = createMutedWordsFilter(current());
      return isMuted && (({ channelId, text }) => isMuted(channelId, text));
    }),
    merged: computed([lastMerge], () => {
      const merge = lastMerge.get();
      if (merge === null) return null;
      const dismiss = (): void => lastMerge.set(null);
      return {
        dismiss,
        undo() {
          dismiss();
          apply(undoLineupChange(merge.before, merge.after));
        },
      };
    }),
    applyLineupOperation(action, operation) {
      const { channels, next: nextPage } = context.directory;
      const isDefault = current().entries.length === 0;
      const [previous, changedAt] = [expandDefaultLineup(current(), channels()), now()];
      const next = operation(previous, changedAt);
      if (next === previous) return () => {};
      userState.setLineup(next);
      if (isDefault && typeof nextPage === 'string')
        void import('./complete-lineup.ts')
          .then(({ completeLineup }) => completeLineup(context, operation, changedAt))
          .catch(() => {}); // Without a connection, the line-up has the channels that are loaded.
      return undoStack.add(action, () => apply(undoLineupChange(previous, next)));
    },
  };
}

function createReadActions(
  { userState, unreadCounts, latestIdOf }: ActionsOptions,
  undoStack: UndoStack,
): Pick<Actions, 'markRead' | 'markAllRead'> {
  const readMarkerOf = (channelId: string): number => userState.readMarkers.get().get(channelId) ?? 0;
  const keptUnreadOf = (channelId: string): string[] => postKeysOfChannel(userState.keptUnread.get(), channelId);

  /** Marks all known posts of a channel as read. Returns a list with the undo function; empty if all posts were read. */
  function markChannelRead(id: string): readonly (() => void)[] {
    const from = readMarkerOf(id);
    const latest = latestIdOf(id) ?? from;
    const keptUnread = keptUnreadOf(id);
    if (latest <= from && keptUnread.length === 0) return [];
    const count = unreadCounts.counts.get().get(id) ?? 0;
    const setReadState = (messageId: number, isUndo: boolean): void => {
      for (const key of keptUnread) userState.setKeptUnread(key, isUndo);
      if (latest > from) userState.setReadMarker(id, messageId, isUndo);
    };
    setReadState(latest, false);
    unreadCounts.markMoved(id, from, latest, latest, 0);
    const undo = (): void => {
      setReadState(from, true);
      unreadCounts.adjustCount(id, count);
    };
    return [undo];
  }
  return {
    markRead(channelId, messageId) {
      const from = readMarkerOf(channelId);
      if (messageId <= from) return;
      userState.setReadMarker(channelId, messageId, false);
      unreadCounts.markMoved(channelId, from, messageId, latestIdOf(channelId), keptUnreadOf(channelId).length);
    },
    markAllRead(channelIds) {
      const undoFunctions = channelIds.flatMap(markChannelRead);
      if (undoFunctions.length === 0) return () => {};
      return undoStack.add({ action: 'mark-read', channelId: null }, () => {
        for (const undo of undoFunctions) undo();
      });
    },
  };
}

const createStarAction =
  ({ userState, storePost, now }: ActionsOptions, undoStack: UndoStack): Actions['star'] =>
  (post, starred) => {
    const starredAt = userState.stars.get().get(postKey(post));
    if (starred === (starredAt !== undefined)) return;
    if (starred) storePost(post);
    userState.setStar(post.channelId, post.id, starred ? now() : null);
    // Only the removal of a star can be undone.
    if (starredAt === undefined) return;
    const undo = (): void => userState.setStar(post.channelId, post.id, starredAt);
    undoStack.add({ action: 'unstar', channelId: post.channelId }, undo);
  };
