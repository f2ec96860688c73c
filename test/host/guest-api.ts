import { createClient } from '../../src/api/http-client.ts';
import { createSession } from '../../src/api/session.ts';

declare global {
  interface Window {
    createClient: typeof createClient;
    createSession: typeof createSession;
  }
}

Object.assign(window, { createClient, createSession });
