import { createCell, type Readable } from '../lib/signal.ts';
import type { Session } from './types.ts';

const KEY = 'access_token';

/** Session of the app, with its end as a value to watch. */
export interface AppSession extends Session {
  /** Number of tokens that the server refused. */
  readonly refused: Readable<number>;
}

/**
 * Stores the access token in sessionStorage (specification 3.1), and in memory where storage is refused (a blocked third-party
 * frame throws on the very mention of it).
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
      // Nothing was kept there.
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
