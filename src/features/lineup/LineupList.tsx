import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { LineupRow } from '../../data/model/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useDrag } from './use-drag-reorder.ts';
import { useRowMotion } from './use-row-animation.ts';
import { useWindow } from './use-virtual-rows.ts';

/** Where a row stands in the list that is shown; `long` when not all of its rows are drawn. */
export interface Place {
  readonly index: number;
  readonly size: number;
  readonly long: boolean;
}

/** The row that stays drawn though it is out of sight: it has the focus, or is being dragged. */
export interface Holding {
  readonly held: string | null;
  readonly hold: (id: string | null) => void;
  /** A row got the focus in a way that shows it there: the keyboard's. */
  readonly reach: (id: string) => void;
}

interface LineupListProps extends Holding {
  readonly rows: readonly LineupRow[];
  readonly editing?: boolean;
  /** A row was dropped in the place of another. */
  readonly drop: (id: string, onto: LineupRow) => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  readonly children: (row: LineupRow, place: Place) => ReactNode;
}

/** The numbered line-up, put in order by pointer and by keyboard. Of a long one only what is near the window is drawn. */
export function LineupList({ rows, editing = false, held, hold, reach, drop, onKeyDown, children }: LineupListProps) {
  const { msg } = useMsg();
  const list = useRef<HTMLOListElement>(null);
  const drawn = useWindow(list, rows.length);
  const note = useRowMotion(list, rows.map((row) => row.channel.id).join(' '));
  useDrag(list, rows.length, {
    take: hold,
    drop(id, index) {
      const onto = rows[index];
      note();
      if (onto !== undefined) drop(id, onto);
    },
  });
  const { from, to, long } = drawn;
  const size = rows.length;
  return (
    <ol
      ref={list}
      className={['rows', editing && 'editing', long && 'long'].filter(Boolean).join(' ')}
      style={long ? { blockSize: `calc(var(--row) * ${size} + 2px)` } : undefined}
      aria-label={msg('My line-up')}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target.closest<HTMLElement>('[data-row]')?.dataset.row;
        hold(id ?? null);
        if (id !== undefined && target.matches(':focus-visible')) reach(id);
      }}
    >
      {rows.map((row, index) =>
        (index >= from && index < to) || row.channel.id === held ? children(row, { index, size, long }) : null,
      )}
    </ol>
  );
}

/** What the element of a row needs to be found, dragged and, in a long list, to stand in its place. */
export const rowProps = ({ channel }: LineupRow, { index, size, long }: Place) => ({
  'data-row': channel.id,
  'data-index': index,
  ...(long && {
    style: { insetBlockStart: `calc(var(--row) * ${index})` },
    'aria-setsize': size,
    'aria-posinset': index + 1,
  }),
});
