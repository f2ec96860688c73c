import { deleteDatabase, inTime, openDatabase } from './database.ts';
import type { Shelf } from './shelf.ts';

/** What this device keeps: one database for public things, one for each reader. */
export interface Kept {
  readonly kind: 'idb' | 'memory';
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

const nameOf = (readerId: string | null): string => (readerId === null ? 'changer-anonymous' : `changer-reader-${readerId}`);

/**
 * Opens what is kept for a reader, null for an anonymous one. Where IndexedDB fails in any way, memory stands in; where it is slow,
 * only until it has opened. Never rejects.
 */
export async function openKept(readerId: string | null): Promise<Kept> {
  const [common, own] = await Promise.all([openShelf('changer-public'), openShelf(nameOf(readerId))]);
  const opened = [common, own];
  return {
    kind: common.lasting && own.lasting ? 'idb' : 'memory',
    public: common,
    reader: own,
    late: own.lasting ? undefined : own.late,
    async anonymous() {
      const shelf = await openShelf(nameOf(null));
      opened.push(shelf);
      return shelf;
    },
    close() {
      for (const shelf of opened) shelf.close();
    },
  };
}

/** Deletes what is kept of a reader; other tabs that hold it let go. Gives up after a second rather than hold up a sign-out. */
export async function eraseReader(readerId: string | null): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 1000));
  try {
    await Promise.race([deleteDatabase(nameOf(readerId)), patience]);
  } catch {
    // No IndexedDB, then nothing was kept in it.
  }
}

type Opened = Shelf & { readonly lasting: boolean; readonly late: Promise<void> };

const NEVER = new Promise<never>(() => {});

async function openShelf(name: string): Promise<Opened> {
  const opening = openDatabase(name);
  try {
    return { ...guarded(Promise.resolve(await inTime(opening)), NEVER), lasting: true };
  } catch {
    return { ...guarded(inMemory(), opening), lasting: false };
  }
}

/** Fetched where it is needed: nearly every device can keep things. */
const inMemory = async (): Promise<Shelf> => (await import('./memory.ts')).memoryShelf();

/**
 * Goes over to memory with the first call that fails (quota, a deleted or broken database), and stops when closed. What is written
 * before `opening` is there is written to it then.
 */
function guarded(opened: Promise<Shelf>, opening: Promise<Shelf>): Shelf & Pick<Opened, 'late'> {
  let shelf: Promise<Shelf> | null = opened;
  const missed: ((shelf: Shelf) => Promise<void>)[] = [];
  const late = opening.then(async (database) => {
    for (let write = missed.shift(); write !== undefined && shelf !== null; write = missed.shift()) await write(database);
    if (shelf === null) database.close();
    else shelf = Promise.resolve(database);
  });
  late.catch(() => {}); // Memory stays.
  async function run<Value>(call: (shelf: Shelf) => Promise<Value>, nothing: Value): Promise<Value> {
    const asked = shelf;
    if (asked === null) return nothing;
    try {
      return await call(await asked);
    } catch {
      if (shelf === null) return nothing;
      if (shelf === asked) shelf = inMemory();
      return shelf.then(call).catch(() => nothing);
    }
  }
  function write(call: (shelf: Shelf) => Promise<void>): Promise<void> {
    if (opening !== NEVER && shelf === opened) missed.push(call);
    return run(call, undefined);
  }
  return {
    late,
    get: (key) => run((to) => to.get(key), undefined),
    list: (prefix, options) => run((to) => to.list(prefix, options), []),
    put: (entries) => write((to) => to.put(entries)),
    change: (key, make) => write((to) => to.change(key, make)),
    drop: (prefix) => write((to) => to.drop(prefix)),
    trim: (prefix, count) => write((to) => to.trim(prefix, count)),
    close() {
      const last = shelf;
      shelf = null;
      void (last ?? opened).then((database) => database.close());
    },
  };
}
