import type { Anchor } from '../../components/Sheet.tsx';
import type { LineupOperation, LineupRow, Undoable } from '../../data/model/types.ts';

/** Row actions: the actions that a row of the line-up can trigger. */
export interface RowActions {
  /** Selects the row on the dial; opens the channel if it is selected already. */
  tune(row: LineupRow): void;
  follow(row: LineupRow, followed: boolean): void;
  /** `until` has the format of `muteChannels`. */
  mute(row: LineupRow, until: number | null): void;
  /** Moves a channel to a number, counted from 1; does nothing if it is out of range. */
  move(channelId: string, number: number): void;
  /**
   * Changes the line-up, announces it with an undo button, and restores the focus: if the focused row disappears, the
   * row with the id `next` receives the focus.
   */
  change(undoable: Undoable, operation: LineupOperation, text: string, next?: string | null): void;
  /** Undoes the last change; does nothing if there is none. */
  undo(): void;
  openMenu(row: LineupRow, anchor: Anchor): void;
  /** Sends unsaved changes again. */
  retry(): void;
}
