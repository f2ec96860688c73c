import { useEffect, useState } from 'react';
import type { LineupRow } from '../../channels/channels.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { mutedText, pausedText } from './short-date.ts';

/** The second line of a row: where its posts come from, and until when it is muted, why it is silent, else what it is about. */
export function RowState({ row, unsaved = false }: { readonly row: LineupRow; readonly unsaved?: boolean }) {
  const m = useMsg();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => setNow(Date.now()), []);
  const { channel } = row;
  const states = [...statesOf(m, row, now), unsaved && m.msg('Not saved')].filter((state) => state !== false);
  const about = states.length > 0 ? states.join(' · ') : channel.about;
  const source = sourceName(m, channel.source);
  return (
    <span className="row-about">
      <span>{about === undefined ? source : `${source} · `}</span>
      <bdi>{about}</bdi>
    </span>
  );
}

function statesOf(m: Messages, { channel, entry, muted }: LineupRow, now: number | null): (string | false)[] {
  const { state, since } = channel;
  return [
    muted && (now === null ? m.msg('Muted') : mutedText(m, entry.mutedUntil, now)),
    !muted && entry.mutedWords !== undefined && m.msg('Some words muted'),
    state === 'paused' && pausedText(m, since, now),
    state === 'archived' && m.msg('Archived'),
    channel.private && m.msg('Private'),
  ];
}

function sourceName({ msg }: Messages, source: LineupRow['channel']['source']): string {
  switch (source) {
    case 'bot':
      return msg('Bot', { desc: 'source of a channel' });
    case 'export':
      return msg('Import', { desc: 'source of a channel' });
    case 'feed':
      return msg('Feed', { id: 'source.feed', desc: 'source of a channel' });
  }
}
