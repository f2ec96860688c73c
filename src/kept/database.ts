import { promisifyRequest } from 'idb-keyval';
import type { Shelf } from './shelf.ts';

const VERSION = 1;
const STORE = 'things';

/** Longer than a slow phone needs; a database that another tab holds, or that is broken, may never answer. */
const PATIENCE = 1000;

const starting = (prefix: string, below?: string) =>
  IDBKeyRange.bound(prefix, below ?? `${prefix}\uffff`, false, below !== undefined);

/** Opens a database as a shelf; rejects when that fails. Its calls reject when a transaction does. */
export async function openDatabase(name: string): Promise<Shelf> {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) request.result.createObjectStore(STORE);
  };
  const database = await promisifyRequest(request);
  // Another tab erases this reader, or runs a newer version: it must not wait for us.
  database.onversionchange = () => database.close();
  return shelfOf(database);
}

/** Waits for a database to open, but no longer than a second; then it rejects. */
export function inTime<Value>(opening: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`IndexedDB did not open within ${PATIENCE} ms`)), PATIENCE);
    opening.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Deletes a database; where there is no IndexedDB, or the database is broken, it rejects. */
export const deleteDatabase = async (name: string): Promise<void> => {
  await promisifyRequest(indexedDB.deleteDatabase(name));
};

const reading = (database: IDBDatabase): IDBObjectStore => database.transaction(STORE).objectStore(STORE);

/** Runs the requests of one transaction; done when it is complete. */
async function write(database: IDBDatabase, act: (store: IDBObjectStore) => Promise<void> | void): Promise<void> {
  const transaction = database.transaction(STORE, 'readwrite');
  const done = promisifyRequest(transaction);
  await Promise.all([act(transaction.objectStore(STORE)), done]);
}

function shelfOf(database: IDBDatabase): Shelf {
  return {
    get: (key) => promisifyRequest(reading(database).get(key)),
    list: (prefix, options) =>
      options === undefined ? all(database, prefix) : fromEnd(database, starting(prefix, options.below), options.last),
    put: (entries) =>
      write(database, (store) => {
        for (const [key, value] of entries) store.put(value, key);
      }),
    change: (key, make) =>
      write(database, async (store) => {
        const value = make(await promisifyRequest(store.get(key)));
        if (value === undefined) store.delete(key);
        else store.put(value, key);
      }),
    drop: (prefix) => write(database, (store) => void store.delete(starting(prefix))),
    trim: (prefix, count) =>
      write(database, async (store) => {
        const keys = await promisifyRequest(store.getAllKeys(starting(prefix)));
        for (const key of keys.slice(0, -count)) store.delete(key);
      }),
    close: () => database.close(),
  };
}

async function all(database: IDBDatabase, prefix: string): Promise<[string, unknown][]> {
  const store = reading(database);
  const [keys, values] = await Promise.all([
    promisifyRequest(store.getAllKeys(starting(prefix))),
    promisifyRequest<unknown[]>(store.getAll(starting(prefix))),
  ]);
  return keys.map((key, index) => [String(key), values[index]]);
}

async function fromEnd(database: IDBDatabase, range: IDBKeyRange, count: number): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  const request = reading(database).openCursor(range, 'prev');
  for (let cursor = await promisifyRequest(request); cursor !== null; cursor = await promisifyRequest(request)) {
    found.push([String(cursor.key), cursor.value]);
    if (found.length >= count) break;
    cursor.continue();
  }
  return found;
}
