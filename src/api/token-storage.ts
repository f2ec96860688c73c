import { createCell, type Readable } from '../lib/signal.ts';
import type { Session } from './types.ts';

const KEY = 'access_token';

/** Session of the app. `refused` notifies subscribers when the server rejects its token. */
export interface AppSession extends Session {
  /** Number of tokens that the server rejected. */
  readonly refused: Readable<number>;
}

/**
 * Token storage: stores the access token in sessionStorage (specification 3.1), or in memory where storage is blocked. In a
 * blocked third-party frame, reading the property `sessionStorage` already throws.
 */
export function createSession(): AppSession {
  const refused = createCell(0);
  let inMemory: string | null = null;
  const token = (): string | null => {
    try {
      return sessionStorage.getItem(KEY) ?? inMemory;
    } catch {
      return inMemory;
    }
  };
  const clear = (): void => {
    inMemory = null;
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // sessionStorage is blocked, so nothing is stored there.
    }
  };
  return {
    token,
    clear,
    refused,
    store(next) {
      inMemory = null;
      try {
        sessionStorage.setItem(KEY, next);
      } catch {
        inMemory = next;
      }
    },
    refuse(sent) {
      if (sent !== token()) return;
      clear();
      refused.set(refused.get() + 1);
    },
  };
}
