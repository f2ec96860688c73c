import type { LineupRow } from '../model/types.ts';

/** Returns the number of unread posts in the feed: those of channels that are followed and not muted. */
export const countUnread = (rows: readonly LineupRow[]): number =>
  rows.reduce((sum, row) => sum + (row.followed && !row.muted ? row.unread : 0), 0);
