import { createSignal } from '../../lib/signal.ts';
import type { DataClient } from '../model/client.ts';

/**
 * The part of the data layer with the reader's actions and their undo, and the values that only the reader's own line-up has.
 */
export type Actions = Pick<
  DataClient,
  'applyLineupOperation' | 'markRead' | 'markAllRead' | 'star' | 'undo' | 'undoable' | 'presets' | 'mutedWords' | 'merged'
>;

/** Creates read-only actions, which change nothing, for a third-party page. */
export const createReadOnlyActions = (): Actions => {
  const nothing = (): void => {};
  return {
    undoable: createSignal(null),
    presets: createSignal([]),
    mutedWords: createSignal(null),
    merged: createSignal(null),
    applyLineupOperation: () => nothing,
    markRead: nothing,
    markAllRead: () => nothing,
    star: nothing,
    undo: nothing,
  };
};
