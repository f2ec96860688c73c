import type { LineupRow } from '../../channels/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { UnreadCount } from '../../ui/UnreadCount.tsx';
import { useServices } from '../services.ts';
import { RowState } from './RowState.tsx';

/** What a row says of its channel: number, picture, name, state and what is unread. */
export function RowFace({ row, unsaved }: { readonly row: LineupRow; readonly unsaved: boolean }) {
  const m = useMsg();
  const { site } = useServices();
  return (
    <>
      <span className="row-number">{row.number !== null && m.number(row.number)}</span>
      <Avatar channel={row.channel} base={site.base} size="s" />
      <span className="row-text">
        <bdi className="row-title">{row.channel.title}</bdi>
        <RowState row={row} unsaved={unsaved} />
      </span>
      <span className="row-unread">{row.unread > 0 && <UnreadCount count={row.unread} />}</span>
    </>
  );
}
