// Device storage: one IndexedDB database for public data and one for each reader, with memory as the fallback.

import { createSignal, type Signal } from '../lib/signal.ts';
import { openIndexedDb, withDatabaseTimeout } from './indexed-db-store.ts';
import type { KeyValueStore } from './key-value-store.ts';

/** The databases of this device: one for public data, one for each reader. */
export interface DeviceStorage {
  /** True if the data outlasts the page; false while memory replaces a database. */
  readonly persistent: Signal<boolean>;
  /** Public data: channels and their posts. */
  readonly public: KeyValueStore;
  /**
   * The reader's own data, and data that only this reader may access. For an anonymous reader, the data of the device.
   */
  readonly reader: KeyValueStore;
  /**
   * Resolves when the reader's database has opened late, and the writes that were made before that are applied to it.
   * The caller must then read it.
   */
  readonly lateOpen?: Promise<void> | undefined;
  /** Returns the store of this device's anonymous reader, to be merged at sign-in. */
  openAnonymous(): Promise<KeyValueStore>;
  /** Closes the databases. After this, reads return nothing and writes have no effect. */
  close(): void;
}

/**
 * Timeout of a call. WebKit may freeze an origin's databases when a page is left during a write: they open, but no
 * transaction completes until the browser is closed. Seen in WebKitGTK after 56 and 231 page loads.
 */
const CALL_TIMEOUT_SECONDS = 3;

export const READER_DATABASE_PREFIX = 'changer-reader-';

/** Name of the database of public data. */
export const PUBLIC_DATABASE = 'changer-public';

/** Returns the name of a reader's database. */
export const databaseName = (readerId: string | null): string =>
  readerId === null ? 'changer-anonymous' : READER_DATABASE_PREFIX + readerId;

/** Evicts stored data to free space on a full device. */
export type EvictForSpace = (storage: DeviceStorage) => Promise<void>;

/**
 * Opens the stored data of a reader, null for an anonymous one. If IndexedDB fails in any way, memory replaces it. If
 * it is slow, memory is used only until it has opened; if it is full, only if no space can be freed. Never rejects.
 */
export async function openDeviceStorage(readerId: string | null, evictForSpace?: EvictForSpace): Promise<DeviceStorage> {
  const persistent = createSignal(true);
  let fallbackCount = 0;
  const monitor: FallbackMonitor = {
    onFallback(change) {
      fallbackCount += change;
      persistent.set(fallbackCount === 0);
    },
    evictForSpace: async () => evictForSpace?.(storage),
  };
  const [publicStore, readerStore] = await Promise.all([
    openKeyValueStore(PUBLIC_DATABASE, monitor),
    openKeyValueStore(databaseName(readerId), monitor),
  ]);
  const stores = [publicStore, readerStore];
  let isClosed = false;
  const storage: DeviceStorage = {
    persistent,
    public: publicStore,
    reader: readerStore,
    lateOpen: readerStore.lateOpen,
    async openAnonymous() {
      const store = await openKeyValueStore(databaseName(null), monitor);
      if (isClosed) store.close();
      else stores.push(store);
      return store;
    },
    close() {
      isClosed = true;
      for (const store of stores) store.close();
    },
  };
  return storage;
}

interface FallbackMonitor {
  /** Called when memory replaces one database more (1) or less (-1). */
  onFallback(change: 1 | -1): void;
  evictForSpace(): Promise<void>;
}

type OpenedStore = KeyValueStore & Pick<DeviceStorage, 'lateOpen'>;

async function openKeyValueStore(name: string, monitor: FallbackMonitor): Promise<OpenedStore> {
  const opening = openIndexedDb(name);
  try {
    return createResilientStore(monitor, Promise.resolve(await withDatabaseTimeout(opening)));
  } catch {
    monitor.onFallback(1);
    return createResilientStore(monitor, loadMemoryStore(), opening);
  }
}

/** Loads the memory store only if it is needed: nearly every device has a working IndexedDB. */
const loadMemoryStore = async (): Promise<KeyValueStore> => (await import('./memory-store.ts')).createMemoryStore();

/**
 * Wraps a store with a fallback. It switches to memory after the first call that fails (a deleted, broken or frozen
 * database, or a quota error if no space can be freed), and does nothing after `close`. Writes before `opening`
 * resolves are applied to the database afterwards.
 */
function createResilientStore(
  monitor: FallbackMonitor,
  opened: Promise<KeyValueStore>,
  opening?: Promise<KeyValueStore>,
): OpenedStore {
  let store: Promise<KeyValueStore> | null = opened;
  const missedWrites: ((store: KeyValueStore) => Promise<void>)[] = [];
  const lateOpen = opening?.then(async (database) => {
    for (let write = missedWrites.shift(); write !== undefined && store !== null; write = missedWrites.shift())
      await write(database);
    if (store === null) database.close();
    else {
      store = Promise.resolve(database);
      monitor.onFallback(-1);
    }
  });
  lateOpen?.catch(() => {}); // The memory store stays in use.
  async function run<Value>(call: (store: KeyValueStore) => Promise<Value>, fallback: Value, needsSpace = false): Promise<Value> {
    const current = store;
    if (current === null) return fallback;
    try {
      return await withDatabaseTimeout(call(await current), CALL_TIMEOUT_SECONDS);
    } catch (thrown) {
      if (store === null) return fallback;
      if (needsSpace && store === current && isQuotaError(thrown)) {
        await monitor.evictForSpace().catch(() => {}); // If this fails, memory replaces the database.
        return run(call, fallback);
      }
      if (store === current) {
        store = loadMemoryStore();
        monitor.onFallback(1);
      }
      return store.then(call).catch(() => fallback);
    }
  }
  function write(call: (store: KeyValueStore) => Promise<void>, needsSpace = false): Promise<void> {
    if (opening !== undefined && store === opened) missedWrites.push(call);
    return run(call, undefined, needsSpace);
  }
  return {
    lateOpen,
    get: (key) => run((store) => store.get(key), undefined),
    list: (prefix, options) => run((store) => store.list(prefix, options), []),
    put: (entries, replacedPrefixes) => write((store) => store.put(entries, replacedPrefixes), true),
    update: (...updates) => write((store) => store.update(...updates), true),
    deletePrefix: (prefix) => write((store) => store.deletePrefix(prefix)),
    keys: (prefix) => run((store) => store.keys(prefix), []),
    deleteMany: (keys) => write((store) => store.deleteMany(keys)),
    close() {
      const current = store;
      store = null;
      void (current ?? opened).then((database) => database.close());
    },
  };
}

const isQuotaError = (thrown: unknown): boolean => String(thrown).startsWith('QuotaExceededError');
