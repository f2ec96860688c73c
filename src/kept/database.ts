import { type IDBPDatabase, openDB } from 'idb';
import type { Shelf } from './shelf.ts';

const VERSION = 1;
const STORE = 'things';

/** Longer than a slow phone needs; a database that another tab holds, or that is broken, may never answer. */
const PATIENCE = 1000;

const starting = (prefix: string, below?: string) =>
  IDBKeyRange.bound(prefix, below ?? `${prefix}\uffff`, false, below !== undefined);

/** Opens a database as a shelf; rejects when that fails or takes longer than a second. Its calls reject when a transaction does. */
export async function openDatabase(name: string): Promise<Shelf> {
  let late = false;
  const opening = openDB(name, VERSION, {
    upgrade(database, from) {
      if (from < 1) database.createObjectStore(STORE);
    },
    // Another tab erases this reader, or runs a newer version: it must not wait for us.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  }).then((database) => {
    if (late) database.close();
    return database;
  });
  return shelfOf(
    await inTime(opening, () => {
      late = true;
    }),
  );
}

function inTime<Value>(promise: Promise<Value>, giveUp: () => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      giveUp();
      reject(new Error(`IndexedDB did not open within ${PATIENCE} ms`));
    }, PATIENCE);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function shelfOf(database: IDBPDatabase): Shelf {
  return {
    get: (key) => database.get(STORE, key),
    list: (prefix, options) =>
      options === undefined ? all(database, prefix) : fromEnd(database, starting(prefix, options.below), options.last),
    async put(entries) {
      const { store, done } = database.transaction(STORE, 'readwrite');
      await Promise.all([...entries.map(([key, value]) => store.put(value, key)), done]);
    },
    async change(key, make) {
      const { store, done } = database.transaction(STORE, 'readwrite');
      const value = make(await store.get(key));
      await (value === undefined ? store.delete(key) : store.put(value, key));
      await done;
    },
    drop: (prefix) => database.delete(STORE, starting(prefix)),
    async trim(prefix, count) {
      const { store, done } = database.transaction(STORE, 'readwrite');
      const surplus = (await store.getAllKeys(starting(prefix))).slice(0, -count);
      await Promise.all([...surplus.map((key) => store.delete(key)), done]);
    },
    close: () => database.close(),
  };
}

async function all(database: IDBPDatabase, prefix: string): Promise<[string, unknown][]> {
  const { store } = database.transaction(STORE);
  const [keys, values] = await Promise.all([store.getAllKeys(starting(prefix)), store.getAll(starting(prefix))]);
  return keys.map((key, index) => [String(key), values[index]]);
}

async function fromEnd(database: IDBPDatabase, range: IDBKeyRange, count: number): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  let cursor = await database.transaction(STORE).store.openCursor(range, 'prev');
  while (cursor !== null && found.length < count) {
    found.push([String(cursor.key), cursor.value]);
    cursor = await cursor.continue();
  }
  return found;
}
