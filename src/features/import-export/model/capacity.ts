import { MAX_LINEUP_ENTRIES } from '../../../../contract/limits.ts';
import type { LineupRow } from '../../../data/model/types.ts';

/** Line-up capacity: maximum number of external feeds in a line-up (limit of one directory request). */
const MAX_FEEDS = 200;

/** Returns the number of channels and of external feeds that a line-up can still take; unfollowed rows count. */
export function remainingCapacity(rows: readonly LineupRow[]): { readonly channels: number; readonly feeds: number } {
  const feeds = rows.filter(({ channel }) => channel.elsewhere === true).length;
  return { channels: MAX_LINEUP_ENTRIES - rows.length, feeds: MAX_FEEDS - feeds };
}
