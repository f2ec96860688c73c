/*
 * Notifications in an open page: opens the post of a clicked notification, closes notifications of read posts, and reports
 * this device as in use. Loaded only where notifications are allowed.
 */
import type { AppServices } from '../../context/services.ts';
import type { DataClient } from '../../data/model/client.ts';
import { closeReadNotifications } from '../../data/notifications/close-read.ts';
import { createDeviceApi } from '../../data/notifications/notification-store.ts';
import { reportPushDevice } from '../../data/notifications/push-subscription.ts';
import type { Messages } from '../../i18n/i18n.ts';
import { OPEN_PATH_MESSAGE } from '../../lib/push-notifications.ts';
import { pushReaderOf } from './push-reader.ts';

/** Data clients whose notifications are synchronized already. */
const synchronized = new WeakSet<DataClient>();

/** Starts the synchronization, once for each data client. It ends when the data client closes. */
export function syncNotifications(services: AppServices, messages: Messages): void {
  const { dataClient, environment } = services;
  const { httpClient } = environment;
  if (httpClient === undefined || synchronized.has(dataClient)) return;
  synchronized.add(dataClient);
  const signal = dataClient.context?.connection.signal;
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data, ports }) => {
      const { type, path } = Object(data);
      if (type !== OPEN_PATH_MESSAGE || typeof path !== 'string') return;
      environment.navigate(path);
      ports[0]?.postMessage(true);
    },
    signal === undefined ? {} : { signal },
  );
  const api = createDeviceApi(httpClient);
  let isReported = false;
  const report = () => {
    const reader = pushReaderOf(services, messages);
    if (reader === null || isReported) return;
    // The next visit tries again if this fails.
    isReported = true;
    reportPushDevice(api, reader).catch(() => {});
  };
  report();
  const stops = [closeReadNotifications(dataClient), dataClient.session.subscribe(report)];
  signal?.addEventListener('abort', () => {
    for (const stop of stops) stop();
  });
}
