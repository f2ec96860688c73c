import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { EmptyState } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { type FeedFilterName, feedPath } from './feed-params.ts';

/** Empty feed: the reason why the feed is empty, and a link to continue. */
export function EmptyFeed({ show }: { readonly show: FeedFilterName }) {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const lineup = useSignalValue(dataClient.lineup);
  const { icon, title, text, linkText, path } = emptyReason(show, lineup.type === 'loaded' ? lineup.value : null, msg);
  return (
    <EmptyState icon={<AnyIcon name={icon} />} title={title} text={text}>
      <PageLink className="button quiet" linkContext={environment} path={path}>
        {linkText}
      </PageLink>
    </EmptyState>
  );
}

interface EmptyReason {
  readonly icon: AnyIconName;
  readonly title: string;
  readonly text: string;
  /** Label and path of the link. */
  readonly linkText: string;
  readonly path: string;
}

function emptyReason(show: FeedFilterName, rows: readonly LineupRow[] | null, msg: Messages['msg']): EmptyReason {
  const toAll = { linkText: msg('Show all posts'), path: feedPath('all') };
  const toDial = { linkText: msg('Choose channels'), path: '/changer' };
  if (show === 'starred')
    return {
      icon: 'star',
      title: msg('Nothing starred yet'),
      text: msg('Star a post and it stays here, also offline.'),
      ...toAll,
    };
  if (rows?.length === 0) {
    const text = msg('When the operator connects a channel, its posts appear here.');
    return { icon: 'inbox', title: msg('No channels yet'), text, linkText: msg('Check the connection'), path: '/test' };
  }
  if (rows?.some((row) => row.followed) === false) {
    const text = msg('You unfollowed every channel. Follow one again to see it here.');
    return { icon: 'dial', title: msg('You follow no channel'), text, ...toDial };
  }
  if (rows?.every((row) => !row.followed || row.muted))
    return { icon: 'mute', title: msg('Everything is muted'), text: msg('All channels are muted.'), ...toDial };
  if (show === 'unread')
    return { icon: 'check', title: msg('You have read everything'), text: msg('New posts appear here.'), ...toAll };
  if (show === 'media') {
    const text = msg('Posts with photos, videos and files appear here.');
    return { icon: 'photo', title: msg('No pictures or files yet'), text, ...toAll };
  }
  return { icon: 'feed', title: msg('No posts yet'), text: msg('The channels you follow have not posted anything.'), ...toDial };
}
