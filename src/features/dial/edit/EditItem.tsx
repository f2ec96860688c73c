import { useRef } from 'react';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import type { LineupRow } from '../../../data/model/types.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { MoreButton } from '../../lineup/LineupItem.tsx';
import { type LineupRowPosition, rowProps } from '../../lineup/LineupList.tsx';
import { RowContent } from '../../lineup/RowContent.tsx';
import type { RowActions } from '../../lineup/row-actions.ts';

interface EditItemProps extends LineupRowPosition {
  readonly row: LineupRow;
  readonly total: number;
  readonly isActive: boolean;
  readonly unsaved: boolean;
  readonly checked: boolean;
  /** Number of rows that move together, in the reader's digits; undefined if the row moves alone. */
  readonly movingCount: string | undefined;
  /** If `range` is true, toggles the rows from the last checked one to this one. */
  readonly toggle: (range: boolean) => void;
  readonly actions: RowActions;
}

/** Row of the line-up in edit mode: a click on the row checks it; the buttons next to it act on this row alone. */
export function EditItem({ row, total, isActive, unsaved, checked, movingCount, toggle, actions, ...position }: EditItemProps) {
  const { msg } = useMsg();
  const isShiftPressed = useRef(false);
  const { channel } = row;
  const number = row.number ?? 0;
  const classes = ['row', row.muted && 'muted', isActive && 'on', checked && 'checked'].filter(Boolean).join(' ');
  return (
    <li {...rowProps(row, position)} className={classes} data-together={movingCount}>
      <label
        className="row-main"
        onPointerDown={(event) => {
          isShiftPressed.current = event.shiftKey;
        }}
        onMouseDown={(event) => {
          // Otherwise Shift with a click would select text.
          if (event.shiftKey) event.preventDefault();
        }}
      >
        <input
          type="checkbox"
          className="row-check"
          checked={checked}
          aria-label={msg(str`Select ${channel.title}`)}
          onClick={(event) => {
            isShiftPressed.current ||= event.shiftKey;
          }}
          onChange={() => {
            toggle(isShiftPressed.current);
            isShiftPressed.current = false;
          }}
        />
        <RowContent row={row} unsaved={unsaved} />
      </label>
      <span className="row-controls">
        <input
          type="checkbox"
          role="switch"
          className="switch row-follow"
          checked
          aria-checked="true"
          aria-label={msg(str`Follow ${channel.title}`)}
          onChange={() => actions.follow(row, false)}
        />
        <MoveButton row={row} to={number - 1} total={total} actions={actions} />
        <MoveButton row={row} to={number + 1} total={total} actions={actions} />
        <MoreButton row={row} actions={actions} />
      </span>
    </li>
  );
}

/**
 * Moves the row up or down by one. At the end of the list the button is disabled but present, so that the other buttons
 * do not move.
 */
function MoveButton({ row, to, total, actions }: Pick<EditItemProps, 'row' | 'total' | 'actions'> & { readonly to: number }) {
  const { msg } = useMsg();
  const isUp = to < (row.number ?? 0);
  return (
    <button
      type="button"
      className="icon-button row-move"
      aria-disabled={to < 1 || to > total}
      aria-label={isUp ? msg(str`Move ${row.channel.title} up`) : msg(str`Move ${row.channel.title} down`)}
      onClick={() => actions.move(row.channel.id, to)}
    >
      <AnyIcon name={isUp ? 'up' : 'down'} />
    </button>
  );
}
