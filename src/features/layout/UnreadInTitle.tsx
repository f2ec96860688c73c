import { useEffect } from 'react';
import { shortCount } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import { countUnread } from '../../data/lineup/count-unread.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';

/**
 * Unread count in the title: sets the number of unread posts, in the format of the feed's badge, before the document's
 * title. Renders nothing.
 */
export function UnreadInTitle({ set }: { readonly set: (label: string) => void }) {
  const m = useMsg();
  const lineup = useSignalValue(useServices().dataClient.lineup);
  const unread = lineup.type === 'loaded' ? countUnread(lineup.value) : 0;
  const label = unread === 0 ? '' : shortCount(m, unread);
  useEffect(() => set(label), [set, label]);
  useEffect(() => () => set(''), [set]);
  return null;
}
