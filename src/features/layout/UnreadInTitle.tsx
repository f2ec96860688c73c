import { useEffect } from 'react';
import { shortCount } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import { countUnread } from '../../data/lineup/count-unread.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Puts the number of unread posts, as the feed's own badge has it, before the document's title; shows nothing itself. */
export function UnreadInTitle({ set }: { readonly set: (label: string) => void }) {
  const m = useMsg();
  const lineup = useReadable(useServices().channels.lineup);
  const unread = lineup.type === 'loaded' ? countUnread(lineup.value) : 0;
  const label = unread === 0 ? '' : shortCount(m, unread);
  useEffect(() => set(label), [set, label]);
  useEffect(() => () => set(''), [set]);
  return null;
}
