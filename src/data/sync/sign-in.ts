// Sign-in of the data layer's reader: identity, stored token, and merge of the device's anonymous state.

import type { Reader } from '../../../contract/api.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import { type Connection, toRequestFailure } from '../connection/connection.ts';
import type { SessionState } from '../model/types.ts';
import { readDeviceState } from '../mutations/user-state-storage.ts';
import type { OfflineStore } from '../offline/offline-store.ts';

/** Sign-in events that the app reports to a data layer. */
export interface SignInSync {
  /** Called after each sign-in. Throws if `user` is not the reader of this data layer. */
  signedIn(user: Reader): void;
  /** Called after a reload, when a token is stored: requests the reader's identity from the server. */
  resume(): void;
  /** Requests the identity of the stored token again, if the previous request got no response. */
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
  readonly session: WritableSignal<SessionState>;
  /** Called when the reader's identity is known; `isFirst` is true if no request was sent before. */
  onSignedIn(isFirst: boolean): void;
}

export function createSignInSync({ api, connection, offline, readerId, session, onSignedIn }: SignInSyncOptions): SignInSync {
  let isTokenStored = false;
  let isMerged = false;

  function signedIn(user: Reader): void {
    if (connection.isClosed()) return;
    if (user.id !== readerId) throw new Error(`This area belongs to reader ${readerId}; make another for reader ${user.id}`);
    const isFirst = !connection.isReleased();
    isTokenStored = false;
    session.set({ type: 'signed-in', user });
    connection.release();
    onSignedIn(isFirst);
  }
  async function fetchUser(): Promise<void> {
    try {
      const { user } = await api.me({ fresh: true });
      isTokenStored = false;
      if (user !== null && user.id === readerId) signedIn(user);
    } catch (thrown) {
      isTokenStored = toRequestFailure(thrown).unreachable;
    }
    connection.release();
  }

  return {
    signedIn,
    resume() {
      isTokenStored = true;
      void fetchUser();
    },
    async retry() {
      if (isTokenStored) await fetchUser();
    },
    async mergeAnonymousState() {
      if (isMerged || session.get().type !== 'signed-in') return false;
      const store = await (await offline.storage).openAnonymous();
      const state = await readDeviceState(store);
      const hasState = Object.values(state).some((items) => items.length > 0);
      try {
        if (hasState) await connection.request(() => api.merge(state), true);
      } catch {
        return false;
      }
      // The merge is idempotent: if the page closes before the local state is cleared, sending it again has no effect.
      if (hasState) await store.deletePrefix('');
      isMerged = true;
      return hasState;
    },
  };
}
