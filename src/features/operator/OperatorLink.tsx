import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Path of the operators' page. */
export const OPERATOR_PATH = '/changer?operator';

/** Operator link: opens the operators' page; only operators of the site see it. */
export function OperatorLink() {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  if (environment.embedded || session.type !== 'signed-in' || !session.user.operator) return null;
  return (
    <a className="icon-button" href={OPERATOR_PATH} aria-label={msg('Operator')} title={msg('Operator')}>
      <AnyIcon name="settings" />
    </a>
  );
}
