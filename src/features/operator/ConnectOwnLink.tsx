import { useServices } from '../../context/services.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { OPERATOR_PATH } from './OperatorLink.tsx';

/** Link for a reader who administers a channel and is no operator; the server decides which channels the reader may manage. */
export function ConnectOwn() {
  const { msg } = useMsg();
  const { channels, site } = useServices();
  const reader = useReadable(channels.reader);
  if (site.embedded || reader.type !== 'signed-in' || reader.user.operator) return null;
  return (
    <p className="connect-own">
      <a className="button plain" href={OPERATOR_PATH}>
        {msg('Connect a channel that you administer')}
      </a>
    </p>
  );
}
