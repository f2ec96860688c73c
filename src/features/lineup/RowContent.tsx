import { useEffect, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { UnreadCount } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { mutedText, pausedText } from './row-text.ts';

/** Row content: number, picture, name, state and unread count of a channel. */
export function RowContent({ row, unsaved }: { readonly row: LineupRow; readonly unsaved: boolean }) {
  const m = useMsg();
  const { environment } = useServices();
  return (
    <>
      <span className="row-number">{row.number !== null && m.number(row.number)}</span>
      <Avatar channel={row.channel} base={environment.baseUrl} size="s" />
      <span className="row-text">
        <bdi className="row-title">{row.channel.title}</bdi>
        <RowStatus row={row} unsaved={unsaved} />
      </span>
      <span className="row-unread">{row.unread > 0 && <UnreadCount count={row.unread} />}</span>
    </>
  );
}

/**
 * Second line of a row: the end of a mute and the reason why there are no new posts; otherwise the channel's
 * description or username.
 */
export function RowStatus({ row, unsaved = false }: { readonly row: LineupRow; readonly unsaved?: boolean }) {
  const m = useMsg();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => setNow(Date.now()), []);
  const { channel } = row;
  const states = [...statusTexts(m, row, now), unsaved && m.msg('Not saved')].filter((state) => state !== false);
  const about = channel.about ?? (channel.username === undefined ? '' : `@${channel.username}`);
  return (
    <span className="row-about">
      <bdi>{states.length > 0 ? states.join(' · ') : about}</bdi>
    </span>
  );
}

function statusTexts(m: Messages, { channel, entry, muted }: LineupRow, now: number | null): (string | false)[] {
  const { state, since } = channel;
  return [
    muted && (now === null ? m.msg('Muted') : mutedText(m, entry.mutedUntil, now)),
    !muted && entry.mutedWords !== undefined && m.msg('Some words muted'),
    state === 'paused' && pausedText(m, since, now),
    state === 'archived' && m.msg('No new posts'),
    channel.private && m.msg('Private'),
  ];
}
