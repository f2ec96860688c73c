import { unreadText } from '../../components/UnreadCount.tsx';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/** Returns the announcement of a newly selected channel: "Channel 4, City News, 12 unread". */
export function tunedText(m: Messages, row: LineupRow): string {
  const name = m.msg(str`Channel ${m.number(row.number ?? 0)}, ${row.channel.title}`);
  return row.unread === 0 ? name : m.msg(str`${name}, ${unreadText(m, row.unread)}`);
}
