import { createCell } from '../lib/signal.ts';
import type { Kept } from './device-storage.ts';
import { memoryShelf } from './memory-store.ts';

/** In-memory device storage: stores nothing beyond the page, opens no database, and writes to no web storage. */
export function memoryKept(): Kept {
  const shelves = { public: memoryShelf(), reader: memoryShelf() };
  return {
    lasting: createCell(false),
    ...shelves,
    anonymous: async () => memoryShelf(),
    close() {
      shelves.public.close();
      shelves.reader.close();
    },
  };
}
