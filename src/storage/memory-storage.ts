import { createSignal } from '../lib/signal.ts';
import type { DeviceStorage } from './device-storage.ts';
import { createMemoryStore } from './memory-store.ts';

/** In-memory device storage: stores nothing beyond the page, opens no database, and writes to no web storage. */
export function createMemoryStorage(): DeviceStorage {
  const stores = { public: createMemoryStore(), reader: createMemoryStore() };
  return {
    persistent: createSignal(false),
    ...stores,
    openAnonymous: async () => createMemoryStore(),
    close() {
      stores.public.close();
      stores.reader.close();
    },
  };
}
