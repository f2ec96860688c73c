import { useMemo, useRef, useState } from 'react';
import type { LineupRow } from '../../../data/model/types.ts';

/**
 * Row selection: the checked rows. `toggle` with `range` applies the change of this row to all rows since the last
 * toggled one.
 */
export interface RowSelection {
  readonly rows: readonly LineupRow[];
  has(id: string): boolean;
  toggle(id: string, range: boolean): void;
  /** Checks both rows, for Shift with an arrow key. */
  extendTo(from: string, to: string): void;
  set(ids: readonly string[]): void;
}

/** Stores the selection among the listed rows; a row that leaves the list is no longer selected. */
export function useSelection(listed: readonly LineupRow[]): RowSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** Id of the row that was toggled last: a range starts at it. */
  const anchor = useRef<string | null>(null);
  const rows = useMemo(() => listed.filter((row) => ids.has(row.channel.id)), [listed, ids]);
  const indexOf = (id: string | null) => listed.findIndex((row) => row.channel.id === id);
  return {
    rows,
    has: (id) => ids.has(id),
    toggle(id, range) {
      const isChecking = !ids.has(id);
      const anchorIndex = range ? indexOf(anchor.current) : -1;
      const [first, last] = [anchorIndex === -1 ? indexOf(id) : anchorIndex, indexOf(id)].sort((a, b) => a - b);
      const affectedIds = listed.slice(first, (last ?? 0) + 1).map((row) => row.channel.id);
      anchor.current = id;
      setIds(new Set(isChecking ? [...ids, ...affectedIds] : [...ids].filter((otherId) => !affectedIds.includes(otherId))));
    },
    extendTo(from, to) {
      anchor.current = to;
      setIds(new Set([...ids, from, to]));
    },
    set: (next) => setIds(new Set(next)),
  };
}
