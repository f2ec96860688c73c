// Sign-in of the data layer's reader: identity, stored token, and merge of the device's anonymous state.

import type { Reader } from '../../../contract/api.ts';
import type { Api } from '../../api/channels-api.ts';
import type { Cell } from '../../lib/signal.ts';
import { failureOf, type Link } from '../connection/connection.ts';
import type { ReaderState as Who } from '../model/types.ts';
import { stateOf } from '../mutations/user-state.ts';
import type { Device } from '../offline/offline-store.ts';

/** Sign-in events that the app reports to a data layer. */
export interface Arrival {
  signedIn(user: Reader): void;
  resume(): void;
  /** Asks the server again for the identity of the stored token, where the previous request got no response. */
  retry(): Promise<void>;
  /**
   * Merges the anonymous state of the device into the account. Returns true if there was any and the server accepted it;
   * otherwise it remains on the device.
   */
  merge(): Promise<boolean>;
}

export interface ArrivalOptions {
  readonly api: Api;
  readonly link: Link;
  readonly device: Device;
  readonly readerId: string | null;
  readonly reader: Cell<Who>;
  /** Called when the reader's identity is known; `first` is true if no request was sent before. */
  onSignedIn(first: boolean): void;
}

export function createArrival({ api, link, device, readerId, reader, onSignedIn }: ArrivalOptions): Arrival {
  let isTokenStored = false;
  let isMerged = false;

  function signedIn(user: Reader): void {
    if (link.isClosed()) return;
    if (user.id !== readerId) throw new Error(`This area belongs to reader ${readerId}; make another for reader ${user.id}`);
    const first = !link.isOpen();
    isTokenStored = false;
    reader.set({ type: 'signed-in', user });
    link.open();
    onSignedIn(first);
  }
  async function ask(): Promise<void> {
    try {
      const { user } = await api.me({ fresh: true });
      isTokenStored = false;
      if (user !== null && user.id === readerId) signedIn(user);
    } catch (thrown) {
      isTokenStored = failureOf(thrown).unheard;
    }
    link.open();
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
    async merge() {
      if (isMerged || reader.get().type !== 'signed-in') return false;
      const shelf = await (await device.kept).anonymous();
      const left = await stateOf(shelf);
      const isLeft = Object.values(left).some((part) => part.length > 0);
      try {
        if (isLeft) await link.call(() => api.merge(left), true);
      } catch {
        return false;
      }
      // The merge is idempotent: if the page closes before the local state is cleared, sending it again has no effect.
      if (isLeft) await shelf.drop('');
      isMerged = true;
      return isLeft;
    },
  };
}
