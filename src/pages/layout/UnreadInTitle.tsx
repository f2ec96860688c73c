import { useEffect } from 'react';
import { unreadOf } from '../../channels/unread-of.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';

/** Puts the number of unread posts, as the feed's own badge has it, before the document's title; shows nothing itself. */
export function UnreadInTitle({ set }: { readonly set: (label: string) => void }) {
  const m = useMsg();
  const lineup = useReadable(useServices().channels.lineup);
  const unread = lineup.type === 'loaded' ? unreadOf(lineup.value) : 0;
  const label = unread === 0 ? '' : m.plural(unread, 'other: #', 99);
  useEffect(() => set(label), [set, label]);
  useEffect(() => () => set(''), [set]);
  return null;
}
