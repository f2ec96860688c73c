import { openDeviceStorage } from './device-storage.ts';
import { deleteDatabase } from './erase.ts';
import { openIndexedDb, withDatabaseTimeout } from './indexed-db-store.ts';

const PROBE_DATABASE = 'changer-probe';

/**
 * Storage probe: writes, reads and deletes a value in a separate database. Rejects or returns false if that does not
 * work.
 */
export async function probeStorage(): Promise<boolean> {
  const store = await withDatabaseTimeout(openIndexedDb(PROBE_DATABASE));
  const written = crypto.randomUUID();
  try {
    await store.put([['probe', written]]);
    return (await store.get('probe')) === written;
  } finally {
    store.close();
    await deleteDatabase(PROBE_DATABASE);
  }
}

/** Returns true if this reader's databases on this device can be written. */
export async function probeReaderStorage(readerId: string | null): Promise<boolean> {
  const storage = await openDeviceStorage(readerId);
  await Promise.all([storage.public, storage.reader].map((store) => store.put([])));
  storage.close();
  return storage.persistent.get();
}
