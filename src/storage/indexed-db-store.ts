// Key-value store in IndexedDB.

import { promisifyRequest } from 'idb-keyval';
import type { Shelf } from './key-value-store.ts';

/**
 * Database version. The meaning of a key never changes: a new meaning gets a new key. Values that an older or newer version
 * of the app stored are ignored where they do not parse. Therefore a database of a newer version works too, as long as it has
 * STORE.
 */
const VERSION = 1;
const STORE = 'things';

/** Longer than a slow phone needs. A database that another tab blocks, or that is broken, may never open. */
const OPEN_TIMEOUT_S = 1;

const starting = (prefix: string, below?: string) =>
  IDBKeyRange.bound(prefix, below ?? `${prefix}\uffff`, false, below !== undefined);

/** Opens a database as a key-value store; rejects if that fails. Its calls reject when their transaction fails. */
export async function openDatabase(name: string): Promise<Shelf> {
  // Opening with VERSION fails after a newer version of the app ran here and was rolled back.
  const database = await open(name, VERSION).catch(() => open(name));
  // Another tab deletes this reader's database, or runs a newer version: it must not wait for this connection.
  database.onversionchange = () => database.close();
  return shelfOf(database);
}

function open(name: string, version?: number): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion < 1) request.result.createObjectStore(STORE);
  };
  return promisifyRequest(request);
}

/**
 * Adds a timeout to opening a database or to another call: rejects after that many seconds. The timer counts ticks of one
 * second, so that the time in which the page was suspended counts as one.
 */
export function inTime<Value>(call: Promise<Value>, seconds = OPEN_TIMEOUT_S): Promise<Value> {
  return new Promise((resolve, reject) => {
    let left = seconds;
    const timer = setInterval(() => {
      if (--left === 0) reject(new Error(`IndexedDB did not answer within ${seconds} s`));
    }, 1000);
    call.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

const reading = (database: IDBDatabase): IDBObjectStore => database.transaction(STORE).objectStore(STORE);

/**
 * Runs the requests of one transaction; resolves when it is complete. It commits explicitly as soon as all requests are made:
 * otherwise a write directly before a reload or close would be lost.
 */
async function write(database: IDBDatabase, act: (store: IDBObjectStore) => Promise<void> | void): Promise<void> {
  const transaction = database.transaction(STORE, 'readwrite');
  const done = promisifyRequest(transaction);
  const made = Promise.resolve(act(transaction.objectStore(STORE)));
  await Promise.all([made.then(() => transaction.commit()), done]);
}

function shelfOf(database: IDBDatabase): Shelf {
  return {
    get: (key) => promisifyRequest(reading(database).get(key)),
    list: (prefix, options) =>
      options === undefined
        ? all(reading(database), starting(prefix))
        : fromEnd(reading(database), starting(prefix, options.below), options.last),
    put: (entries, instead = []) =>
      write(database, (store) => {
        for (const prefix of instead) store.delete(starting(prefix));
        for (const [key, value] of entries) store.put(value, key);
      }),
    change: (...slots) =>
      write(database, async (store) => {
        const changed = slots.map(async ([key, make]) => {
          const value = make(await promisifyRequest(store.get(key)));
          if (value === undefined) store.delete(key);
          else store.put(value, key);
        });
        await Promise.all(changed);
      }),
    drop: (prefix) => write(database, (store) => void store.delete(starting(prefix))),
    keys: async (prefix) => (await promisifyRequest(reading(database).getAllKeys(starting(prefix)))).map(String),
    remove: (keys) =>
      write(database, (store) => {
        for (const key of keys) store.delete(key);
      }),
    close: () => database.close(),
  };
}

async function all(store: IDBObjectStore, range: IDBKeyRange): Promise<[string, unknown][]> {
  const [keys, values] = await Promise.all([
    promisifyRequest(store.getAllKeys(range)),
    promisifyRequest<unknown[]>(store.getAll(range)),
  ]);
  return keys.map((key, index) => [String(key), values[index]]);
}

/**
 * Reads the last entries of a range. It reads the keys first: a cursor needs an event loop task per entry, and pages are read
 * during start-up.
 */
async function fromEnd(store: IDBObjectStore, range: IDBKeyRange, count: number): Promise<[string, unknown][]> {
  const keys = await promisifyRequest(store.getAllKeys(range));
  const first = keys.slice(-count)[0];
  return first === undefined ? [] : (await all(store, IDBKeyRange.bound(first, keys.at(-1)))).reverse();
}
