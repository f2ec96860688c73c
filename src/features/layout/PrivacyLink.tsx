import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';

/**
 * Privacy link: opens the server's privacy page. Without a network the link is disabled and shows the reason: the page
 * is on the server and not stored on this device.
 */
export function PrivacyLink({ label }: { readonly label: string }) {
  const { locale, msg } = useMsg();
  const { dataClient, environment } = useServices();
  const isOnline = useSignalValue(dataClient.connectivity) === 'online';
  return (
    <a {...(isOnline ? { href: `${environment.baseUrl}/privacy?lang=${locale}` } : { role: 'link', 'aria-disabled': true })}>
      <AnyIcon name="info" />
      {isOnline ? label : msg(str`${label} (needs a network)`)}
    </a>
  );
}
