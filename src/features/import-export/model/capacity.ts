import type { LineupRow } from '../../../data/model/types.ts';

/**
 * Line-up capacity: maximum number of channels in a line-up (contract), and maximum number of external feeds (limit of one
 * directory request).
 */
export const MOST_CHANNELS = 1000;
export const MOST_FEEDS = 200;

/** Returns the number of channels and of external feeds that a line-up can still take; unfollowed rows count. */
export function roomIn(rows: readonly LineupRow[]): { readonly channels: number; readonly feeds: number } {
  const feeds = rows.filter(({ channel }) => channel.elsewhere === true).length;
  return { channels: MOST_CHANNELS - rows.length, feeds: MOST_FEEDS - feeds };
}
