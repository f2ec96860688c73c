import { useRef } from 'react';
import type { LineupRow } from '../../channels/channels.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { LineupItem } from './LineupItem.tsx';
import type { RowActs } from './row-acts.ts';
import { useDrag } from './use-drag.ts';
import { useRowMotion } from './use-row-motion.ts';

interface LineupListProps {
  readonly rows: readonly LineupRow[];
  readonly current: LineupRow | null;
  readonly editing: boolean;
  readonly acts: RowActs;
}

/** The numbered line-up: tunes the dial, and is put in order by pointer and by keyboard. */
export function LineupList({ rows, current, editing, acts }: LineupListProps) {
  const { msg } = useMsg();
  const list = useRef<HTMLOListElement>(null);
  const note = useRowMotion(list, rows.map((row) => row.channel.id).join(' '));
  useDrag(list, (id, number) => {
    note();
    acts.move(id, number);
  });
  return (
    <ol ref={list} className={editing ? 'rows editing' : 'rows'} aria-label={msg('My line-up')}>
      {rows.map((row) => (
        <LineupItem key={row.channel.id} row={row} total={rows.length} on={row === current} editing={editing} acts={acts} />
      ))}
    </ol>
  );
}
