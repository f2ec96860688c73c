import { useEffect, useState } from 'react';
import type { LineupRow } from '../../channels/channels.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { mutedText, pausedText } from './short-date.ts';

/** The second line of a row: until when it is muted, why it is silent, else what it is about. */
export function RowState({ row }: { readonly row: LineupRow }) {
  const m = useMsg();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => setNow(Date.now()), []);
  const { channel, entry, muted } = row;
  const silent =
    channel.state === 'paused' ? pausedText(m, channel.since, now) : channel.state === 'archived' ? m.msg('Archived') : null;
  const text = (muted ? (now === null ? m.msg('Muted') : mutedText(m, entry.mutedUntil, now)) : null) ?? silent ?? channel.about;
  return text === undefined ? null : <bdi className="row-about">{text}</bdi>;
}
