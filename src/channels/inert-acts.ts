import { createCell } from '../readable.ts';
import type { Channels } from './channels.ts';

/** What a reader does, each act applied at once, and the last one taken back. */
export type Acts = Pick<Channels, 'arrange' | 'markRead' | 'markAllRead' | 'star' | 'undo' | 'undoable'>;

/** Acts that change nothing: a foreign page is for looking. */
export const inertActs = (): Acts => {
  const nothing = (): void => {};
  return {
    undoable: createCell(null),
    arrange: nothing,
    markRead: nothing,
    markAllRead: nothing,
    star: nothing,
    undo: nothing,
  };
};
