import { createHttpClient } from '../../src/api/client.ts';
import { createTokenStorage } from '../../src/api/token-storage.ts';

declare global {
  interface Window {
    createClient: typeof createHttpClient;
    createSession: typeof createTokenStorage;
  }
}

Object.assign(window, { createClient: createHttpClient, createSession: createTokenStorage });
