import { useServices } from '../../context/services.ts';
import type { NotificationsClient } from '../../data/notifications/notification-store.ts';
import type { PushStatus } from '../../data/notifications/push-subscription.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { pushReaderOf } from './push-reader.ts';

/** Returns a function that turns push notifications on for this device. It does nothing while a sign-in is pending. */
export function useTurnOn(store: NotificationsClient): () => Promise<PushStatus | null> {
  const services = useServices();
  const messages = useMsg();
  return async () => {
    const reader = pushReaderOf(services, messages);
    if (reader === null) return null;
    const status = await store.turnOn(reader);
    if (status === 'on') {
      const { syncNotifications } = await import('./sync-notifications.ts');
      syncNotifications(services, messages);
    }
    return status;
  };
}
