import { createCell, type Readable } from '../lib/signal.ts';
import { inTime, openDatabase } from './indexed-db-store.ts';
import type { Shelf } from './key-value-store.ts';

/** What this device keeps: one database for public things, one for each reader. */
export interface Kept {
  /** Whether it outlasts the page; false while memory stands in for a database. */
  readonly lasting: Readable<boolean>;
  /** What anyone may see: channels and their posts. */
  readonly public: Shelf;
  /** The reader's own, and what only this reader may see; for an anonymous reader the device's. */
  readonly reader: Shelf;
  /** Resolves when the reader's database opened late and has taken in what was written meanwhile: it has to be read. */
  readonly late?: Promise<void> | undefined;
  /** What this device's anonymous reader left, to be merged at sign-in. */
  anonymous(): Promise<Shelf>;
  /** After this nothing is read or written any more. */
  close(): void;
}

/**
 * A call that takes longer has failed. WebKit may freeze the databases of an origin when a page is left while it writes: they
 * open, and no transaction ends until the browser is closed. Seen in WebKitGTK after 56 and 231 page loads.
 */
const CALL_TIMEOUT_S = 3;

export const READER = 'changer-reader-';

/** The name of a reader's database. */
export const nameOf = (readerId: string | null): string => (readerId === null ? 'changer-anonymous' : READER + readerId);

/** Frees room on a device that has no more. */
export type MakeRoom = (kept: Kept) => Promise<void>;

/**
 * Opens what is kept for a reader, null for an anonymous one. Where IndexedDB fails in any way, memory stands in; where it is slow,
 * only until it has opened; where it is full, only if no room can be made. Never rejects.
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
  /** Told when memory stands in for one database more, or less. */
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

/** Fetched where it is needed: nearly every device can keep things. */
const inMemory = async (): Promise<Shelf> => (await import('./memory-store.ts')).memoryShelf();

/**
 * Goes over to memory with the first call that fails (a deleted, broken or frozen database, quota for which no room can be made), and
 * stops when closed. What is written before `opening` is there is written to it then.
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
  late?.catch(() => {}); // Memory stays.
  async function run<Value>(call: (shelf: Shelf) => Promise<Value>, nothing: Value, grows = false): Promise<Value> {
    const asked = shelf;
    if (asked === null) return nothing;
    try {
      return await inTime(call(await asked), CALL_TIMEOUT_S);
    } catch (thrown) {
      if (shelf === null) return nothing;
      if (grows && shelf === asked && isFull(thrown)) {
        await watch.makeRoom().catch(() => {}); // Then memory stands in.
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
