/*
 * Notification store: the reader's choices, settings and devices, and the status of this device. A change is shown at
 * once, and reverted if the server does not accept it.
 */
import type { Choice, NotificationSettings, Notifications } from '../../../contract/notifications.ts';
import { createNotificationsApi, type NotificationsApi } from '../../api/notifications-api.ts';
import type { HttpClient } from '../../api/types.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { readPushDevice } from '../../storage/push-storage.ts';
import type { DataClient } from '../model/client.ts';
import { type PushReader, type PushStatus, readPushStatus, turnPushOff, turnPushOn } from './push-subscription.ts';

export interface NotificationsClient {
  /** Null until the first load. */
  readonly data: Signal<Notifications | null>;
  /** Status of this device; null until it is known. */
  readonly pushStatus: Signal<PushStatus | null>;
  /** Loads everything again. Rejects if the server does not respond. */
  load(): Promise<void>;
  /** Reads the status of this device again, for example after the reader changed the permission. */
  refreshStatus(): Promise<void>;
  /** Asks for the permission and subscribes this device; see `turnPushOn`. */
  turnOn(reader: PushReader): Promise<PushStatus>;
  choose(choice: Choice): Promise<void>;
  changeSettings(change: Partial<NotificationSettings>): Promise<void>;
  /** Removes a device. If it is this device, its subscription ends. */
  removeDevice(id: string): Promise<void>;
  /** Deletes all choices and devices, and the subscription of this device. */
  turnAllOff(): Promise<void>;
  sendTest(): Promise<void>;
  /** Reports that the reader allowed the bot to write, and selects the bot. */
  useBot(): Promise<void>;
}

/** The store of each data client, so that all pages of a reader share it. */
const stores = new WeakMap<DataClient, NotificationsClient>();

/** Returns the notification store of a reader. */
export function notificationStoreOf(dataClient: DataClient, httpClient: HttpClient): NotificationsClient {
  const store = stores.get(dataClient) ?? createNotificationStore(createDeviceApi(httpClient));
  stores.set(dataClient, store);
  return store;
}

/** Creates the API with the token of this device. */
export const createDeviceApi = (httpClient: HttpClient): NotificationsApi =>
  createNotificationsApi(httpClient, async () => (await readPushDevice())?.token ?? null);

function createNotificationStore(api: NotificationsApi): NotificationsClient {
  const data = createSignal<Notifications | null>(null);
  const pushStatus = createSignal<PushStatus | null>(null);
  /** Last request. Requests are sent one after the other, so that the server applies changes in their order. */
  let lastRequest: Promise<unknown> = Promise.resolve();
  const enqueue = <Value>(send: () => Promise<Value>): Promise<Value> => {
    const request = lastRequest.then(send);
    lastRequest = request.catch(() => {});
    return request;
  };
  const fetchData = async (): Promise<void> => data.set(await api.load());
  const load = (): Promise<void> => enqueue(fetchData);
  const refreshStatus = async (): Promise<void> => pushStatus.set(await readPushStatus());
  /** Shows a change at once, and sends it. After a failure, the data of the server are shown again. */
  const change = async (apply: (current: Notifications) => Notifications, send: () => Promise<unknown>): Promise<void> => {
    const previous = data.get();
    if (previous !== null) data.set(apply(previous));
    try {
      await enqueue(send);
    } catch (error) {
      await load().catch(() => data.set(previous));
      throw error;
    }
  };
  const changeSettings = (changed: Partial<NotificationSettings>): Promise<void> => {
    const current = data.get();
    if (current === null) return Promise.resolve();
    const settings = { ...current.settings, timeZone: localTimeZone(), ...changed };
    return change(
      (shown) => ({ ...shown, settings }),
      () => api.saveSettings(settings),
    );
  };
  return {
    data,
    pushStatus,
    load,
    refreshStatus,
    async turnOn(reader) {
      try {
        const status = await turnPushOn(api, reader);
        pushStatus.set(status);
        if (status === 'on') await load();
        return status;
      } catch (error) {
        await refreshStatus();
        throw error;
      }
    },
    choose: (choice) =>
      change(
        (shown) => ({ ...shown, choices: replaceChoice(shown.choices, choice) }),
        () => api.saveChoice(choice),
      ),
    changeSettings,
    async removeDevice(id) {
      const isCurrent = data.get()?.devices.find((device) => device.id === id)?.isCurrent === true;
      await change(
        (shown) => ({ ...shown, devices: shown.devices.filter((device) => device.id !== id) }),
        () => api.removeDevice(id),
      );
      if (isCurrent) await turnPushOff();
      await refreshStatus();
    },
    async turnAllOff() {
      await change((shown) => ({ ...shown, choices: [], devices: [] }), api.deleteAll);
      await turnPushOff();
      await refreshStatus();
    },
    sendTest: () => enqueue(api.sendTest),
    async useBot() {
      await enqueue(api.reportBotAccess);
      const current = data.get();
      if (current !== null) data.set({ ...current, botWriteAccess: true });
      await changeSettings({ target: 'bot' });
    },
  };
}

/** Returns the choices with one of them replaced. The default choice is not stored. */
const replaceChoice = (choices: readonly Choice[], choice: Choice): Choice[] => [
  ...choices.filter(({ channelId }) => channelId !== choice.channelId),
  ...(choice.mode === 'off' ? [] : [choice]),
];

const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
