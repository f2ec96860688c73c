/* Account features: code that only a reader with an account needs, in a separate chunk. */
import { signIn } from '../../../contract/parse.ts';
import type { HttpClient } from '../../api/types.ts';
import { createAccountClient } from '../../data/clients/account-client.ts';
import {
  addKnownReader,
  createSignInRequest,
  removeKnownReader,
  type SignInRequest,
} from '../../features/account/sign-in-request.ts';
import type { LaunchInfo } from '../../platform/platform.ts';
import { eraseOtherReaders, eraseReaderDatabase } from '../../storage/erase.ts';
import { SIGN_IN_TIMEOUT_MS } from './auth-guard.ts';
import { createSessionRenewal } from './session-renewal.ts';

/** Question to the reader about a sign-in. `isOpen` is true until the reader responds. */
export interface SignInQuestion {
  isOpen: boolean;
}

/**
 * Requests the reader's consent to a sign-in, if it is needed. Calls `onAccepted` after consent, and drops the launch
 * data after a refusal. If the question cannot be loaded, this counts as a refusal.
 */
async function requestSignInConsent(
  host: LaunchInfo,
  lastReader: string | null,
  onAccepted: () => void,
): Promise<SignInQuestion> {
  const signInRequest = await createSignInRequest(host.launchData(), lastReader);
  const question = { isOpen: signInRequest !== null };
  const prompt = async (shownRequest: SignInRequest) => {
    const isAccepted = await import('../../features/account/sign-in-prompt.ts')
      .then((module) => module.promptSignIn(shownRequest))
      .catch(() => false);
    question.isOpen = false;
    if (isAccepted) onAccepted();
    else host.dropLaunchData();
  };
  if (signInRequest !== null) void prompt(signInRequest);
  return question;
}

/** Stores the id of the reader who signed in on this device, and erases the stored data of other readers. */
function storeSignedInReader(id: string, previousReader: string | null, erasureChannel: ErasureChannel | null): void {
  addKnownReader(id);
  if (previousReader !== null && previousReader !== id) {
    erasureChannel?.notifyErased(previousReader);
    void eraseReaderDatabase(previousReader);
  }
  void eraseOtherReaders(id);
}

/**
 * Ends the push notifications of a reader who signs out, on the server and on this device. Most readers have none, so the
 * code is loaded only where they are allowed. Never rejects.
 */
async function endPushNotifications(client: HttpClient): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return;
  try {
    const [{ endPushDevice }, { createDeviceApi }] = await Promise.all([
      import('../../data/notifications/push-subscription.ts'),
      import('../../data/notifications/notification-store.ts'),
    ]);
    await endPushDevice(createDeviceApi(client), SIGN_IN_TIMEOUT_MS);
  } catch (error) {
    console.error(error);
  }
}

export const accountChunk = {
  askBeforeSignIn: requestSignInConsent,
  createAccountClient,
  createSessionRenewal,
  endPushNotifications,
  eraseReaderDatabase,
  rememberOnlyReader: storeSignedInReader,
  openErasureChannel,
  parseSignIn,
};
export type AccountChunk = typeof accountChunk;

export interface SignInResult {
  readonly token: string;
  readonly user: ReturnType<typeof signIn>['user'] | null;
}

/**
 * Parses a sign-in response. Only the token is required; the user can be fetched later. Throws if there is no token.
 */
function parseSignIn(raw: unknown, path: string): SignInResult {
  const token = typeof raw === 'object' && raw !== null && 'Access-Token' in raw ? raw['Access-Token'] : undefined;
  if (typeof token !== 'string' || token === '') throw new Error('The sign-in answer has no Access-Token.');
  try {
    return { token, user: signIn(raw, path).user };
  } catch {
    return { token, user: null };
  }
}

/** Messages to the app's other tabs. */
export interface ErasureChannel {
  /** Sends the id of a reader whose stored data was erased. */
  notifyErased(readerId: string): void;
  /** Sends the id, and removes it from the list of readers who signed in on this device. */
  notifySignedOut(readerId: string): void;
}

/** Opens a BroadcastChannel that sends and receives the ids of readers whose stored data was erased. */
function openErasureChannel(onErased: (readerId: string) => void): ErasureChannel {
  let broadcast = (_readerId: string): void => {};
  try {
    const channel = new BroadcastChannel('changer-erased');
    channel.onmessage = ({ data }) => {
      if (typeof data === 'string') onErased(data);
    };
    broadcast = (readerId) => channel.postMessage(readerId);
  } catch {
    // Without BroadcastChannel there is no tab to notify.
  }
  return {
    notifyErased: broadcast,
    notifySignedOut(readerId) {
      broadcast(readerId);
      removeKnownReader(readerId);
    },
  };
}
