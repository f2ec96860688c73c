import { promisifyRequest } from 'idb-keyval';
import { nameOf, READER } from './device-storage.ts';

/** Deletes what is kept of a reader; other tabs that hold it let go. Gives up after a second rather than hold up a sign-out. */
export const eraseReader = (readerId: string | null): Promise<void> => erase(nameOf(readerId));

/** Deletes what is kept of every reader but this one, where the browser tells: what a deletion left that was cut short goes too. */
export async function eraseOthers(readerId: string): Promise<void> {
  // Not in every engine.
  const found = (await globalThis.indexedDB?.databases?.().catch(() => [])) ?? [];
  const names = found.flatMap(({ name }) => name ?? []);
  await Promise.all(names.filter((name) => name.startsWith(READER) && name !== nameOf(readerId)).map(erase));
}

/** Deletes the public channels and posts kept on this device; what is the reader's own stays. */
export const erasePublic = (): Promise<void> => erase('changer-public');

async function erase(name: string): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 1000));
  try {
    await Promise.race([deleteDatabase(name), patience]);
  } catch {
    // No IndexedDB, then nothing was kept in it.
  }
}

/**
 * Empties a database and deletes it; where there is no IndexedDB, or the database is broken, it rejects. The deletion waits for
 * whoever holds the database, a tab that hangs for ever: nothing may be in it then.
 */
export async function deleteDatabase(name: string): Promise<void> {
  const emptied = empty(name).catch(() => {}); // There is none, or it is broken.
  await promisifyRequest(indexedDB.deleteDatabase(name));
  await emptied;
}

/** Takes everything out of a database, of whatever version it is, before a deletion that was asked for right after. */
async function empty(name: string): Promise<void> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.transaction?.abort();
  const database = await promisifyRequest(request);
  database.onversionchange = () => database.close();
  const transaction = database.transaction(database.objectStoreNames, 'readwrite');
  for (const store of database.objectStoreNames) transaction.objectStore(store).clear();
  await promisifyRequest(transaction);
}
