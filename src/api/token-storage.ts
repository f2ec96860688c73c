import { createSignal, type Signal } from '../lib/signal.ts';
import { TOKEN_KEY } from '../lib/storage-keys.ts';
import type { TokenStorage } from './types.ts';

/** Session of the app. `refused` notifies subscribers when the server rejects its token. */
export interface AppTokenStorage extends TokenStorage {
  /** Number of tokens that the server rejected. */
  readonly rejectedCount: Signal<number>;
}

/**
 * Token storage: stores the access token in sessionStorage (specification 3.1), or in memory where storage is blocked. In a
 * blocked third-party frame, reading the property `sessionStorage` already throws.
 */
export function createTokenStorage(): AppTokenStorage {
  const rejectedCount = createSignal(0);
  let inMemory: string | null = null;
  const token = (): string | null => {
    try {
      return sessionStorage.getItem(TOKEN_KEY) ?? inMemory;
    } catch {
      return inMemory;
    }
  };
  const clear = (): void => {
    inMemory = null;
    try {
      sessionStorage.removeItem(TOKEN_KEY);
    } catch {
      // sessionStorage is blocked, so nothing is stored there.
    }
  };
  return {
    token,
    clear,
    rejectedCount,
    store(next) {
      inMemory = null;
      try {
        sessionStorage.setItem(TOKEN_KEY, next);
      } catch {
        inMemory = next;
      }
    },
    clearRejected(sent) {
      if (sent !== token()) return;
      clear();
      rejectedCount.set(rejectedCount.get() + 1);
    },
  };
}
