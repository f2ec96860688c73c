import { createSignal, type Signal } from '../lib/signal.ts';
import { TOKEN_KEY } from '../lib/storage-keys.ts';
import { createStoredValue } from '../lib/web-storage.ts';
import type { TokenStorage } from './types.ts';

/** Token storage of the app. */
export interface AppTokenStorage extends TokenStorage {
  /** Number of tokens that the server rejected. Subscribers are notified of each rejection. */
  readonly rejectedCount: Signal<number>;
}

/**
 * Token storage: stores the access token in sessionStorage (specification 3.1), or in memory where storage is blocked.
 */
export function createTokenStorage(): AppTokenStorage {
  const rejectedCount = createSignal(0);
  const { read: token, write } = createStoredValue('tab', TOKEN_KEY);
  const clear = (): void => write(null);
  return {
    token,
    clear,
    rejectedCount,
    store: write,
    clearRejected(rejectedToken) {
      if (rejectedToken !== token()) return;
      clear();
      rejectedCount.set(rejectedCount.get() + 1);
    },
  };
}
