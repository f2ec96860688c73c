import { createSignal, type Signal } from '../../lib/signal.ts';
import type { Undoable } from '../model/types.ts';

/** Maximum number of actions that can be undone. */
const MAX_UNDO_STEPS = 50;

interface UndoEntry {
  readonly undoable: Undoable;
  undo(): void;
}

/** Undo stack: the reader's last actions, each with the function that reverts it. */
export interface UndoStack {
  /** The last action; null if there is none. */
  readonly undoable: Signal<Undoable | null>;
  /** Records an action. Returns a function that reverts exactly this action, even after later ones. */
  add(undoable: Undoable, undo: () => void): () => void;
  /** Reverts the last action. */
  undo(): void;
}

export function createUndoStack(): UndoStack {
  const undoable = createSignal<Undoable | null>(null);
  let entries: readonly UndoEntry[] = [];

  function setEntries(next: readonly UndoEntry[]): void {
    entries = next;
    undoable.set(next[0]?.undoable ?? null);
  }
  function revert(entry: UndoEntry | undefined): void {
    if (entry === undefined || !entries.includes(entry)) return;
    setEntries(entries.filter((other) => other !== entry));
    entry.undo();
  }
  return {
    undoable,
    add(action, undo) {
      const entry: UndoEntry = { undoable: action, undo };
      setEntries([entry, ...entries].slice(0, MAX_UNDO_STEPS));
      return () => revert(entry);
    },
    undo: () => revert(entries[0]),
  };
}
