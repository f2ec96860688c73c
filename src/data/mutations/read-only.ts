import { createCell } from '../../lib/signal.ts';
import type { Channels } from '../model/client.ts';

/**
 * The part of the data layer with the reader's actions and their undo, and the values that only the reader's own line-up has.
 */
export type Acts = Pick<
  Channels,
  'arrange' | 'markRead' | 'markAllRead' | 'star' | 'undo' | 'undoable' | 'presets' | 'mutedWords' | 'merged'
>;

/** Creates read-only actions, which change nothing, for a third-party page. */
export const inertActs = (): Acts => {
  const nothing = (): void => {};
  return {
    undoable: createCell(null),
    presets: createCell([]),
    mutedWords: createCell(null),
    merged: createCell(null),
    arrange: () => nothing,
    markRead: nothing,
    markAllRead: () => nothing,
    star: nothing,
    undo: nothing,
  };
};
