import { useMsg } from '../../i18n/i18n.ts';
import { To } from '../../ui/Link.tsx';
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
    <To className="button quiet" place={site} path={showPath('all')}>
      {msg('Show all posts')}
    </To>
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
        <To className="button quiet" place={site} path={'/test'}>
          {msg('Check the connection')}
        </To>
      </Empty>
    );
  }
  if (rows !== null && !rows.some((row) => row.followed && !row.muted)) {
    return (
      <Empty icon="mute" title={msg('Nothing is tuned in')} text={msg('You follow no channel that is not muted.')}>
        <To className="button" place={site} path={'/changer'}>
          {msg('Choose channels')}
        </To>
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
      <To className="button quiet" place={site} path={'/changer'}>
        {msg('Choose channels')}
      </To>
    </Empty>
  );
}
