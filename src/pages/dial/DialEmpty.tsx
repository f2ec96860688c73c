import { useMsg } from '../../i18n/i18n.ts';
import { placeLink } from '../../ui/addresses.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { ConnectOwn } from './ConnectOwn.tsx';
import { OPERATOR_PATH } from './OperatorLink.tsx';

/** There is no channel at all: an operator learns how to bring one in, a reader whom to ask. */
export function DialEmpty() {
  const { msg } = useMsg();
  const { site, channels } = useServices();
  const reader = useReadable(channels.reader);
  const title = msg('No channel yet');
  if (reader.type === 'signed-in' && reader.user.operator)
    return (
      <Empty
        icon={<Icon name="dial" />}
        title={title}
        text={msg('Connect your first channel. What it posts from then on comes here by itself.')}
      >
        <a className="button" href={OPERATOR_PATH}>
          {msg('Connect a channel')}
        </a>
        <p className="empty-aside">
          {msg('What was posted before comes by an export of Telegram Desktop (as JSON), imported on the server:')}
        </p>
        <code dir="ltr">npm run import -- ChatExport/result.json</code>
      </Empty>
    );
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={title}
      text={msg('The operator of this app has not connected a channel. Ask whoever sent you here.')}
    >
      <a className="button quiet" {...placeLink(site, '/test')}>
        {msg('Check this app')}
      </a>
      <ConnectOwn />
    </Empty>
  );
}
