import { useMsg } from '../../i18n/i18n.ts';
import { placeLink } from '../../ui/addresses.ts';
import { Empty } from '../../ui/States.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { type Show, showPath } from './show.ts';

/** Why the feed is empty, and the way on. */
export function FeedEmpty({ show }: { readonly show: Show }) {
  const { msg } = useMsg();
  const { channels, site } = useServices();
  const lineup = useReadable(channels.lineup);
  const rows = lineup.type === 'loaded' ? lineup.value : null;
  const toFeed = (
    <a className="button quiet" {...placeLink(site, showPath('all'))}>
      {msg('Show all posts')}
    </a>
  );
  if (show === 'starred') {
    return (
      <Empty icon="star" title={msg('Nothing starred yet')} text={msg('Star a post and it stays here, also offline.')}>
        {toFeed}
      </Empty>
    );
  }
  if (rows !== null && rows.length === 0) {
    return (
      <Empty
        icon="inbox"
        title={msg('No channel yet')}
        text={msg('When the operator connects a channel, its posts appear here.')}
      >
        <a className="button quiet" {...placeLink(site, '/test')}>
          {msg('Check the connection')}
        </a>
      </Empty>
    );
  }
  if (rows !== null && !rows.some((row) => row.followed && !row.muted)) {
    return (
      <Empty icon="mute" title={msg('Nothing is tuned in')} text={msg('You follow no channel that is not muted.')}>
        <a className="button" {...placeLink(site, '/changer')}>
          {msg('Choose channels')}
        </a>
      </Empty>
    );
  }
  if (show === 'unread') {
    return (
      <Empty icon="check" title={msg('You have read everything')} text={msg('New posts appear here as they come.')}>
        {toFeed}
      </Empty>
    );
  }
  if (show === 'media') {
    return (
      <Empty icon="photo" title={msg('No pictures or files yet')} text={msg('Posts with photos, videos and files appear here.')}>
        {toFeed}
      </Empty>
    );
  }
  return (
    <Empty icon="feed" title={msg('No posts yet')} text={msg('The channels you follow have not posted anything.')}>
      <a className="button quiet" {...placeLink(site, '/changer')}>
        {msg('Choose channels')}
      </a>
    </Empty>
  );
}
