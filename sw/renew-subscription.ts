/* Renews the push subscription of this device after the browser has replaced or ended it. */
import { vapidKey } from '../contract/parse-notifications.ts';
import { DEVICE_HEADER } from '../src/lib/push-notifications.ts';
import { readPushDevice, writePushDevice } from '../src/storage/push-storage.ts';

declare const self: ServiceWorkerGlobalScope;

/** Defined by the build: the API's origin, '' for our own. */
declare const __API_URL__: string;

const NOTIFICATIONS_URL = `${__API_URL__}/api/notifications`;

/** Event that TypeScript does not know. */
export interface SubscriptionChangeEvent extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/**
 * Subscribes again, and sends the new subscription to the server. The token of the device authenticates the request. The
 * worker has no session, and without it the server would take the device from a signed-in reader. So the app reports the
 * device of a signed-in reader at the next visit, and that of an anonymous reader too if this fails.
 */
export async function renewSubscription({ oldSubscription, newSubscription }: SubscriptionChangeEvent): Promise<void> {
  const device = await readPushDevice();
  if (device === null) return;
  await writePushDevice({ ...device, reportedAt: 0 }).catch(() => {});
  const subscription = newSubscription ?? (await subscribe(oldSubscription?.options.applicationServerKey ?? null));
  if (device.readerId !== null) return;
  await fetch(`${NOTIFICATIONS_URL}/device`, {
    method: 'PUT',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', [DEVICE_HEADER]: device.token },
    body: JSON.stringify({ subscription: subscription.toJSON(), language: device.language }),
  });
}

async function subscribe(previousKey: ArrayBuffer | null): Promise<PushSubscription> {
  const applicationServerKey = previousKey ?? (await fetchPublicKey());
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function fetchPublicKey(): Promise<string> {
  const url = `${NOTIFICATIONS_URL}/key`;
  return vapidKey(await (await fetch(url, { credentials: 'omit' })).json(), url).publicKey;
}
