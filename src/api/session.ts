import type { Session } from './client.ts';

const KEY = 'access_token';

/**
 * Keeps the access token in sessionStorage under SPEC's key, and in memory where storage is refused (a blocked third-party
 * frame throws on the very mention of it).
 */
export function createSession(): Session {
  let inMemory: string | null = null;
  return {
    token() {
      try {
        return sessionStorage.getItem(KEY) ?? inMemory;
      } catch {
        return inMemory;
      }
    },
    store(token) {
      inMemory = null;
      try {
        sessionStorage.setItem(KEY, token);
      } catch {
        inMemory = token;
      }
    },
    clear() {
      inMemory = null;
      try {
        sessionStorage.removeItem(KEY);
      } catch {
        // Nothing was kept there.
      }
    },
  };
}
