import { createSignal } from '../../lib/signal.ts';
import type { DataClient } from '../model/client.ts';

/**
 * Actions of the data layer: the changes that a reader can make, their undo, and the values that only the reader's own line-up
 * has.
 */
export type Actions = Pick<
  DataClient,
  'applyLineupOperation' | 'markRead' | 'markAllRead' | 'star' | 'undo' | 'undoable' | 'presets' | 'mutedWords' | 'merged'
>;

/** Creates read-only actions, which change nothing, for a third-party page. */
export const createReadOnlyActions = (): Actions => {
  const doNothing = (): void => {};
  return {
    undoable: createSignal(null),
    presets: createSignal([]),
    mutedWords: createSignal(null),
    merged: createSignal(null),
    applyLineupOperation: () => doNothing,
    markRead: doNothing,
    markAllRead: () => doNothing,
    star: doNothing,
    undo: doNothing,
  };
};
