import { openKept } from './device-storage.ts';
import { deleteDatabase } from './erase.ts';
import { inTime, openDatabase } from './indexed-db-store.ts';

const SCRATCH = 'changer-probe';

/** Writes, reads and deletes one thing in a database of its own; rejects, or gives false, where that does not work. */
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

/** Whether the databases that this reader has here can be read and written. */
export async function probeOwn(readerId: string | null): Promise<boolean> {
  const kept = await openKept(readerId);
  await Promise.all([kept.public, kept.reader].map((shelf) => shelf.put([])));
  kept.close();
  return kept.lasting.get();
}
