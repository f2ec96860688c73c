import { openKept } from './device-storage.ts';
import { deleteDatabase } from './erase.ts';
import { inTime, openDatabase } from './indexed-db-store.ts';

const SCRATCH = 'changer-probe';

/**
 * Storage probe: writes, reads and deletes a value in a separate database. Rejects or returns false where that does not work.
 */
export async function probe(): Promise<boolean> {
  const shelf = await inTime(openDatabase(SCRATCH));
  const written = crypto.randomUUID();
  try {
    await shelf.put([['probe', written]]);
    return (await shelf.get('probe')) === written;
  } finally {
    shelf.close();
    await deleteDatabase(SCRATCH);
  }
}

/** Returns true if this reader's databases on this device can be written. */
export async function probeOwn(readerId: string | null): Promise<boolean> {
  const kept = await openKept(readerId);
  await Promise.all([kept.public, kept.reader].map((shelf) => shelf.put([])));
  kept.close();
  return kept.lasting.get();
}
