import { useEffect } from 'react';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Notification sync: loads the part of notifications that runs in an open page, if this device may show them. */
export function useNotificationSync(): void {
  const services = useServices();
  const messages = useMsg();
  useEffect(() => {
    if (globalThis.Notification?.permission !== 'granted' || !('serviceWorker' in navigator)) return;
    import('../notifications/sync-notifications.ts').then(
      (module) => module.syncNotifications(services, messages),
      () => {},
    );
  }, [services, messages]);
}
