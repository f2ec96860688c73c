import type { LineupRow } from '../../channels/channels.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { useServices } from '../services.ts';
import { RowState } from './RowState.tsx';
import type { RowActs } from './row-acts.ts';

interface LineupItemProps {
  readonly row: LineupRow;
  readonly total: number;
  readonly on: boolean;
  readonly editing: boolean;
  readonly acts: RowActs;
}

/** A followed channel's row. */
export function LineupItem({ row, total, on, editing, acts }: LineupItemProps) {
  const m = useMsg();
  const { site } = useServices();
  const { channel } = row;
  const number = row.number ?? 0;
  return (
    <li data-row={channel.id} className={['row', row.muted && 'muted', on && 'on'].filter(Boolean).join(' ')}>
      <button type="button" className="row-main" aria-current={on ? 'true' : undefined} onClick={() => acts.tune(row)}>
        <span className="row-number">{m.number(number)}</span>
        <Avatar channel={channel} base={site.base} size="s" />
        <span className="row-text">
          <bdi className="row-title">{channel.title}</bdi>
          <RowState row={row} />
        </span>
        <span className="row-unread">
          {row.unread > 0 && (
            <>
              <span aria-hidden="true">{row.unread > 99 ? `${m.number(99)}+` : m.number(row.unread)}</span>
              <span className="hidden">{m.plural(row.unread, m.msg('one: # unread | other: # unread'), 99)}</span>
            </>
          )}
        </span>
      </button>
      {!site.embedded && (
        <span className="row-controls">
          {editing && (
            <>
              <input
                type="checkbox"
                role="switch"
                className="switch"
                checked
                aria-checked="true"
                aria-label={m.msg(str`Follow ${channel.title}`)}
                onChange={() => acts.follow(row, false)}
              />
              <MoveButton row={row} to={number - 1} total={total} acts={acts} />
              <MoveButton row={row} to={number + 1} total={total} acts={acts} />
            </>
          )}
          <button
            type="button"
            className="icon-button"
            aria-haspopup="dialog"
            aria-label={m.msg(str`More for ${channel.title}`)}
            onClick={(event) => acts.menu(row, event.currentTarget.getBoundingClientRect())}
          >
            <AnyIcon name="more" />
          </button>
          <span className="grip" aria-hidden="true">
            <AnyIcon name="grip" />
          </span>
        </span>
      )}
    </li>
  );
}

/** Moves the row one up or down; at the end of the list it is there but off, so that its neighbours keep their place. */
function MoveButton({
  row,
  to,
  total,
  acts,
}: {
  readonly row: LineupRow;
  readonly to: number;
  readonly total: number;
  readonly acts: RowActs;
}) {
  const { msg } = useMsg();
  const up = to < (row.number ?? 0);
  const off = to < 1 || to > total;
  return (
    <button
      type="button"
      className="icon-button row-move"
      aria-disabled={off}
      aria-label={up ? msg(str`Move ${row.channel.title} up`) : msg(str`Move ${row.channel.title} down`)}
      onClick={() => acts.move(row.channel.id, to)}
    >
      <AnyIcon name={up ? 'up' : 'down'} />
    </button>
  );
}
