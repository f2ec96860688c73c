// Services for tests of notifications: a fake server of the notifications API, and a fake push service of the browser.

import type { Choice, NotificationDevice, NotificationSettings } from '../../../contract/notifications.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { HttpClient } from '../../../src/api/types.ts';
import { writePushDevice } from '../../../src/storage/push-storage.ts';
import { type StubServices, stubServices } from './dial-services.ts';

export const READER = { id: '7', name: 'Anna Petrova', operator: false };

/** The server's data of one owner. It implements HttpClient: it receives paths and returns JSON, as the real server does. */
export class NotificationServer {
  settings: NotificationSettings = { delivery: 'immediate', dailyAt: 540, quiet: null, timeZone: 'UTC', target: 'push' };
  choices: Choice[] = [];
  devices: NotificationDevice[] = [];
  canUseBot = false;
  botWriteAccess = false;
  /** `refuse` makes the requests that begin with its text fail with this status. */
  refuse: readonly [start: string, status: number] | null = null;
  /** Every request, as `PUT /api/notifications/settings {"delivery":"daily"}`. */
  readonly log: string[] = [];
  /** The device token of the last request; null without one. */
  token: string | null = null;

  readonly client: HttpClient = {
    get: async (path, options) => {
      this.#receive(`GET ${path}`, options?.headers);
      if (path === '/api/notifications/key') return { publicKey: 'BKey' };
      const { settings, choices, devices, canUseBot, botWriteAccess } = this;
      return structuredClone({ settings, choices, devices, canUseBot, botWriteAccess });
    },
    write: async (method, path, body, _drops, _key, headers) => {
      this.#receive(`${method.toUpperCase()} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`, headers);
      return structuredClone(this.#apply(method, path.replace('/api/notifications', ''), Object(body)));
    },
    clearCache: () => {},
  };

  #receive(line: string, headers: Readonly<Record<string, string>> | undefined): void {
    this.log.push(line);
    this.token = headers?.['x-changer-device'] ?? null;
    if (this.refuse !== null && line.startsWith(this.refuse[0])) throw new ApiError('Refused', this.refuse[1]);
  }

  #apply(method: string, path: string, body: NotificationSettings): unknown {
    const [, name, id] = path.split('/');
    if (method === 'delete' && path === '') {
      this.choices = [];
      this.devices = [];
      return undefined;
    }
    if (method === 'delete') {
      this.devices = this.devices.filter((device) => device.id !== id);
      return undefined;
    }
    if (name === 'device') {
      const device = deviceOf('here', { isCurrent: true });
      this.devices = [...this.devices.filter((other) => !other.isCurrent), device];
      return device;
    }
    if (name === 'settings') {
      this.settings = body;
      return body;
    }
    if (name === 'bot-access') this.botWriteAccess = true;
    if (name !== 'channels' || id === undefined) return undefined;
    const choice = { channelId: id, ...(body as object) } as Choice;
    this.choices = [...this.choices.filter(({ channelId }) => channelId !== id), ...(choice.mode === 'off' ? [] : [choice])];
    return choice;
  }
}

export const deviceOf = (id: string, more: Partial<NotificationDevice> = {}): NotificationDevice => ({
  id,
  label: `Browser of ${id}`,
  createdAt: 1_700_000_000,
  seenAt: 1_700_000_000,
  isCurrent: false,
  ...more,
});

/** Fake push service: replaces the browser's permission, registration and subscription until `restore`. */
export class PushDouble {
  permission: NotificationPermission;
  /** Response to the permission prompt. */
  response: NotificationPermission = 'granted';
  subscribed: boolean;
  /** Calls of the browser's functions, in order. */
  readonly calls: string[] = [];
  /** Notifications that are shown. */
  notifications: { tag: string; data: unknown; close(): void }[] = [];
  readonly #restores: (() => void)[] = [];

  constructor(permission: NotificationPermission = 'default', subscribed = false) {
    this.permission = permission;
    this.subscribed = subscribed;
    const subscription = {
      options: {},
      toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: async () => {
        this.calls.push('unsubscribe');
        this.subscribed = false;
        return true;
      },
    };
    const registration = {
      getNotifications: async () => this.notifications,
      pushManager: {
        getSubscription: async () => (this.subscribed ? subscription : null),
        subscribe: async () => {
          this.calls.push('subscribe');
          this.subscribed = true;
          return subscription;
        },
      },
    };
    this.#replace(navigator.serviceWorker, 'ready', { get: () => Promise.resolve(registration) });
    this.#replace(navigator.serviceWorker, 'getRegistration', { value: async () => registration });
    this.#replace(Notification, 'permission', { get: () => this.permission });
    this.#replace(Notification, 'requestPermission', {
      value: async () => {
        this.calls.push('ask');
        this.permission = this.response;
        return this.response;
      },
    });
    for (const name of ['setAppBadge', 'clearAppBadge'])
      this.#replace(navigator, name, { value: async (count?: number) => void this.calls.push(`${name} ${count ?? ''}`.trim()) });
  }

  /** Removes the push API, as in a browser without it. */
  remove(): void {
    const descriptor = Object.getOwnPropertyDescriptor(window, 'PushManager');
    Reflect.deleteProperty(window, 'PushManager');
    this.#restores.push(() => descriptor && Object.defineProperty(window, 'PushManager', descriptor));
  }

  /** Makes `navigator.standalone` false, as in Safari on a phone. */
  beSafariOnPhone(): void {
    this.remove();
    this.#replace(navigator, 'standalone', { value: false });
  }

  async restore(): Promise<void> {
    for (const restore of this.#restores.splice(0)) restore();
    await writePushDevice(null);
  }

  #replace(target: object, name: string, descriptor: PropertyDescriptor): void {
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
    this.#restores.push(() => {
      if (own === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, own);
    });
  }
}

/** Stores a device, as after `turn on` at an earlier visit. */
export const storeDevice = (readerId: string | null = null): Promise<void> =>
  writePushDevice({ token: 'T'.repeat(43), id: 'here', readerId, language: 'en', reportedAt: Date.now() });

/** Creates services with the fake server; those of a signed-in reader with `user`. */
export function notificationServices(server: NotificationServer, user: typeof READER | null = null): StubServices {
  const services = stubServices({ user });
  return { ...services, environment: { ...services.environment, httpClient: server.client } };
}
