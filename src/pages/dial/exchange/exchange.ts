import type { LineupRow } from '../../../channels/types.ts';
import type { RowActs } from '../row-acts.ts';
import type { Say } from '../use-notice.ts';

/** What the ways into the line-up and out of it work with. */
export interface Exchanging {
  /** All rows, also those that are not followed. */
  readonly rows: readonly LineupRow[];
  readonly change: RowActs['change'];
  /** Says once what was done; with `undo` the way back stands beside it. */
  readonly say: Say;
}
