import { useMemo } from 'react';
import type { LineupRow } from '../../data/model/types.ts';
import { filterRows } from '../lineup/filter-rows.ts';
import type { ActivePreset } from '../presets/use-active-preset.ts';

/** Rows of the line-up by their use on the dial. */
export interface DialRows {
  readonly followed: readonly LineupRow[];
  /** Rows that are not followed and match the search. */
  readonly unfollowed: readonly LineupRow[];
  /** Followed rows of the active preset; all if none is active. */
  readonly presetRows: readonly LineupRow[];
  /** Rows of the preset that match the search: those that the list shows. */
  readonly listed: readonly LineupRow[];
}

/** Dial rows: selects the rows of the line-up by the active preset, and by the search (null for none). */
export function useDialRows(rows: readonly LineupRow[], { active }: ActivePreset, query: string | null): DialRows {
  const followed = useMemo(() => rows.filter((row) => row.followed), [rows]);
  const unfollowed = useMemo(() => filterRows(rows, query).filter((row) => !row.followed), [rows, query]);
  const presetRows = useMemo(
    () => (active === null ? followed : followed.filter((row) => active.channelIds.includes(row.channel.id))),
    [followed, active],
  );
  const listed = useMemo(() => filterRows(presetRows, query), [presetRows, query]);
  return { followed, unfollowed, presetRows, listed };
}
