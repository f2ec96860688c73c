import type {
  Choice,
  DeviceChange,
  NotificationDevice,
  NotificationSettings,
  Notifications,
} from '../../contract/notifications.ts';
import {
  notificationChoice,
  notificationDevice,
  notificationSettings,
  notifications,
  vapidKey,
} from '../../contract/parse-notifications.ts';
import { DEVICE_HEADER } from '../lib/push-notifications.ts';
import type { HttpClient } from './types.ts';

/** Notifications API: choices, settings and devices. A separate module, because few pages need it. */
export interface NotificationsApi {
  /** Returns the server's VAPID public key (`applicationServerKey`). */
  publicKey(): Promise<string>;
  /** Returns the reader's choices, settings and devices; those of this device if the reader is anonymous. */
  load(): Promise<Notifications>;
  /** Stores the subscription of this device, or replaces it. */
  saveDevice(change: DeviceChange): Promise<NotificationDevice>;
  removeDevice(id: string): Promise<void>;
  saveSettings(settings: NotificationSettings): Promise<NotificationSettings>;
  saveChoice(choice: Choice): Promise<Choice>;
  /** Deletes all choices and devices. */
  deleteAll(): Promise<void>;
  /** Sends a test notification to this device, or to the chat with the bot. */
  sendTest(): Promise<void>;
  /** Reports that the reader allowed the bot to write. */
  reportBotAccess(): Promise<void>;
}

const NOTIFICATIONS_PATH = '/api/notifications';
const DEVICE_PATH = `${NOTIFICATIONS_PATH}/device`;
const SETTINGS_PATH = `${NOTIFICATIONS_PATH}/settings`;

/** Creates the API. `readToken` returns the token of this device; null if it has none. */
export function createNotificationsApi(client: HttpClient, readToken: () => Promise<string | null>): NotificationsApi {
  const headers = async (): Promise<Record<string, string>> => {
    const token = await readToken();
    return token === null ? {} : { [DEVICE_HEADER]: token };
  };
  const write = async (method: 'post' | 'put' | 'delete', path: string, body?: unknown): Promise<unknown> =>
    client.write(method, path, body, [NOTIFICATIONS_PATH], undefined, await headers());
  return {
    async publicKey() {
      const path = `${NOTIFICATIONS_PATH}/key`;
      return vapidKey(await client.get(path), path).publicKey;
    },
    load: async () =>
      notifications(await client.get(NOTIFICATIONS_PATH, { fresh: true, headers: await headers() }), NOTIFICATIONS_PATH),
    saveDevice: async (change) => notificationDevice(await write('put', DEVICE_PATH, change), DEVICE_PATH),
    removeDevice: async (id) => void (await write('delete', `${DEVICE_PATH}s/${encodeURIComponent(id)}`)),
    saveSettings: async (settings) => notificationSettings(await write('put', SETTINGS_PATH, settings), SETTINGS_PATH),
    async saveChoice({ channelId, mode, words }) {
      const path = `${NOTIFICATIONS_PATH}/channels/${encodeURIComponent(channelId)}`;
      return notificationChoice(await write('put', path, { mode, words }), path);
    },
    deleteAll: async () => void (await write('delete', NOTIFICATIONS_PATH)),
    sendTest: async () => void (await write('post', `${NOTIFICATIONS_PATH}/test`)),
    reportBotAccess: async () => void (await write('put', `${NOTIFICATIONS_PATH}/bot-access`)),
  };
}
