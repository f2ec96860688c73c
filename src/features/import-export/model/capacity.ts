import type { LineupRow } from '../../../data/model/types.ts';

/** What the contract lets a line-up hold, and of feeds from elsewhere what the directory lets be named at once. */
export const MOST_CHANNELS = 1000;
export const MOST_FEEDS = 200;

/** How many more channels a line-up takes, and how many of them may be from elsewhere; what is turned off keeps its place. */
export function roomIn(rows: readonly LineupRow[]): { readonly channels: number; readonly feeds: number } {
  const feeds = rows.filter(({ channel }) => channel.elsewhere === true).length;
  return { channels: MOST_CHANNELS - rows.length, feeds: MOST_FEEDS - feeds };
}
