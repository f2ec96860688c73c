import type { LineupRow } from '../model/types.ts';

/** Returns how many posts of the feed are unread: those of the channels that are followed and not muted. */
export const countUnread = (rows: readonly LineupRow[]): number =>
  rows.reduce((sum, row) => sum + (row.followed && !row.muted ? row.unread : 0), 0);
