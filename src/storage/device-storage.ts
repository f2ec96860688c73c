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
  /** The reader's own data, and data that only this reader may access. For an anonymous reader, the data of the device. */
  readonly reader: KeyValueStore;
  /**
   * Resolves when the reader's database opened late and the writes in the meantime were applied to it: it must be read then.
   */
  readonly lateOpen?: Promise<void> | undefined;
  /** Returns the store of this device's anonymous reader, to be merged at sign-in. */
  openAnonymous(): Promise<KeyValueStore>;
  /** Closes the databases. After this, reads return nothing and writes have no effect. */
  close(): void;
}

/**
 * A call that takes longer has failed. WebKit may freeze an origin's databases when a page is left during a write: they open,
 * but no transaction completes until the browser is closed. Seen in WebKitGTK after 56 and 231 page loads.
 */
const CALL_TIMEOUT_SECONDS = 3;

export const READER_DATABASE_PREFIX = 'changer-reader-';

/** Returns the name of a reader's database. */
export const databaseName = (readerId: string | null): string =>
  readerId === null ? 'changer-anonymous' : READER_DATABASE_PREFIX + readerId;

/** Frees space on a full device. */
export type EvictForSpace = (kept: DeviceStorage) => Promise<void>;

/**
 * Opens the stored data of a reader, null for an anonymous one. If IndexedDB fails in any way, memory replaces it. If it is
 * slow, memory is used only until it has opened; if it is full, only if no space can be freed. Never rejects.
 */
export async function openDeviceStorage(readerId: string | null, makeRoom?: EvictForSpace): Promise<DeviceStorage> {
  const lasting = createSignal(true);
  let standingIn = 0;
  const watch: FallbackMonitor = {
    onFallback(by) {
      standingIn += by;
      lasting.set(standingIn === 0);
    },
    evictForSpace: async () => makeRoom?.(kept),
  };
  const [common, own] = await Promise.all([
    openKeyValueStore('changer-public', watch),
    openKeyValueStore(databaseName(readerId), watch),
  ]);
  const opened = [common, own];
  const kept: DeviceStorage = {
    persistent: lasting,
    public: common,
    reader: own,
    lateOpen: own.lateOpen,
    async openAnonymous() {
      const shelf = await openKeyValueStore(databaseName(null), watch);
      opened.push(shelf);
      return shelf;
    },
    close() {
      for (const shelf of opened) shelf.close();
    },
  };
  return kept;
}

interface FallbackMonitor {
  /** Called when memory replaces one database more (1) or less (-1). */
  onFallback(by: 1 | -1): void;
  evictForSpace(): Promise<void>;
}

type OpenedStore = KeyValueStore & Pick<DeviceStorage, 'lateOpen'>;

async function openKeyValueStore(name: string, watch: FallbackMonitor): Promise<OpenedStore> {
  const opening = openIndexedDb(name);
  try {
    return createResilientStore(watch, Promise.resolve(await withDatabaseTimeout(opening)));
  } catch {
    watch.onFallback(1);
    return createResilientStore(watch, loadMemoryStore(), opening);
  }
}

/** Loaded only where it is needed: nearly every device has a working IndexedDB. */
const loadMemoryStore = async (): Promise<KeyValueStore> => (await import('./memory-store.ts')).createMemoryStore();

/**
 * Wraps a store with a fallback. It switches to memory after the first call that fails (a deleted, broken or frozen database,
 * or a quota error where no space can be freed), and does nothing after `close`. Writes before `opening` resolves are applied
 * to the database afterwards.
 */
function createResilientStore(
  watch: FallbackMonitor,
  opened: Promise<KeyValueStore>,
  opening?: Promise<KeyValueStore>,
): OpenedStore {
  let shelf: Promise<KeyValueStore> | null = opened;
  const missed: ((shelf: KeyValueStore) => Promise<void>)[] = [];
  const late = opening?.then(async (database) => {
    for (let write = missed.shift(); write !== undefined && shelf !== null; write = missed.shift()) await write(database);
    if (shelf === null) database.close();
    else {
      shelf = Promise.resolve(database);
      watch.onFallback(-1);
    }
  });
  late?.catch(() => {}); // The memory store stays in use.
  async function run<Value>(call: (shelf: KeyValueStore) => Promise<Value>, nothing: Value, grows = false): Promise<Value> {
    const asked = shelf;
    if (asked === null) return nothing;
    try {
      return await withDatabaseTimeout(call(await asked), CALL_TIMEOUT_SECONDS);
    } catch (thrown) {
      if (shelf === null) return nothing;
      if (grows && shelf === asked && isQuotaError(thrown)) {
        await watch.evictForSpace().catch(() => {}); // If this fails, memory replaces the database.
        return run(call, nothing);
      }
      if (shelf === asked) {
        shelf = loadMemoryStore();
        watch.onFallback(1);
      }
      return shelf.then(call).catch(() => nothing);
    }
  }
  function write(call: (shelf: KeyValueStore) => Promise<void>, grows = false): Promise<void> {
    if (opening !== undefined && shelf === opened) missed.push(call);
    return run(call, undefined, grows);
  }
  return {
    lateOpen: late,
    get: (key) => run((to) => to.get(key), undefined),
    list: (prefix, options) => run((to) => to.list(prefix, options), []),
    put: (entries, instead) => write((to) => to.put(entries, instead), true),
    update: (...slots) => write((to) => to.update(...slots), true),
    deletePrefix: (prefix) => write((to) => to.deletePrefix(prefix)),
    keys: (prefix) => run((to) => to.keys(prefix), []),
    deleteMany: (keys) => write((to) => to.deleteMany(keys)),
    close() {
      const last = shelf;
      shelf = null;
      void (last ?? opened).then((database) => database.close());
    },
  };
}

const isQuotaError = (thrown: unknown): boolean => String(thrown).startsWith('QuotaExceededError');
