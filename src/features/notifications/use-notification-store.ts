import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Notifications } from '../../../contract/notifications.ts';
import { useServices } from '../../context/services.ts';
import { type RequestFailure, toRequestFailure } from '../../data/connection/connection.ts';
import { type NotificationsClient, notificationStoreOf } from '../../data/notifications/notification-store.ts';
import type { PushStatus } from '../../data/notifications/push-subscription.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { createSignal } from '../../lib/signal.ts';

/** State of the notification store in a component. */
export interface LoadedNotifications {
  /** Null on a third-party page. */
  readonly store: NotificationsClient | null;
  /** Null until it is loaded. */
  readonly data: Notifications | null;
  /** Null until it is known. */
  readonly pushStatus: PushStatus | null;
  /** The error of the last load; null if it succeeded. */
  readonly failure: RequestFailure | null;
  readonly reload: () => void;
}

const NONE = createSignal(null);

/** Notifications hook: loads the reader's choices, and the status of this device again when the page becomes visible. */
export function useNotifications(): LoadedNotifications {
  const { dataClient, environment } = useServices();
  const { httpClient } = environment;
  const session = useSignalValue(dataClient.session);
  const store = useMemo(
    () => (httpClient === undefined ? null : notificationStoreOf(dataClient, httpClient)),
    [dataClient, httpClient],
  );
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const reload = useCallback(() => {
    setFailure(null);
    void store?.refreshStatus();
    store?.load().catch((error: unknown) => setFailure(toRequestFailure(error)));
  }, [store]);
  // A pending sign-in would load the choices of nobody.
  const isReaderKnown = session.type !== 'expected';
  useEffect(() => {
    if (isReaderKnown) reload();
  }, [isReaderKnown, reload]);
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) void store?.refreshStatus();
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [store]);
  return {
    store,
    data: useSignalValue<Notifications | null>(store?.data ?? NONE),
    pushStatus: useSignalValue<PushStatus | null>(store?.pushStatus ?? NONE),
    failure,
    reload,
  };
}
