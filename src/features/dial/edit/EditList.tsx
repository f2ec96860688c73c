import { type KeyboardEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import menuStyles from '../../../components/styles/menu.css';
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

/** Props of the edit list. */
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

/** Includes the menu styles, because the bulk actions open menus, and nothing else may have loaded these styles yet. */
const STYLES = menuStyles + styles;

/** Edit list: the line-up in edit mode, with checkable rows and the bulk actions. */
export function EditList({ rows, followed, current, unsaved, actions, retention, onPreset }: EditListProps) {
  const m = useMsg();
  const hasMessages = useAreaMessages('arranging');
  const style = useStylesheet(STYLES);
  const root = useRef<HTMLElement | null>(null);
  const selection = useSelection(rows);
  const selectedCount = selection.rows.length;

  /** Moves the checked rows, or only the dragged row if it is not checked, to the position of another row. */
  const moveOnto = (id: string, onto: LineupRow) => {
    const ids = selection.rows.map((row) => row.channel.id);
    const order = followed.map((row) => row.channel.id);
    if (ids.length < 2 || !ids.includes(id)) return actions.move(id, onto.number ?? 0);
    const newOrder = order.filter((otherId) => otherId !== id).toSpliced((onto.number ?? 1) - 1, 0, id);
    // The new number of the first moved row: the rows above it that do not move, plus one.
    const number = newOrder.slice(0, newOrder.indexOf(id)).filter((otherId) => !ids.includes(otherId)).length + 1;
    const text = m.msg(str`${channelCount(m, ids.length)} moved to ${m.number(number)}`);
    actions.change({ action: 'move', channelId: null }, moveChannels(order, ids, number), text, id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const upStep = event.key === 'ArrowUp' ? -1 : 0;
    const step = event.key === 'ArrowDown' ? 1 : upStep;
    const focusedId = rowIdOf(event.target);
    if (step === 0 || focusedId === null || event.ctrlKey || event.metaKey) return;
    const index = rows.findIndex((row) => row.channel.id === focusedId);
    const target = rows[index + step];
    if (target === undefined) return;
    event.preventDefault();
    // All checked rows move together.
    if (event.altKey) return moveOnto(focusedId, target);
    if (event.shiftKey) selection.extendTo(focusedId, target.channel.id);
    flushSync(() => retention.retainRow(target.channel.id));
    rowControl(root.current, target.channel.id)?.focus();
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
            movingCount={selectedCount > 1 && selection.has(row.channel.id) ? m.number(selectedCount) : undefined}
            toggle={(range) => selection.toggle(row.channel.id, range)}
            actions={actions}
          />
        )}
      </LineupList>
    </div>
  );
}

/** Returns the channel id of the row whose checkbox is the event target; null for other targets. */
const rowIdOf = (target: EventTarget): string | null =>
  (target instanceof Element && target.matches('.row-check') && target.closest<HTMLElement>('[data-row]')?.dataset.row) || null;
