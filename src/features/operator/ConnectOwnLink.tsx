import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { OPERATOR_PATH } from './OperatorLink.tsx';

/** Link for a reader who administers a channel and is no operator; the server decides which channels the reader may manage. */
export function ConnectOwnLink() {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const reader = useSignalValue(dataClient.session);
  if (environment.embedded || reader.type !== 'signed-in' || reader.user.operator) return null;
  return (
    <p className="connect-own">
      <a className="button plain" href={OPERATOR_PATH}>
        {msg('Connect a channel that you administer')}
      </a>
    </p>
  );
}
