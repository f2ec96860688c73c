// Device storage: one IndexedDB database for public data and one for each reader, with memory as the fallback.

import { createCell, type Readable } from '../lib/signal.ts';
import { inTime, openDatabase } from './indexed-db-store.ts';
import type { Shelf } from './key-value-store.ts';

/** The databases of this device: one for public data, one for each reader. */
export interface Kept {
  /** True if the data outlasts the page; false while memory replaces a database. */
  readonly lasting: Readable<boolean>;
  /** Public data: channels and their posts. */
  readonly public: Shelf;
  /** The reader's own data, and data that only this reader may access. For an anonymous reader, the data of the device. */
  readonly reader: Shelf;
  /**
   * Resolves when the reader's database opened late and the writes in the meantime were applied to it: it must be read then.
   */
  readonly late?: Promise<void> | undefined;
  /** Returns the store of this device's anonymous reader, to be merged at sign-in. */
  anonymous(): Promise<Shelf>;
  /** Closes the databases. After this, reads return nothing and writes have no effect. */
  close(): void;
}

/**
 * A call that takes longer has failed. WebKit may freeze an origin's databases when a page is left during a write: they open,
 * but no transaction completes until the browser is closed. Seen in WebKitGTK after 56 and 231 page loads.
 */
const CALL_TIMEOUT_S = 3;

export const READER = 'changer-reader-';

/** Returns the name of a reader's database. */
export const nameOf = (readerId: string | null): string => (readerId === null ? 'changer-anonymous' : READER + readerId);

/** Frees space on a full device. */
export type MakeRoom = (kept: Kept) => Promise<void>;

/**
 * Opens the stored data of a reader, null for an anonymous one. If IndexedDB fails in any way, memory replaces it. If it is
 * slow, memory is used only until it has opened; if it is full, only if no space can be freed. Never rejects.
 */
export async function openKept(readerId: string | null, makeRoom?: MakeRoom): Promise<Kept> {
  const lasting = createCell(true);
  let standingIn = 0;
  const watch: Watch = {
    standIn(by) {
      standingIn += by;
      lasting.set(standingIn === 0);
    },
    makeRoom: async () => makeRoom?.(kept),
  };
  const [common, own] = await Promise.all([openShelf('changer-public', watch), openShelf(nameOf(readerId), watch)]);
  const opened = [common, own];
  const kept: Kept = {
    lasting,
    public: common,
    reader: own,
    late: own.late,
    async anonymous() {
      const shelf = await openShelf(nameOf(null), watch);
      opened.push(shelf);
      return shelf;
    },
    close() {
      for (const shelf of opened) shelf.close();
    },
  };
  return kept;
}

interface Watch {
  /** Called when memory replaces one database more (1) or less (-1). */
  standIn(by: 1 | -1): void;
  makeRoom(): Promise<void>;
}

type Opened = Shelf & Pick<Kept, 'late'>;

async function openShelf(name: string, watch: Watch): Promise<Opened> {
  const opening = openDatabase(name);
  try {
    return guarded(watch, Promise.resolve(await inTime(opening)));
  } catch {
    watch.standIn(1);
    return guarded(watch, inMemory(), opening);
  }
}

/** Loaded only where it is needed: nearly every device has a working IndexedDB. */
const inMemory = async (): Promise<Shelf> => (await import('./memory-store.ts')).memoryShelf();

/**
 * Wraps a store with a fallback. It switches to memory after the first call that fails (a deleted, broken or frozen database,
 * or a quota error where no space can be freed), and does nothing after `close`. Writes before `opening` resolves are applied
 * to the database afterwards.
 */
function guarded(watch: Watch, opened: Promise<Shelf>, opening?: Promise<Shelf>): Opened {
  let shelf: Promise<Shelf> | null = opened;
  const missed: ((shelf: Shelf) => Promise<void>)[] = [];
  const late = opening?.then(async (database) => {
    for (let write = missed.shift(); write !== undefined && shelf !== null; write = missed.shift()) await write(database);
    if (shelf === null) database.close();
    else {
      shelf = Promise.resolve(database);
      watch.standIn(-1);
    }
  });
  late?.catch(() => {}); // The memory store stays in use.
  async function run<Value>(call: (shelf: Shelf) => Promise<Value>, nothing: Value, grows = false): Promise<Value> {
    const asked = shelf;
    if (asked === null) return nothing;
    try {
      return await inTime(call(await asked), CALL_TIMEOUT_S);
    } catch (thrown) {
      if (shelf === null) return nothing;
      if (grows && shelf === asked && isFull(thrown)) {
        await watch.makeRoom().catch(() => {}); // If this fails, memory replaces the database.
        return run(call, nothing);
      }
      if (shelf === asked) {
        shelf = inMemory();
        watch.standIn(1);
      }
      return shelf.then(call).catch(() => nothing);
    }
  }
  function write(call: (shelf: Shelf) => Promise<void>, grows = false): Promise<void> {
    if (opening !== undefined && shelf === opened) missed.push(call);
    return run(call, undefined, grows);
  }
  return {
    late,
    get: (key) => run((to) => to.get(key), undefined),
    list: (prefix, options) => run((to) => to.list(prefix, options), []),
    put: (entries, instead) => write((to) => to.put(entries, instead), true),
    change: (...slots) => write((to) => to.change(...slots), true),
    drop: (prefix) => write((to) => to.drop(prefix)),
    keys: (prefix) => run((to) => to.keys(prefix), []),
    remove: (keys) => write((to) => to.remove(keys)),
    close() {
      const last = shelf;
      shelf = null;
      void (last ?? opened).then((database) => database.close());
    },
  };
}

const isFull = (thrown: unknown): boolean => String(thrown).startsWith('QuotaExceededError');
