/*
 * Push subscription of this device: the permission, the browser's subscription, and the token by which the server knows
 * the device.
 */
import type { NotificationsApi } from '../../api/notifications-api.ts';
import { setBadge } from '../../lib/push-notifications.ts';
import { readPushDevice, writePushDevice } from '../../storage/push-storage.ts';

/**
 * Push notifications on this device. `install-first` is Safari on a phone or tablet, which has them only in an app on
 * the home screen. `off` can be turned on, `denied` only in the settings of the browser.
 */
export type PushStatus = 'unsupported' | 'install-first' | 'denied' | 'off' | 'on';

/** Maximum time to wait for the service worker, ms. It is registered after the page has loaded. */
const WORKER_TIMEOUT_MS = 10_000;
const TOKEN_BYTES = 32;

/** Returns the status of this device. Ends a subscription without a token, which the server could not find. */
export async function readPushStatus(): Promise<PushStatus> {
  if (!isPushSupported()) return Reflect.get(navigator, 'standalone') === false ? 'install-first' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await currentSubscription();
  if (subscription === null || Notification.permission !== 'granted') return 'off';
  if ((await readPushDevice())?.id != null) return 'on';
  await subscription.unsubscribe().catch(() => false);
  return 'off';
}

const isPushSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window && window.isSecureContext;

/** Reader of this page, for whom a device is reported to the server. */
export interface PushReader {
  /** Null for an anonymous reader. */
  readonly id: string | null;
  readonly language: string;
}

/**
 * Requests the permission, subscribes, and sends the subscription to the server. Called after an action of the reader,
 * because browsers ask only then. Resolves with the new status; rejects if the push service or the server fails.
 */
export async function turnPushOn(api: NotificationsApi, reader: PushReader): Promise<PushStatus> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const stored = await readPushDevice();
  const token = stored?.token ?? createToken();
  // Stored first: the API sends the token.
  await writePushDevice({ token, id: stored?.id ?? null, readerId: reader.id, language: reader.language, reportedAt: 0 });
  const subscription = await subscribe(await waitForWorker(), await api.publicKey());
  try {
    await reportDevice(api, subscription, token, reader);
  } catch (error) {
    // The server does not know this subscription, so it must not stay.
    await subscription.unsubscribe().catch(() => false);
    throw error;
  }
  return 'on';
}

/** Subscribes. A subscription with another key of the server is replaced. */
async function subscribe(registration: ServiceWorkerRegistration, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await registration.pushManager.subscribe(options);
  } catch (error) {
    const existing = await registration.pushManager.getSubscription();
    if (existing === null) throw error;
    await existing.unsubscribe();
    return registration.pushManager.subscribe(options);
  }
}

async function reportDevice(
  api: NotificationsApi,
  subscription: PushSubscription,
  token: string,
  { id: readerId, language }: PushReader,
): Promise<void> {
  const { endpoint = '', keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  const { id } = await api.saveDevice({ subscription: { endpoint, keys: { p256dh, auth } }, language });
  await writePushDevice({ token, id, readerId, language, reportedAt: Date.now() });
}

/** Interval between reports of a device, ms. The server deletes a device that no report names for 90 days. */
const REPORT_INTERVAL_MS = 86_400_000;

/**
 * Reports this device to the server at a visit: as in use, once a day, and after a sign-in or a change of the language. A
 * sign-in moves the choices of an anonymous reader to the account. The subscription of another reader ends instead. An
 * anonymous page leaves the device of a reader as it is.
 */
export async function reportPushDevice(api: NotificationsApi, reader: PushReader): Promise<void> {
  // Ends a subscription without a token.
  if ((await readPushStatus()) !== 'on') return;
  const [device, subscription] = await Promise.all([readPushDevice(), currentSubscription()]);
  if (device === null || subscription === null) return;
  const { readerId, language, reportedAt } = device;
  if (readerId !== null && reader.id === null) return;
  if (readerId !== null && readerId !== reader.id) return turnPushOff();
  if (readerId === reader.id && language === reader.language && Date.now() - reportedAt < REPORT_INTERVAL_MS) return;
  await reportDevice(api, subscription, device.token, reader);
}

/**
 * Ends the notifications of a reader who signs out: deletes the device on the server, if it responds, then the
 * subscription, the shown notifications and the token.
 */
export async function endPushDevice(api: NotificationsApi, timeoutMs: number): Promise<void> {
  const id = (await readPushDevice())?.id ?? null;
  if (id !== null) {
    const timeout = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    await Promise.race([api.removeDevice(id).catch(() => {}), timeout]);
  }
  await turnPushOff();
}

/** Ends push notifications on this device, without the server: its next message to the device fails. */
export async function turnPushOff(): Promise<void> {
  const subscription = await currentSubscription().catch(() => null);
  await subscription?.unsubscribe().catch(() => false);
  await writePushDevice(null).catch(() => {});
  await closeNotifications();
}

/** Closes all notifications of this device, and removes the badge. */
async function closeNotifications(): Promise<void> {
  const shown = (await (await findRegistration())?.getNotifications()) ?? [];
  for (const notification of shown) notification.close();
  await setBadge(0);
}

const currentSubscription = async (): Promise<PushSubscription | null> =>
  (await (await findRegistration())?.pushManager?.getSubscription()) ?? null;

/** Returns the registration of the service worker; undefined if there is none. */
export const findRegistration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration().catch(() => undefined) : undefined;

function waitForWorker(): Promise<ServiceWorkerRegistration> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The service worker did not start.')), WORKER_TIMEOUT_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, timeout]);
}

/** Returns a new random token, in base64url. */
function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');
}
