import { deleteDatabase, inTime, openDatabase } from './database.ts';

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

/** Deletes the public channels and posts kept on this device; what is the reader's own stays. */
export async function erasePublic(): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 1000));
  await Promise.race([deleteDatabase('changer-public'), patience]);
}
