import type { LineupRow } from '../../channels/channels.ts';
import type { Anchor } from '../../ui/Sheet.tsx';

/** What a row of the line-up can ask for. */
export interface RowActs {
  /** Turns the dial to the row; one that is on already is opened. */
  tune(row: LineupRow): void;
  follow(row: LineupRow, followed: boolean): void;
  /** `until` as Channels.mute takes it. */
  mute(row: LineupRow, until: number | null): void;
  /** To a number counted from 1; out of bounds it does nothing. */
  move(channelId: string, number: number): void;
  /** Takes the last change back; does nothing where there is none. */
  undo(): void;
  menu(row: LineupRow, anchor: Anchor): void;
}
