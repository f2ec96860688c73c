// Key-value store in IndexedDB.

import { promisifyRequest } from 'idb-keyval';
import type { KeyValueStore } from './key-value-store.ts';

/**
 * Database version. The meaning of a key never changes: a new meaning gets a new key. Values that an older or newer
 * version of the app stored are ignored if they do not parse. Therefore a database of a newer version works too, if it
 * has the object store STORE_NAME.
 */
const DATABASE_VERSION = 1;
/** Name of the object store. It is stored on devices: another name would lose their data. */
const STORE_NAME = 'things';

/**
 * Timeout for opening a database, longer than a slow phone needs. A database that another tab blocks, or that is
 * broken, may never open.
 */
const OPEN_TIMEOUT_SECONDS = 1;

/** Returns the range of the keys with a prefix, or of those among them that are lower than `below`. */
const prefixRange = (prefix: string, below?: string) =>
  IDBKeyRange.bound(prefix, below ?? `${prefix}\uffff`, false, below !== undefined);

/** Opens a database as a key-value store; rejects if that fails. Its calls reject when their transaction fails. */
export async function openIndexedDb(name: string): Promise<KeyValueStore> {
  // Opening with DATABASE_VERSION fails after a newer version of the app ran here and was rolled back.
  const database = await requestDatabase(name, DATABASE_VERSION).catch(() => requestDatabase(name));
  // Another tab deletes this reader's database, or runs a newer version: it must not wait for this connection.
  database.onversionchange = () => database.close();
  return createIndexedDbStore(database);
}

function requestDatabase(name: string, version?: number): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) request.result.createObjectStore(STORE_NAME);
  };
  return promisifyRequest(request);
}

/** Reads a value of a database. Returns undefined if there is no such database; does not create it. */
export async function readFromExistingDatabase(name: string, key: string): Promise<unknown> {
  const request = indexedDB.open(name);
  // Without an upgrade the database exists already.
  request.onupgradeneeded = () => request.transaction?.abort();
  const database = await promisifyRequest(request).catch(() => null);
  if (database === null) return undefined;
  database.onversionchange = () => database.close();
  try {
    return await promisifyRequest(readStore(database).get(key));
  } finally {
    database.close();
  }
}

/**
 * Adds a timeout to opening a database or to another call: rejects after `seconds`. The timer counts ticks of one
 * second, so that the time in which the page was suspended counts as one.
 */
export function withDatabaseTimeout<Value>(call: Promise<Value>, seconds = OPEN_TIMEOUT_SECONDS): Promise<Value> {
  return new Promise((resolve, reject) => {
    let remaining = seconds;
    const timer = setInterval(() => {
      if (--remaining > 0) return;
      clearInterval(timer);
      reject(new Error(`IndexedDB did not answer within ${seconds} s`));
    }, 1000);
    call.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

const readStore = (database: IDBDatabase): IDBObjectStore => database.transaction(STORE_NAME).objectStore(STORE_NAME);

/**
 * Runs the requests of one transaction; resolves when it is complete. It commits explicitly as soon as all requests are
 * made: otherwise a write directly before a reload or close would be lost.
 */
async function runWrite(database: IDBDatabase, run: (store: IDBObjectStore) => Promise<void> | void): Promise<void> {
  const transaction = database.transaction(STORE_NAME, 'readwrite');
  const completed = promisifyRequest(transaction);
  const requests = Promise.resolve(run(transaction.objectStore(STORE_NAME)));
  await Promise.all([requests.then(() => transaction.commit()), completed]);
}

function createIndexedDbStore(database: IDBDatabase): KeyValueStore {
  return {
    get: (key) => promisifyRequest(readStore(database).get(key)),
    list: (prefix, options) =>
      options === undefined
        ? readRange(readStore(database), prefixRange(prefix))
        : readLast(readStore(database), prefixRange(prefix, options.below), options.last),
    put: (entries, replacedPrefixes = []) =>
      runWrite(database, (store) => {
        for (const prefix of replacedPrefixes) store.delete(prefixRange(prefix));
        for (const [key, value] of entries) store.put(value, key);
      }),
    update: (...updates) =>
      runWrite(database, async (store) => {
        const updating = updates.map(async ([key, computeValue]) => {
          const value = computeValue(await promisifyRequest(store.get(key)));
          if (value === undefined) store.delete(key);
          else store.put(value, key);
        });
        await Promise.all(updating);
      }),
    deletePrefix: (prefix) => runWrite(database, (store) => void store.delete(prefixRange(prefix))),
    keys: async (prefix) => (await promisifyRequest(readStore(database).getAllKeys(prefixRange(prefix)))).map(String),
    deleteMany: (keys) =>
      runWrite(database, (store) => {
        for (const key of keys) store.delete(key);
      }),
    close: () => database.close(),
  };
}

async function readRange(store: IDBObjectStore, range: IDBKeyRange): Promise<[string, unknown][]> {
  const [keys, values] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<unknown[]>(store.getAll(range)),
  ]);
  return keys.map((key, index) => [String(key), values[index]]);
}

/**
 * Reads the last entries of a range. It reads the keys first: a cursor needs an event loop task per entry, and pages
 * are read during start-up.
 */
async function readLast(store: IDBObjectStore, range: IDBKeyRange, count: number): Promise<[string, unknown][]> {
  const keys = await promisifyRequest(store.getAllKeys(range));
  const first = keys.slice(-count)[0];
  return first === undefined ? [] : (await readRange(store, IDBKeyRange.bound(first, keys.at(-1)))).reverse();
}
