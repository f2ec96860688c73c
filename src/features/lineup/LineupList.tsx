import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { LineupRow } from '../../data/model/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useDragReorder } from './use-drag-reorder.ts';
import { useRowAnimation } from './use-row-animation.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Position of a row in the displayed list. `isVirtualized` is true if only the rows near the window are rendered. */
export interface LineupRowPosition {
  readonly index: number;
  readonly size: number;
  readonly isVirtualized: boolean;
}

/** Row that stays rendered although it is outside the window: it has the focus, or is being dragged. */
export interface RowRetention {
  readonly retainedRow: string | null;
  readonly retainRow: (id: string | null) => void;
  /** Called when a row received visible focus, that is, from the keyboard. */
  readonly onRowFocus: (id: string) => void;
}

interface LineupListProps extends RowRetention {
  readonly rows: readonly LineupRow[];
  readonly editing?: boolean;
  /** Called when a row was dropped at the position of the row `onto`. */
  readonly onDrop: (id: string, onto: LineupRow) => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  readonly children: (row: LineupRow, position: LineupRowPosition) => ReactNode;
}

/**
 * Line-up list: numbered rows that can be reordered by pointer and by keyboard. A long list renders only the rows near
 * the window.
 */
export function LineupList({
  rows,
  editing = false,
  retainedRow,
  retainRow,
  onRowFocus,
  onDrop,
  onKeyDown,
  children,
}: LineupListProps) {
  const { msg } = useMsg();
  const list = useRef<HTMLOListElement>(null);
  const range = useVirtualRows(list, rows.length);
  const recordPositions = useRowAnimation(list, rows.map((row) => row.channel.id).join(' '));
  useDragReorder(list, rows.length, {
    onStart: retainRow,
    onDrop(id, index) {
      const targetRow = rows[index];
      recordPositions();
      if (targetRow !== undefined) onDrop(id, targetRow);
    },
  });
  const { from, to, isVirtualized } = range;
  const size = rows.length;
  return (
    <ol
      ref={list}
      className={['rows', editing && 'editing', isVirtualized && 'long'].filter(Boolean).join(' ')}
      style={isVirtualized ? { blockSize: `calc(var(--row) * ${size} + 2px)` } : undefined}
      aria-label={msg('My line-up')}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target.closest<HTMLElement>('[data-row]')?.dataset.row;
        retainRow(id ?? null);
        if (id !== undefined && target.matches(':focus-visible')) onRowFocus(id);
      }}
    >
      {rows.map((row, index) =>
        (index >= from && index < to) || row.channel.id === retainedRow ? children(row, { index, size, isVirtualized }) : null,
      )}
    </ol>
  );
}

/** Returns the attributes by which a row is found and dragged and, in a long list, positioned. */
export const rowProps = ({ channel }: LineupRow, { index, size, isVirtualized }: LineupRowPosition) => ({
  'data-row': channel.id,
  'data-index': index,
  ...(isVirtualized && {
    style: { insetBlockStart: `calc(var(--row) * ${index})` },
    'aria-setsize': size,
    'aria-posinset': index + 1,
  }),
});
