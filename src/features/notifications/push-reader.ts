import type { AppServices } from '../../context/services.ts';
import type { PushReader } from '../../data/notifications/push-subscription.ts';
import type { Messages } from '../../i18n/i18n.ts';

/** Returns the reader for whom a device is reported; null while a sign-in is pending. */
export function pushReaderOf({ dataClient }: Pick<AppServices, 'dataClient'>, { locale }: Messages): PushReader | null {
  const session = dataClient.session.get();
  if (session.type === 'expected') return null;
  return { id: session.type === 'signed-in' ? session.user.id : null, language: locale };
}
