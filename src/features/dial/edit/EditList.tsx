import { type KeyboardEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import sheets from '../../../components/styles/menu.css';
import { moveChannels } from '../../../data/lineup/operations.ts';
import type { LineupRow } from '../../../data/model/types.ts';
import { useStylesheet } from '../../../hooks/use-stylesheet.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { useAreaMessages } from '../../../i18n/lazy-messages.ts';
import { LineupList, type RowRetention } from '../../lineup/LineupList.tsx';
import type { RowActions } from '../../lineup/row-actions.ts';
import { rowControl } from '../../lineup/use-focus-retention.ts';
import { channelCount } from '../../presets/preset-text.ts';
import type { UnsyncedRows } from '../use-unsynced-rows.ts';
import { BulkActions } from './BulkActions.tsx';
import { EditItem } from './EditItem.tsx';
import styles from './edit.css';
import { useSelection } from './use-selection.ts';

export interface EditListProps {
  readonly rows: readonly LineupRow[];
  readonly followed: readonly LineupRow[];
  readonly current: LineupRow | null;
  readonly unsaved: UnsyncedRows;
  readonly actions: RowActions;
  readonly retention: RowRetention;
  /** Opens the editor of a new preset with these channels. */
  readonly onPreset: (channelIds: readonly string[]) => void;
}

/** The bulk bar opens menus like those of the rows, whose styles may not be loaded yet. */
const STYLES = sheets + styles;

/** Edit list: the line-up in edit mode, with checkable rows and the bulk actions. */
export function EditList({ rows, followed, current, unsaved, actions, retention, onPreset }: EditListProps) {
  const m = useMsg();
  const hasMessages = useAreaMessages('arranging');
  const style = useStylesheet(STYLES);
  const root = useRef<HTMLElement | null>(null);
  const selection = useSelection(rows);
  const moving = selection.rows.length;

  /** Moves the checked rows, or only the dragged row if it is not checked, to the position of another row. */
  const moveOnto = (id: string, onto: LineupRow) => {
    const ids = selection.rows.map((row) => row.channel.id);
    const order = followed.map((row) => row.channel.id);
    if (ids.length < 2 || !ids.includes(id)) return actions.move(id, onto.number ?? 0);
    const moved = order.filter((otherId) => otherId !== id).toSpliced((onto.number ?? 1) - 1, 0, id);
    const number = moved.slice(0, moved.indexOf(id)).filter((otherId) => !ids.includes(otherId)).length + 1;
    const text = m.msg(str`${channelCount(m, ids.length)} moved to ${m.number(number)}`);
    actions.change({ action: 'move', channelId: null }, moveChannels(order, ids, number), text, id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const from = rowIdOf(event.target);
    if (by === 0 || from === null || event.ctrlKey || event.metaKey) return;
    const index = rows.findIndex((row) => row.channel.id === from);
    const to = rows[index + by];
    if (to === undefined) return;
    event.preventDefault();
    // All checked rows move together.
    if (event.altKey) return moveOnto(from, to);
    if (event.shiftKey) selection.extendTo(from, to.channel.id);
    flushSync(() => retention.retainRow(to.channel.id));
    rowControl(root.current, to.channel.id)?.focus();
  };
  return (
    <div
      ref={(element) => {
        style.current = element;
        root.current = element;
      }}
    >
      {hasMessages && <BulkActions {...{ rows, followed, selection, actions, onPreset }} />}
      <LineupList rows={rows} editing onDrop={moveOnto} onKeyDown={onKeyDown} {...retention}>
        {(row, position) => (
          <EditItem
            key={row.channel.id}
            {...position}
            row={row}
            total={followed.length}
            isActive={row === current}
            unsaved={unsaved.failed && unsaved.ids.has(row.channel.id)}
            checked={selection.has(row.channel.id)}
            movingCount={moving > 1 && selection.has(row.channel.id) ? m.number(moving) : undefined}
            toggle={(range) => selection.toggle(row.channel.id, range)}
            actions={actions}
          />
        )}
      </LineupList>
    </div>
  );
}

const rowIdOf = (target: EventTarget): string | null =>
  (target instanceof Element && target.matches('.row-check') && target.closest<HTMLElement>('[data-row]')?.dataset.row) || null;
