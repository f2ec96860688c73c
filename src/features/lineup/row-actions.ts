import type { Anchor } from '../../components/Sheet.tsx';
import type { Arrangement, LineupRow, Undoable } from '../../data/model/types.ts';

/** What a row of the line-up can ask for. */
export interface RowActs {
  /** Turns the dial to the row; one that is on already is opened. */
  tune(row: LineupRow): void;
  follow(row: LineupRow, followed: boolean): void;
  /** `until` as arrange.mute takes it. */
  mute(row: LineupRow, until: number | null): void;
  /** To a number counted from 1; out of bounds it does nothing. */
  move(channelId: string, number: number): void;
  /** Changes the line-up, says it with a way back, and keeps the focus: where its row leaves, the row `next` gets it. */
  change(what: Undoable, arrangement: Arrangement, text: string, next?: string | null): void;
  /** Takes the last change back; does nothing where there is none. */
  undo(): void;
  menu(row: LineupRow, anchor: Anchor): void;
  /** Sends again what could not be saved. */
  retry(): void;
}
