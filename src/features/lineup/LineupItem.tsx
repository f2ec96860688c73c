import { memo } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { type LineupRowPosition, rowProps } from './LineupList.tsx';
import { RowContent } from './RowContent.tsx';
import type { RowActions } from './row-actions.ts';

interface LineupItemProps extends LineupRowPosition {
  readonly row: LineupRow;
  readonly isActive: boolean;
  readonly unsaved: boolean;
  readonly actions: RowActions;
}

/** Line-up item: row of a followed channel. It is rendered again only when its data changes. */
export const LineupItem = memo(function LineupItem({ row, isActive, unsaved, actions, ...position }: LineupItemProps) {
  const { environment } = useServices();
  return (
    <li {...rowProps(row, position)} className={['row', row.muted && 'muted', isActive && 'on'].filter(Boolean).join(' ')}>
      <button type="button" className="row-main" aria-current={isActive ? 'true' : undefined} onClick={() => actions.tune(row)}>
        <RowContent row={row} unsaved={unsaved} />
      </button>
      {!environment.embedded && (
        <span className="row-controls">
          {unsaved && <RetryButton row={row} actions={actions} />}
          <MoreButton row={row} actions={actions} />
        </span>
      )}
    </li>
  );
});

/** Button that sends unsaved changes again. */
function RetryButton({ row, actions }: { readonly row: LineupRow; readonly actions: RowActions }) {
  const { msg } = useMsg();
  return (
    <button
      type="button"
      className="icon-button row-retry"
      aria-label={msg(str`${row.channel.title}: not saved, retry`)}
      onClick={() => actions.retry()}
    >
      <AnyIcon name="refresh" />
    </button>
  );
}

/** Button that opens the row's menu, and the drag handle for a pointer. */
export function MoreButton({ row, actions }: { readonly row: LineupRow; readonly actions: RowActions }) {
  const { msg } = useMsg();
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-label={msg(str`More for ${row.channel.title}`)}
        onClick={(event) => actions.openMenu(row, event.currentTarget.getBoundingClientRect())}
      >
        <AnyIcon name="more" />
      </button>
      <span className="grip" aria-hidden="true">
        <AnyIcon name="grip" />
      </span>
    </>
  );
}
