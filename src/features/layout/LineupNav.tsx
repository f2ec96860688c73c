import { Avatar } from '../../components/Avatar.tsx';
import { UnreadCount } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { channelPath, internalLink } from '../../lib/links.ts';
import { channelOf } from './nav-items.ts';

/** Line-up navigation: links to the channels, numbered as on the dial. */
export function LineupNav({ path }: { readonly path: string }) {
  const { msg } = useMsg();
  const lineup = useSignalValue(useServices().dataClient.lineup);
  if (lineup.type === 'failed') return <p className="side-note">{msg('Could not load the line-up.')}</p>;
  const openChannel = channelOf(path);
  return (
    <nav className="lineup" aria-label={msg('My line-up')} aria-busy={lineup.type === 'loading'}>
      <ol>
        {lineup.type === 'loading'
          ? [0, 1, 2, 3, 4].map((row) => <LineupSkeletonRow key={row} />)
          : lineup.value
              .filter((row) => row.followed)
              .map((row) => <LineupLink key={row.channel.id} row={row} openChannel={openChannel} />)}
      </ol>
    </nav>
  );
}

const LineupSkeletonRow = () => (
  <li className="lineup-bone">
    <span className="bone" />
    <span className="bone" />
  </li>
);

interface LineupLinkProps {
  readonly row: LineupRow;
  /** Id or username of the channel whose page is open; null if it is another page. */
  readonly openChannel: string | null;
}

function LineupLink({ row, openChannel }: LineupLinkProps) {
  const m = useMsg();
  const { environment } = useServices();
  const { channel } = row;
  const isOpen = openChannel !== null && (openChannel === channel.id || openChannel === channel.username);
  return (
    <li>
      <a
        {...internalLink(environment, channelPath(channel))}
        aria-current={isOpen ? 'page' : undefined}
        className={row.muted ? 'muted' : undefined}
      >
        <span className="lineup-number">{row.number === null ? '' : m.number(row.number)}</span>
        <Avatar channel={channel} base={environment.baseUrl} size="s" />
        <span className="lineup-text">
          <bdi className="lineup-title">{channel.title}</bdi>
          <bdi className="lineup-about">{row.muted ? m.msg('Muted') : channel.about}</bdi>
        </span>
        {row.unread > 0 && (
          <span className="lineup-unread">
            <UnreadCount count={row.unread} />
          </span>
        )}
      </a>
    </li>
  );
}
