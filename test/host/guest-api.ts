import { createClient } from '../../src/api/client.ts';
import { createSession } from '../../src/api/token-storage.ts';

declare global {
  interface Window {
    createClient: typeof createClient;
    createSession: typeof createSession;
  }
}

Object.assign(window, { createClient, createSession });
