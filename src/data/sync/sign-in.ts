// Sign-in of the data layer's reader: identity, stored token, and merge of the device's anonymous state.

import type { Reader } from '../../../contract/api.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import { type Connection, toRequestFailure } from '../connection/connection.ts';
import type { SessionState as Who } from '../model/types.ts';
import { readDeviceState } from '../mutations/user-state-storage.ts';
import type { OfflineStore } from '../offline/offline-store.ts';

/** Sign-in events that the app reports to a data layer. */
export interface SignInSync {
  signedIn(user: Reader): void;
  resume(): void;
  /** Asks the server again for the identity of the stored token, where the previous request got no response. */
  retry(): Promise<void>;
  /**
   * Merges the anonymous state of the device into the account. Returns true if there was any and the server accepted it;
   * otherwise it remains on the device.
   */
  mergeAnonymousState(): Promise<boolean>;
}

export interface SignInSyncOptions {
  readonly api: ChannelsApi;
  readonly connection: Connection;
  readonly offline: OfflineStore;
  readonly readerId: string | null;
  readonly session: WritableSignal<Who>;
  /** Called when the reader's identity is known; `first` is true if no request was sent before. */
  onSignedIn(first: boolean): void;
}

export function createSignInSync({
  api,
  connection: link,
  offline: device,
  readerId,
  session: reader,
  onSignedIn,
}: SignInSyncOptions): SignInSync {
  let isTokenStored = false;
  let isMerged = false;

  function signedIn(user: Reader): void {
    if (link.isClosed()) return;
    if (user.id !== readerId) throw new Error(`This area belongs to reader ${readerId}; make another for reader ${user.id}`);
    const first = !link.isReleased();
    isTokenStored = false;
    reader.set({ type: 'signed-in', user });
    link.release();
    onSignedIn(first);
  }
  async function ask(): Promise<void> {
    try {
      const { user } = await api.me({ fresh: true });
      isTokenStored = false;
      if (user !== null && user.id === readerId) signedIn(user);
    } catch (thrown) {
      isTokenStored = toRequestFailure(thrown).unreachable;
    }
    link.release();
  }

  return {
    signedIn,
    resume() {
      isTokenStored = true;
      void ask();
    },
    async retry() {
      if (isTokenStored) await ask();
    },
    async mergeAnonymousState() {
      if (isMerged || reader.get().type !== 'signed-in') return false;
      const shelf = await (await device.storage).openAnonymous();
      const left = await readDeviceState(shelf);
      const isLeft = Object.values(left).some((part) => part.length > 0);
      try {
        if (isLeft) await link.request(() => api.merge(left), true);
      } catch {
        return false;
      }
      // The merge is idempotent: if the page closes before the local state is cleared, sending it again has no effect.
      if (isLeft) await shelf.deletePrefix('');
      isMerged = true;
      return isLeft;
    },
  };
}
