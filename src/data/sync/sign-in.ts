import type { Reader } from '../../../contract/api.ts';
import type { Api } from '../../api/channels-api.ts';
import type { Cell } from '../../lib/signal.ts';
import { failureOf, type Link } from '../connection/connection.ts';
import type { ReaderState as Who } from '../model/types.ts';
import { stateOf } from '../mutations/user-state.ts';
import type { Device } from '../offline/offline-store.ts';

/** What the shell tells an area about its reader's session. */
export interface Arrival {
  signedIn(user: Reader): void;
  resume(): void;
  /** Asks again who the stored token belongs to, where that could not be learnt. */
  retry(): Promise<void>;
  /** Hands over what the device's anonymous reader left; true when there was something and the server has it; else it stays. */
  merge(): Promise<boolean>;
}

export interface ArrivalOptions {
  readonly api: Api;
  readonly link: Link;
  readonly device: Device;
  readonly readerId: string | null;
  readonly reader: Cell<Who>;
  /** The reader is known now; `first` when nothing had been asked for before. */
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
      // The same twice is the same as once, should this be interrupted before it is cleared.
      if (isLeft) await shelf.drop('');
      isMerged = true;
      return isLeft;
    },
  };
}
