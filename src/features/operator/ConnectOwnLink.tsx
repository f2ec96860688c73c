import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { OPERATOR_PATH } from './OperatorLink.tsx';

/**
 * Connect link: opens the operators' page for a reader who administers a channel and is not an operator. The server
 * decides which channels the reader may manage.
 */
export function ConnectOwnLink() {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  if (environment.embedded || session.type !== 'signed-in' || session.user.operator) return null;
  return (
    <p className="connect-own">
      <a className="button plain" href={OPERATOR_PATH}>
        {msg('Connect a channel that you administer')}
      </a>
    </p>
  );
}
