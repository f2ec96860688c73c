import { promisifyRequest } from 'idb-keyval';
import { databaseName, PUBLIC_DATABASE, READER_DATABASE_PREFIX } from './device-storage.ts';

const ERASE_TIMEOUT_MS = 1000;

/**
 * Data erasure: deletes the stored data of a reader; other tabs close their connections to it. Gives up after 1 s, so
 * that it does not block a sign-out.
 */
export const eraseReaderDatabase = (readerId: string | null): Promise<void> => eraseDatabase(databaseName(readerId));

/**
 * Deletes the stored data of all other readers, if the browser can list databases. This includes the remains of an
 * interrupted deletion.
 */
export async function eraseOtherReaders(readerId: string): Promise<void> {
  // Not every engine implements `databases`.
  const databases = (await globalThis.indexedDB?.databases?.().catch(() => [])) ?? [];
  const names = databases.flatMap(({ name }) => name ?? []);
  await Promise.all(
    names.filter((name) => name.startsWith(READER_DATABASE_PREFIX) && name !== databaseName(readerId)).map(eraseDatabase),
  );
}

/** Deletes the public channels and posts on this device. The readers' own data remains. */
export const erasePublicDatabase = (): Promise<void> => eraseDatabase(PUBLIC_DATABASE);

async function eraseDatabase(name: string): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, ERASE_TIMEOUT_MS));
  try {
    await Promise.race([deleteDatabase(name), timeout]);
  } catch {
    // Without IndexedDB, nothing was stored in it.
  }
}

/**
 * Empties a database and deletes it. Rejects if there is no IndexedDB, or if the database is broken. The deletion waits
 * for every other connection, possibly forever for a tab that hangs; therefore the database is emptied as well.
 */
export async function deleteDatabase(name: string): Promise<void> {
  const clearing = clearDatabase(name).catch(() => {}); // The database does not exist, or is broken.
  await promisifyRequest(indexedDB.deleteDatabase(name));
  await clearing;
}

/**
 * Clears all stores of a database, of any version. Its connection closes when the deletion is requested, directly
 * afterwards.
 */
async function clearDatabase(name: string): Promise<void> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.transaction?.abort();
  const database = await promisifyRequest(request);
  database.onversionchange = () => database.close();
  const transaction = database.transaction(database.objectStoreNames, 'readwrite');
  for (const store of database.objectStoreNames) transaction.objectStore(store).clear();
  await promisifyRequest(transaction);
}
