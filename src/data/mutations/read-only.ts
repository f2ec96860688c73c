import { createCell } from '../../lib/signal.ts';
import type { Channels } from '../model/client.ts';

/** What a reader does, each act applied at once, and the last one taken back; and what only a line-up of his own has. */
export type Acts = Pick<
  Channels,
  'arrange' | 'markRead' | 'markAllRead' | 'star' | 'undo' | 'undoable' | 'presets' | 'mutedWords' | 'merged'
>;

/** Acts that change nothing: a foreign page is for looking. */
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
